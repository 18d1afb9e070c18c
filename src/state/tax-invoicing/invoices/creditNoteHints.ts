/** Hints about credit notes that are probably a mistake, although the authority accepts them. */
import { addHint } from '../../timeline/causes.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, sumOf, ZERO } from '../documents/amounts.ts'
import type { NewInvoice } from '../documents/documents.ts'
import { creditedUuids } from '../documents/relations.ts'
import type { Totals } from '../documents/totals.ts'
import { creditsOf, exchange, indexNotes, isCreditable } from './creditNotes.ts'
import { invoiceByUuid, type Invoice } from './invoices.ts'

/** Above this number of invoices, their totals are not compared with the note, because that takes too long. */
const MAX_COMPARED = 20

/** Adds hints about a new credit note. Call it before the note is stored. */
export function hintAtCreditNote(workspace: Workspace, note: NewInvoice, totals: Totals): void {
  if (note.type !== 'E') return
  const uuids = [...creditedUuids(note)]
  if (uuids.length === 0) {
    addHint(
      'credit_note_unrelated',
      'The credit note relates to no invoice, so it credits nothing. Send cfdi_relacionados with the invoices that it credits.',
    )
    return
  }
  const found = uuids.map((uuid) => ({ uuid, invoice: invoiceByUuid.find(workspace, uuid) }))
  const unknown = found.find(({ invoice }) => invoice?.type !== 'I')
  if (unknown) {
    addHint(
      'credit_note_unrelated',
      `The related UUID ${unknown.uuid} is not that of an income invoice of the issuer, so the note credits nothing to it.`,
    )
  }
  const related = found.flatMap(({ invoice }) => (invoice?.type === 'I' ? [invoice] : []))
  const cancelled = related.find(({ status }) => status === 'cancelled')
  if (cancelled) {
    addHint(
      'credit_note_of_cancelled',
      `The related invoice ${cancelled.uuid} is cancelled, so the note credits nothing to it.`,
    )
  }
  const foreign = related.find(({ receptor }) => receptor.rfc !== note.receptor.rfc)
  if (foreign) {
    addHint(
      'credit_note_of_another_recipient',
      `The credit note is for ${note.receptor.rfc}, but the related invoice ${foreign.uuid} is for ${foreign.receptor.rfc}.`,
    )
  }
  // Without all of its invoices, the amount that the note may credit is unknown.
  if (related.length === uuids.length && related.every(isCreditable)) {
    hintAtTotal(workspace, note, totals, related)
  }
}

function hintAtTotal(
  workspace: Workspace,
  note: NewInvoice,
  { total }: Totals,
  related: readonly Invoice[],
): void {
  if (related.length > MAX_COMPARED) return
  indexNotes(workspace)
  const credits = creditsOf(
    workspace,
    related.map(({ uuid }) => uuid),
  )
  const left = sumOf(
    related.map((invoice) => {
      const rest = decimal(invoice.total).minus(credits.get(invoice.uuid) ?? ZERO)
      return exchange(rest.lt(0) ? ZERO : rest, invoice, note)
    }),
  )
  if (left.gte(total)) return
  addHint(
    'credit_note_exceeds_invoice',
    `The total of the credit note, ${total} ${note.moneda}, is more than its related invoices less their other credit notes, ${left.toFixed()} ${note.moneda}.`,
  )
}
