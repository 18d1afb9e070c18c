/** Invoices of a company. Specification part 2, "Lite invoicing", "Lite invoice". */
import { max } from 'drizzle-orm'
import { cufeOf } from '../shared/cufe.ts'
import { sendEmail } from '../shared/emails.ts'
import { take } from '../model/machine.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { grouped } from '../text/grouped.ts'
import { say } from '../text/languages.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { itemOf, mustAddUp, paymentOf, totalsOf, type SentDecimal, type SentItem } from './amounts.ts'
import { refuseCase } from './cases.ts'
import { EMAIL_TEXTS } from './emailTexts.ts'
import { appendInvoiceEvent } from './events.ts'
import { invoiceMachine } from './machines.ts'
import { recipientOf, type SentRecipient } from './recipients.ts'
import { invoices as table, type PaymentType } from './tables.ts'

export type Invoice = typeof table.$inferSelect

export const invoices = record(table, {
  noun: 'invoice',
  absent: (message) => refuseCase('invoice_unknown', message),
  derived: { number: ({ id }) => Number(id) },
  snapshot: { section: 'lite-invoicing', name: 'invoices', generated: ['cufe'] },
})

/** Finds invoices by their CUFE. */
export const invoicesByCufe = invoices.by('cufe')

/** Returns the invoice with this number. The wire calls the number `id`. */
export const getInvoiceByNumber = (workspace: Workspace, number: number): Invoice =>
  invoices.get(workspace, String(number))

const lastNumber = query((orm) =>
  orm
    .select({ last: max(table.number) })
    .from(table)
    .where(ofWorkspace(table)),
)

export interface NewInvoice {
  readonly branchId: string
  readonly recipient: SentRecipient
  readonly items: readonly SentItem[]
  readonly payments: readonly { readonly type: PaymentType; readonly amount: SentDecimal }[]
}

/** Issues an invoice, which is authorized immediately, and sends it to the recipient if it has an e-mail address. */
export function issueInvoice(workspace: Workspace, sent: NewInvoice): Invoice {
  const recipient = recipientOf(sent.recipient)
  const items = sent.items.map(itemOf)
  const payments = sent.payments.map(paymentOf)
  const totals = totalsOf(items)
  mustAddUp(payments, totals.total)
  return workspace.write(() => {
    const now = workspace.now()
    const number = (lastNumber.first(workspace)?.last ?? 0) + 1
    const { branchId } = sent
    const chance = workspace.ids.chance('lite.security')
    const invoice = invoices.insert(workspace, {
      id: String(number),
      branchId,
      cufe: cufeOf({ branchId, number, issuedAt: now, chance }),
      recipient,
      items,
      payments,
      ...totals,
      createdAt: now,
    })
    sendInvoice(workspace, invoice)
    appendInvoiceEvent(workspace, 'invoice.issued', invoice)
    return invoice
  })
}

function sendInvoice(workspace: Workspace, { recipient, number, total, cufe }: Invoice): void {
  const { email, name } = recipient
  if (email === null) return
  sendEmail(workspace, {
    interface: 'lite-invoicing',
    to: email,
    subject: EMAIL_TEXTS.subject(String(number), workspace.name),
    text: say`${EMAIL_TEXTS.dear(name)}\n\n${EMAIL_TEXTS.issued(String(number), `B/. ${grouped(total)}`)}\n\nCUFE: ${cufe}\n`,
  })
}

/** Cancels an invoice. The cancellation is final. */
export function cancelInvoice(workspace: Workspace, number: number, reason: string | null): Invoice {
  return workspace.write(() => {
    const invoice = getInvoiceByNumber(workspace, number)
    const { state, event } = take(invoiceMachine, invoice.status, 'cancel')
    const canceled = invoices.update(workspace, invoice, {
      status: state,
      canceledAt: workspace.now(),
      reason,
    })
    appendInvoiceEvent(workspace, event, canceled)
    return canceled
  })
}
