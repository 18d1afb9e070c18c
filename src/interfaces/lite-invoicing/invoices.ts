/** Invoices. Specification part 2, "Lite invoicing"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
import {
  cancelInvoice,
  issueInvoice,
  LONGEST_REASON,
  SHORTEST_REASON,
  type NewInvoice,
} from '../../state/lite-invoicing/invoices.ts'
import type { SentRecipient } from '../../state/lite-invoicing/recipients.ts'
import type { TaxpayerType } from '../../state/lite-invoicing/ruc.ts'
import { refuseField } from '../../state/refusal.ts'
import { Result, resultOf } from './dialect.ts'
import { CanceledInvoice, InvoiceCancel, InvoiceCreate, IssuedInvoice } from './schemas.ts'
import { canceledView, issuedView } from './views.ts'

const invoiceOperation = operationsOf({ tag: 'Invoices' })

export const invoices: Resource = async (app) => {
  app.post(
    '/invoicing/lite/cancel',
    {
      schema: { body: InvoiceCancel },
      config: invoiceOperation({
        id: 'cancelInvoice',
        summary: 'Cancel an invoice for good',
        fidelity: documentedBut('Assumed: to cancel a second time is a conflict.'),
        answers: { 200: Result(CanceledInvoice) },
        refuses: ['not_found', 'wrong_state'],
      }),
    },
    ({ body: { id, reason }, workspace }) =>
      resultOf(canceledView(cancelInvoice(workspace, id, reasonOf(reason)))),
  )

  app.post(
    '/invoicing/lite',
    {
      schema: { body: InvoiceCreate },
      config: invoiceOperation({
        id: 'issueInvoice',
        summary: 'Issue an invoice',
        description:
          'What an item comes to, and its ITBMS, are each rounded to cents, half up; the payments have to add up to the total.',
        fidelity: assumed(
          'Only field names and the types of recipients are shown: the codes are those of the electronic invoices of Panama, an invoice is authorized at once and sent to the e-mail address, and answered with 200.',
        ),
        answers: { 200: Result(IssuedInvoice) },
      }),
    },
    ({ body, workspace }) => resultOf(issuedView(issueInvoice(workspace, fromWire(body)), workspace)),
  )
}

/** Without blanks around it; null where none was sent. */
function reasonOf(sent: string | undefined): string | null {
  if (sent === undefined) return null
  const reason = sent.trim()
  const { length } = Array.from(reason)
  if (length < SHORTEST_REASON) {
    refuseField('reason', 'too_short', `reason must have at least ${String(SHORTEST_REASON)} characters`)
  }
  if (length > LONGEST_REASON) {
    refuseField('reason', 'too_long', `reason must have at most ${String(LONGEST_REASON)} characters`)
  }
  return reason
}

/** The fields as the state calls them. */
function fromWire({ branchId, client, items, payments }: Static<typeof InvoiceCreate>): NewInvoice {
  return {
    branchId: String(branchId).trim(),
    recipient: recipientFromWire(client),
    items: items.map(({ taxes: [tax] = [], ...item }) => ({ ...item, taxCode: tax?.code ?? '00' })),
    payments,
  }
}

type SentClient = Static<typeof InvoiceCreate>['client']

function recipientFromWire({ taxReceiverType, ...client }: SentClient): SentRecipient {
  return {
    receiverType: taxReceiverType,
    name: client.taxName?.trim(),
    taxId: client.taxId ?? undefined,
    taxDv: wholeOf(client.taxDv),
    taxIdType: wholeOf(client.taxIdType) as TaxpayerType | undefined,
    email: client.email ?? undefined,
    foreignTaxId: client.foreignTaxId?.trim(),
    passport: client.passport?.trim(),
    country: client.country ?? undefined,
  }
}

const wholeOf = (sent: number | string | null | undefined): number | undefined =>
  sent === null || sent === undefined ? undefined : Number(sent)
