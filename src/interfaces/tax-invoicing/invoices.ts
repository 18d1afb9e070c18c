/** Invoices. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { before, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { rendering } from '../../http/renderings.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { instantOf, lastInstantOf } from '../../state/clock.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { invoices as invoiceRecords, type Invoice as InvoiceRow } from '../../state/tax-invoicing/invoices.ts'
import { issueInvoice } from '../../state/tax-invoicing/issuing.ts'
import { ISSUER_PLACE } from '../../state/tax-invoicing/issuer.ts'
import { requestCancellation } from '../../state/tax-invoicing/cancelling.ts'
import { newInvoiceOf } from './invoiceFields.ts'
import { answerPdf, answerXml, PdfFile, XmlFile } from './files.ts'
import { sendToClient } from './sending.ts'
import {
  CancelBody,
  CreatedInvoice,
  Invoice,
  InvoiceCreate,
  InvoiceId,
  InvoiceQuery,
} from './schemas/invoices.ts'
import { createdInvoiceView, invoiceView } from './views.ts'

const invoiceText = rendering<InvoiceRow>(invoiceView, invoiceRecords)

const invoiceOperation = operationsOf({ tag: 'Invoices' })

export const invoices: Resource = async (app) => {
  app.get(
    '/invoices',
    {
      schema: { querystring: InvoiceQuery },
      config: invoiceOperation({
        id: 'listInvoices',
        summary: 'List invoices',
        scope: 'invoices:read',
        fidelity: documentedBut(
          'Assumed: the latest comes first unless sort_order says otherwise; payment receipts, which are of type P, are among them.',
        ),
        answers: { 200: PageOf(Invoice) },
      }),
    },
    ({ query, workspace }) => {
      const {
        page,
        per_page: perPage,
        sort_by: sort,
        sort_order: order = 'desc',
        from,
        to,
        ...others
      } = query
      const filters = {
        ...others,
        from: from === undefined ? undefined : instantOf(from, ISSUER_PLACE),
        to: to === undefined ? undefined : lastInstantOf(to, ISSUER_PLACE),
      }
      return numberedPage(
        'invoices',
        invoiceRecords.list,
        invoiceText,
        everyCallerIn(workspace),
        { page, perPage, sort, order },
        filters,
        pageMeta,
      )
    },
  )

  app.post(
    '/invoices',
    {
      schema: { body: InvoiceCreate },
      config: invoiceOperation({
        id: 'createInvoice',
        summary: 'Stamp an invoice',
        description:
          "It is validated as the authority does before it is stamped: what is wrong is told field by field, with the authority's codes. The tax id of the recipient is in the registry of the authority: one that it publishes for tests, or one that the trigger tax-invoicing.taxpayer.register has put there.",
        scope: 'invoices:write',
        fidelity: documentedBut(
          'Assumed: the issuer is EKU9003173C9, in 42501; an invoice to PUBLICO EN GENERAL stands for the sales of its day; the name of the recipient has to match the registry with case and accents; a tax id is taken in any case.',
        ),
        answers: { 201: CreatedInvoice },
      }),
    },
    async ({ body, workspace }, reply) => {
      const invoice = issueInvoice(workspace, newInvoiceOf(body))
      if (body.enviar_email) await sendToClient(workspace, invoice, app.heavyWork)
      reply.code(201)
      return createdInvoiceView(invoice, workspace)
    },
  )

  app.get(
    '/invoices/:invoice_id',
    {
      schema: { params: InvoiceId },
      config: invoiceOperation({
        id: 'getInvoice',
        summary: 'Get an invoice',
        scope: 'invoices:read',
        fidelity: documentedBut('Assumed: it is answered bare.'),
        answers: { 200: Invoice },
      }),
    },
    ({ params, workspace }) => invoiceText.one(workspace, invoiceRecords.get(workspace, params.invoice_id)),
  )

  app.get(
    '/invoices/:invoice_id/xml',
    {
      schema: { params: InvoiceId },
      config: invoiceOperation({
        id: 'getInvoiceXml',
        summary: 'Get the stamped XML of an invoice',
        description: 'The same bytes for ever, also of an invoice that was cancelled.',
        scope: 'invoices:read',
        fidelity: documentedBut('Assumed: the name of the file.'),
        answers: { 200: XmlFile },
      }),
    },
    ({ params, workspace }, reply) =>
      answerXml(workspace, invoiceRecords.get(workspace, params.invoice_id), reply),
  )

  app.get(
    '/invoices/:invoice_id/pdf',
    {
      schema: { params: InvoiceId },
      config: invoiceOperation({
        id: 'getInvoicePdf',
        summary: 'Get the printed form of an invoice',
        description: 'One that was cancelled says so.',
        scope: 'invoices:read',
        fidelity: documentedBut('Assumed: what it looks like, and the name of the file.'),
        answers: { 200: PdfFile },
      }),
    },
    ({ params, workspace }, reply) =>
      answerPdf(workspace, invoiceRecords.get(workspace, params.invoice_id), app.heavyWork, reply),
  )

  app.post(
    '/invoices/:invoice_id/cancel',
    {
      preValidation: mustExist,
      schema: { params: InvoiceId, body: CancelBody },
      config: invoiceOperation({
        id: 'cancelInvoice',
        summary: 'Cancel an invoice, or ask its recipient for it',
        description:
          'An invoice of less than 1,000 pesos is cancelled at once, as payment receipts and transfers are. Any other waits for its recipient, who has three business days; silence is consent.',
        scope: 'invoices:write',
        fidelity: documentedBut(
          'Assumed: the answer is the invoice; a substitute is active and of the same issuer; one that is paid by an active receipt, or that an active credit note is related to, can not be cancelled; after a rejection it may be asked again.',
        ),
        answers: { 200: Invoice },
        refuses: ['wrong_state', 'conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const invoice = invoiceRecords.get(workspace, params.invoice_id)
      const cancelled = requestCancellation(workspace, invoice, {
        motivo: body.motivo,
        uuidSustitucion: body.uuid_sustitucion?.toUpperCase() ?? null,
      })
      return invoiceText.one(workspace, cancelled)
    },
  )
}

/** That the invoice exists is asked before the body is judged. */
const mustExist = before<{ invoice_id: string }>(({ workspace }, params) =>
  invoiceRecords.getHead(workspace, params.invoice_id),
)
