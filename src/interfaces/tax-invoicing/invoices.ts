/** Invoices. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { instantOf, lastInstantOf } from '@suite-sim/kit/time/instants'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { invoices as invoiceRecords } from '../../state/tax-invoicing/invoices/invoices.ts'
import { issueInvoice } from '../../state/tax-invoicing/invoices/issueInvoice.ts'
import { cancellationExempt } from '../../state/tax-invoicing/readings.ts'
import { ISSUER_PLACE } from '../../state/tax-invoicing/taxpayers/issuer.ts'
import { requestCancellation } from '../../state/tax-invoicing/invoices/requestCancellation.ts'
import { newInvoiceOf } from './invoiceFields.ts'
import { answerPdf, answerXml, PdfFile, XmlFile } from './files.ts'
import { sendToClient } from './sending.ts'
import { CancelBody, InvoiceCreate, InvoiceQuery } from './shapes/invoiceBodies.ts'
import { CreatedInvoice, Invoice, InvoiceId } from './shapes/invoices.ts'

const collection = numberedCollection({
  records: invoiceRecords,
  rendering: Invoice.rendering(),
  sort: 'date',
  meta: pageMeta,
})

const Single = Assumed(
  'The specification does not show the response. It is an invoice as in the list, without an envelope.',
  Invoice.item,
)

export const invoices: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Invoices' })
  const list = at('/invoices')

  list.get({
    id: 'listInvoices',
    summary: 'List invoices',
    scope: 'invoices:read',
    fidelity: documentedBut(
      'Assumed: the default order is newest first. The list includes payment receipts, which have the type P.',
    ),
    query: InvoiceQuery,
    answers: { 200: PageOf(Invoice.item) },
    run({ query, caller }) {
      const { type, status, receptor_rfc, from, to, series, search } = query
      return collection.page(caller, query, {
        type,
        status,
        receptor_rfc,
        from: from === undefined ? undefined : instantOf(from, ISSUER_PLACE),
        to: to === undefined ? undefined : lastInstantOf(to, ISSUER_PLACE),
        series,
        search,
      })
    },
  })

  list.post({
    id: 'createInvoice',
    summary: 'Stamp an invoice',
    description:
      "Validates the invoice with the rules of the authority, then seals and stamps it. Returns 422 with the authority's code for each invalid field. The registry of the authority must have the tax id of the recipient: use one of the tax ids that the authority publishes for tests, or register one with the trigger tax-invoicing.taxpayer.register.",
    scope: 'invoices:write',
    fidelity: documentedBut(
      'Assumed: the issuer is EKU9003173C9 with the postal code 42501. An invoice to PUBLICO EN GENERAL covers the sales of its day; XAXX010101000 can have this name only in capitals and without accents, or the name of a buyer. The name of the recipient must match the registry, including case and accents. Tax ids are case-insensitive. A line can charge a tax once and withhold it once, except IEPS as Tasa and as Cuota. A number that was computed, such as 0.1 + 0.2, is rounded to six decimals. A credit note cannot relate to an invoice that waits for its cancellation. The request log has a hint if the related invoices of a credit note are unknown, cancelled, of another recipient or too small.',
    ),
    body: InvoiceCreate,
    answers: { 201: CreatedInvoice.item },
    async run({ body, workspace }) {
      const invoice = issueInvoice(workspace, newInvoiceOf(body))
      if (body.enviar_email) await sendToClient(workspace, invoice, app.heavyWork)
      return CreatedInvoice.view(invoice, workspace)
    },
  })

  at('/invoices/:invoice_id', { params: InvoiceId }).get({
    id: 'getInvoice',
    summary: 'Get an invoice',
    scope: 'invoices:read',
    fidelity: documented,
    answers: { 200: Single },
    run: ({ params, workspace }) => collection.get(workspace, params.invoice_id),
  })

  at('/invoices/:invoice_id/xml', { params: InvoiceId, record: invoiceRecords }).get({
    id: 'getInvoiceXml',
    summary: 'Get the stamped XML of an invoice',
    description: 'Always returns the same bytes, even after the invoice was cancelled.',
    scope: 'invoices:read',
    fidelity: documentedBut('Assumed: the file name.'),
    answers: { 200: XmlFile },
    run: ({ record, workspace }, reply) => answerXml(workspace, record, reply),
  })

  at('/invoices/:invoice_id/pdf', { params: InvoiceId, record: invoiceRecords }).get({
    id: 'getInvoicePdf',
    summary: 'Get the printed form of an invoice',
    description: 'The PDF of a cancelled invoice has the mark CANCELADO.',
    scope: 'invoices:read',
    fidelity: documentedBut('Assumed: the layout and the file name.'),
    answers: { 200: PdfFile },
    run: ({ record, workspace }, reply) => answerPdf(workspace, record, app.heavyWork, reply),
  })

  at('/invoices/:invoice_id/cancel', { params: InvoiceId, record: invoiceRecords }).post({
    id: 'cancelInvoice',
    summary: 'Cancel an invoice or request its cancellation',
    description:
      'Cancels payment receipts, transfers and invoices of less than 1,000 pesos immediately; a reading adds those that the authority exempts. Any other invoice becomes cancellation_pending: the recipient has three business days to accept or reject. If the recipient does not respond, the invoice is cancelled.',
    scope: 'invoices:write',
    fidelity: documentedBut(
      'Assumed: the substitute must be an active invoice of the same issuer. An invoice that an active payment receipt pays, or that an active credit note relates to, returns 409. After a rejection, the cancellation can be requested again.',
    ),
    body: CancelBody,
    answers: { 200: Single },
    refuses: ['wrong_state', 'conflict'],
    readings: [cancellationExempt],
    run({ record: invoice, body, workspace }) {
      const cancelled = requestCancellation(workspace, invoice, {
        motivo: body.motivo,
        uuidSustitucion: body.uuid_sustitucion?.toUpperCase() ?? null,
      })
      return collection.text(workspace, cancelled)
    },
  })
}
