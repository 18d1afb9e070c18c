/** Invoices. Specification part 2, "Lite invoicing"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import {
  cancelInvoice,
  issueInvoice,
  type Invoice,
  type NewInvoice,
} from '../../state/lite-invoicing/invoices.ts'
import type { SentRecipient } from '../../state/lite-invoicing/recipients.ts'
import type { TaxpayerType } from '../../state/shared/ruc.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { Result, resultOf } from './dialect.ts'
import { CanceledInvoice, InvoiceCancel, IssuedInvoice } from './shapes/invoices.ts'
import { InvoiceCreate } from './shapes/issue.ts'

export const invoices: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Invoices' })

  at('/invoicing/lite/cancel').post({
    id: 'cancelInvoice',
    summary: 'Cancel an invoice',
    description: 'The cancellation is final. Returns 409 if the invoice was already canceled.',
    fidelity: documentedBut('Assumed: a second cancellation returns 409.'),
    body: InvoiceCancel,
    answers: { 200: Result(CanceledInvoice) },
    refuses: ['not_found', 'wrong_state'],
    run: ({ body: { id, reason = null }, workspace }) =>
      resultOf(canceledView(cancelInvoice(workspace, id, reason))),
  })

  at('/invoicing/lite').post({
    id: 'issueInvoice',
    summary: 'Issue an invoice',
    description:
      'Issues an invoice, which is authorized immediately, and sends it to the email of the client. The server rounds the amount and the ITBMS of each item to cents, half up. Returns 400 if the payments do not add up to the total.',
    fidelity: documentedBut(
      'The specification shows only field names and the types of recipients. Assumed: the JSON types of the fields, and which fields are required. A RUC that can be of a natural person and of a legal entity is of the taxIdType; without it, of the type whose check digit is taxDv. The invoice is authorized immediately and sent to the e-mail address.',
    ),
    assumedStatus:
      'The specification does not show the status. The simulator returns 200, as for a cancellation.',
    body: InvoiceCreate,
    answers: {
      200: Assumed(
        'The specification does not show the response. It has the fields of the electronic invoices of Panama, in the spelling and the envelope of this interface.',
        Result(IssuedInvoice.item),
      ),
    },
    run: ({ body, workspace }) =>
      resultOf(IssuedInvoice.view(issueInvoice(workspace, fieldsOf(body)), workspace)),
  })
}

const canceledView = ({ number, canceledAt, createdAt }: Invoice): Static<typeof CanceledInvoice> => ({
  id: number,
  canceled: true,
  canceledAt: iso(canceledAt ?? createdAt),
})

/** Maps the wire fields to the names of the state. */
function fieldsOf({ branchId, client, items, payments }: Static<typeof InvoiceCreate>): NewInvoice {
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
    taxDv: numberOrUndefined(client.taxDv),
    taxIdType: numberOrUndefined(client.taxIdType) as TaxpayerType | undefined,
    email: client.email ?? undefined,
    foreignTaxId: client.foreignTaxId?.trim(),
    passport: client.passport?.trim(),
    country: client.country ?? undefined,
  }
}

const numberOrUndefined = (sent: number | string | null | undefined): number | undefined =>
  sent === null || sent === undefined ? undefined : Number(sent)
