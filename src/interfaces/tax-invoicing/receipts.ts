/** Payment receipts. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import type { NamedKind } from '../../http/lifecycle/namedRecords.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { viewRendering } from '../../http/shapes/renderings.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { instantOf, lastInstantOf } from '@suite-sim/kit/time/instants'
import { documentedBut } from '../../state/model/fidelity.ts'
import { invoiceByUuid, invoices, normalUuid } from '../../state/tax-invoicing/invoices/invoices.ts'
import { ISSUER_PLACE } from '../../state/tax-invoicing/taxpayers/issuer.ts'
import { issueReceipt } from '../../state/tax-invoicing/invoices/receipts/issueReceipt.ts'
import { receipts as receiptRecords, type Receipt } from '../../state/tax-invoicing/invoices/receipts.ts'
import { answerPdf, answerXml, PdfFile, XmlFile } from './files.ts'
import { newReceiptOf } from './receiptFields.ts'
import { CreatedReceipt, PaymentReceipt, ReceiptCreate, ReceiptId, ReceiptQuery } from './shapes/receipts.ts'
import { createdReceiptView, receiptViews } from './views.ts'

const collection = numberedCollection({
  records: receiptRecords,
  rendering: viewRendering<Receipt>(receiptRecords.findAll, receiptViews),
  sort: 'created_at',
  meta: pageMeta,
})

const invoicesByUuid: NamedKind = {
  noun: 'invoice',
  find: (workspace, uuid) => invoiceByUuid.find(workspace, normalUuid(uuid)),
}

const sameAsInvoices = 'Assumed: a receipt has the id of its invoice of type P.'

export const receipts: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Payment receipts' })
  const list = at('/payment-receipts')

  list.post({
    id: 'createPaymentReceipt',
    summary: 'Stamp a payment receipt',
    description:
      'Pays one or more active invoices with the payment method PPD. All invoices must have the same recipient, and no payment can exceed the open balance of its invoice. The server numbers the installments and tracks the balances across receipts.',
    scope: 'invoices:write',
    fidelity: documentedBut(
      'Assumed: a document requires only uuid_factura and importe_pagado. The server computes the other fields. If the request contains them, they must match the computed values. Its taxes must be taxes of the invoice, with bases that its lines can have; any such share is accepted. A receipt with the relation 04 takes the place of an active receipt: the installment and the balance of each invoice that both pay. If it is cancelled first, the old payments count again. Credit notes do not lower the balances of receipts; the request log has a hint if a payment is more than credit notes left.',
    ),
    body: ReceiptCreate,
    answers: { 201: CreatedReceipt },
    run({ body, workspace }) {
      const receipt = issueReceipt(workspace, newReceiptOf(body))
      return createdReceiptView(receipt, workspace)
    },
  })

  list.get({
    id: 'listPaymentReceipts',
    order: collection.order,
    summary: 'List payment receipts',
    scope: 'invoices:read',
    fidelity: documentedBut(
      'Assumed: the order is newest first. from and to are days, as in the list of invoices, and apply to the time of the stamp.',
    ),
    names: { invoice_uuid: invoicesByUuid },
    query: ReceiptQuery,
    answers: { 200: PageOf(PaymentReceipt) },
    run({ query, caller }) {
      const { from, to, receptor_rfc, invoice_uuid: uuid } = query
      return collection.page(caller, query, {
        receptor_rfc,
        invoice_uuid: uuid && normalUuid(uuid),
        from: from === undefined ? undefined : instantOf(from, ISSUER_PLACE),
        to: to === undefined ? undefined : lastInstantOf(to, ISSUER_PLACE),
      })
    },
  })

  at('/payment-receipts/:payment_receipt_id', { params: ReceiptId }).get({
    id: 'getPaymentReceipt',
    summary: 'Get a payment receipt',
    fidelity: documentedBut(sameAsInvoices),
    answers: {
      200: Assumed(
        'The specification does not show the response. It is a receipt as in the list, without an envelope.',
        PaymentReceipt,
      ),
    },
    run: ({ params, workspace }) => collection.get(workspace, params.payment_receipt_id),
  })

  at('/payment-receipts/:payment_receipt_id/xml', { params: ReceiptId, record: receiptRecords }).get({
    id: 'getPaymentReceiptXml',
    summary: 'Get the stamped XML of a payment receipt',
    fidelity: documentedBut(sameAsInvoices),
    answers: { 200: XmlFile },
    run({ record, workspace }, reply) {
      const { id } = record
      return answerXml(workspace, invoices.get(workspace, id), reply)
    },
  })

  at('/payment-receipts/:payment_receipt_id/pdf', { params: ReceiptId, record: receiptRecords }).get({
    id: 'getPaymentReceiptPdf',
    summary: 'Get the printed form of a payment receipt',
    fidelity: documentedBut(sameAsInvoices),
    answers: { 200: PdfFile },
    run({ record, workspace }, reply) {
      const { id } = record
      return answerPdf(workspace, invoices.get(workspace, id), app.heavyWork, reply)
    },
  })
}
