/** Sends invoices by e-mail. Specification part 2, "Tax invoicing": POST /invoices/{invoice_id}/send, enviar_email. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { WorkExceeded, type HeavyWork } from '../../http/files/heavyWork/index.ts'
import { allowMissingBody } from '../../http/definition/operation.ts'
import { addHint } from '../../state/timeline/causes.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { documentedBut } from '../../state/model/fidelity.ts'
import { Refusal, refuseField } from '../../state/model/refusal.ts'
import type { Attachment } from '../../state/storage/tables.ts'
import { invoices, type Invoice } from '../../state/tax-invoicing/invoices/invoices.ts'
import { xmlOf } from '../../state/tax-invoicing/invoices/invoiceXml.ts'
import { emailOfRecipient, sendInvoice } from '../../state/tax-invoicing/invoices/sending.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { pdfAttachment, xmlAttachment } from './files.ts'
import { InvoiceId } from './shapes/invoices.ts'
import { SendBody, SentInvoice } from './shapes/sending.ts'

export const sending: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Invoices' })

  at('/invoices/:invoice_id/send', { params: InvoiceId, record: invoices }).post({
    id: 'sendInvoice',
    summary: 'Send an invoice by e-mail',
    description:
      'Records the e-mail with its attachments. Read it on the control plane. The simulator sends it to a mail server only if --smtp-url is set.',
    scope: 'invoices:write',
    fidelity: documentedBut(
      'Assumed: the default email is the address of the client with this tax id, and both files are attached by default. A cancelled invoice can be sent too; its PDF has the mark CANCELADO.',
    ),
    assumedStatus: 'The specification does not show the status. The simulator returns 200.',
    body: Type.Optional(SendBody),
    before: allowMissingBody,
    answers: { 200: SentInvoice },
    async run({ record: invoice, body, workspace }) {
      const { include_xml: withXml, include_pdf: withPdf, message = null } = body
      if (!withXml && !withPdf) {
        refuseField('include_pdf', 'invalid', 'include_pdf must be true if include_xml is false')
      }
      const to = body.email ?? emailOfRecipient(workspace, invoice)
      if (to === null) {
        refuseField('email', 'required', 'email is required because no client with this tax id has one')
      }
      const xml = xmlOf(workspace, invoice)
      const attachments = [
        ...(withXml ? [xmlAttachment(invoice, xml)] : []),
        ...(withPdf ? [await pdfAttachment(workspace, invoice, app.heavyWork, xml)] : []),
      ]
      const { at } = sendInvoice(workspace, invoice, { to, message, attachments })
      return {
        invoice_id: invoice.id,
        uuid: invoice.uuid,
        sent_to: to,
        include_xml: withXml,
        include_pdf: withPdf,
        sent_at: iso(at),
      }
    },
  })
}

/**
 * Sends a new invoice to its client (`enviar_email`) if the client has an address. Leaves out the PDF if it can't be printed
 * now: the invoice is stamped already, so the call must not fail.
 */
export async function sendToClient(
  workspace: Workspace,
  invoice: Invoice,
  heavyWork: HeavyWork,
): Promise<void> {
  const to = emailOfRecipient(workspace, invoice)
  if (to === null) {
    addHint(
      'email_not_sent',
      `enviar_email sent nothing because no client with the tax id ${invoice.receptor.rfc} has an email. Call POST /invoices/{invoice_id}/send with an email.`,
    )
    return
  }
  const xml = xmlOf(workspace, invoice)
  const printed = await printedIfPossible(workspace, invoice, heavyWork, xml)
  const attachments = [xmlAttachment(invoice, xml), ...printed]
  sendInvoice(workspace, invoice, { to, message: null, attachments })
}

async function printedIfPossible(
  workspace: Workspace,
  invoice: Invoice,
  heavyWork: HeavyWork,
  xml: string,
): Promise<Attachment[]> {
  try {
    return [await pdfAttachment(workspace, invoice, heavyWork, xml)]
  } catch (error) {
    if (error instanceof WorkExceeded || (error instanceof Refusal && error.reason === 'unavailable'))
      return []
    throw error
  }
}
