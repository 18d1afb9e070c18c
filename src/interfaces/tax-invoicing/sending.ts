/** Sends invoices by e-mail. Specification part 2, "Tax invoicing": POST /invoices/{invoice_id}/send, enviar_email. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { WorkExceeded, type HeavyWork } from '../../http/heavyWork/index.ts'
import { before, bodyMayBeLeftOut, operationsOf } from '../../http/operation.ts'
import { addHint } from '../../state/causes.ts'
import { iso } from '../../state/clock.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { Refusal, refuseField } from '../../state/refusal.ts'
import type { Attachment } from '../../state/tables.ts'
import { invoices, type Invoice } from '../../state/tax-invoicing/invoices.ts'
import { emailOfRecipient, sendInvoice } from '../../state/tax-invoicing/sending.ts'
import type { Workspace } from '../../state/workspace.ts'
import { pdfAttachment, xmlAttachment } from './files.ts'
import { InvoiceId } from './schemas/invoices.ts'
import { SendBody, SentInvoice } from './schemas/sending.ts'

const sendOperation = operationsOf({ tag: 'Invoices' })

export const sending: Resource = async (app) => {
  app.post(
    '/invoices/:invoice_id/send',
    {
      preValidation: [mustExist, bodyMayBeLeftOut],
      schema: { params: InvoiceId, body: Type.Optional(SendBody) },
      config: sendOperation({
        id: 'sendInvoice',
        summary: 'Send an invoice by e-mail',
        description: 'Nothing leaves the simulator: the control plane shows the message with its files.',
        scope: 'invoices:write',
        fidelity: documentedBut(
          'Assumed: the answer; unless it is sent, email is that of the client with this tax id, and both files are attached; a cancelled invoice may be sent too, and its printed form says so.',
        ),
        answers: { 200: SentInvoice },
      }),
    },
    async ({ params, body, workspace }) => {
      const invoice = invoices.get(workspace, params.invoice_id)
      const { include_xml: withXml, include_pdf: withPdf, message = null } = body
      if (!withXml && !withPdf) {
        refuseField('include_pdf', 'invalid', 'include_pdf must be true where include_xml is false')
      }
      const to = body.email ?? emailOfRecipient(workspace, invoice)
      if (to === null) {
        refuseField('email', 'required', 'email is required where no client has one for this tax id')
      }
      const attachments = [
        ...(withXml ? [xmlAttachment(workspace, invoice)] : []),
        ...(withPdf ? [await pdfAttachment(workspace, invoice, app.heavyWork)] : []),
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
  )
}

/** That the invoice exists is asked before the body is judged. */
const mustExist = before<{ invoice_id: string }>(({ workspace }, params) =>
  invoices.getHead(workspace, params.invoice_id),
)

/**
 * `enviar_email` of an invoice that has just been stamped: to its client, where that has an address. Without its printed form
 * where that can't be made now, for the invoice is stamped whatever becomes of the message.
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
      `enviar_email sent nothing: no client with the tax id ${invoice.receptor.rfc} has an email; POST /invoices/{invoice_id}/send takes one.`,
    )
    return
  }
  const xml = xmlAttachment(workspace, invoice)
  const attachments = [xml, ...(await printedIfPossible(workspace, invoice, heavyWork))]
  sendInvoice(workspace, invoice, { to, message: null, attachments })
}

async function printedIfPossible(
  workspace: Workspace,
  invoice: Invoice,
  heavyWork: HeavyWork,
): Promise<Attachment[]> {
  try {
    return [await pdfAttachment(workspace, invoice, heavyWork)]
  } catch (error) {
    if (error instanceof WorkExceeded || (error instanceof Refusal && error.reason === 'unavailable'))
      return []
    throw error
  }
}
