/** The documents that keep an invoice from being cancelled: payment receipts and credit notes in force. */
import { refuse } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { notesOf } from './creditNotes.ts'
import type { Invoice } from './invoices.ts'
import { payingReceiptOf } from './receipts.ts'

/** Returns the first receipt or note in force, a note that waits for its cancellation last. */
function findDependent(workspace: Workspace, { uuid }: Invoice) {
  const receiptId = payingReceiptOf(workspace, uuid)
  if (receiptId !== undefined)
    return { noun: 'payment receipt', field: 'receipt_id', id: receiptId, isPending: false }
  const notes = notesOf(workspace, [uuid])
  const note = notes.find(({ status }) => status === 'active') ?? notes[0]
  return (
    note && {
      noun: 'credit note',
      field: 'credit_note_id',
      id: note.id,
      isPending: note.status !== 'active',
    }
  )
}

export const hasDependents = (workspace: Workspace, invoice: Invoice): boolean =>
  findDependent(workspace, invoice) !== undefined

/** Refuses an invoice with an active receipt or credit note. A note that replaces the invoice does not count. */
export function mustHaveNoDependents(workspace: Workspace, invoice: Invoice): void {
  const found = findDependent(workspace, invoice)
  if (!found) return
  const { noun, field, id, isPending } = found
  const message = isPending
    ? `The invoice ${invoice.id} can not be cancelled until the cancellation of the ${noun} ${id} is accepted. It waits for its recipient.`
    : `The invoice ${invoice.id} can not be cancelled while the ${noun} ${id} is active. Cancel the ${noun} first.`
  refuse('conflict', message, { facts: { [field]: id } })
}
