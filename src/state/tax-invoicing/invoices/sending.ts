/** E-mails with invoices. Specification part 2, "Tax invoicing": POST /invoices/{invoice_id}/send, enviar_email. */
import { sendEmail, type Email } from '../../shared/emails.ts'
import type { Attachment } from '../../storage/tables.ts'
import { say } from '../../text/languages.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { clientOf } from '../masterData/clients.ts'
import type { Invoice } from './invoices.ts'

/** Returns the e-mail address of the client of an invoice, or null if no client exists or it has no address. */
export const emailOfRecipient = (workspace: Workspace, { receptor }: Invoice): string | null =>
  clientOf(workspace, receptor)?.email ?? null

export interface InvoiceMessage {
  readonly to: string
  /** The text of the sender, or null for the standard text. */
  readonly message: string | null
  readonly attachments: readonly Attachment[]
}

/** Sends an invoice by e-mail. */
export const sendInvoice = (
  workspace: Workspace,
  invoice: Invoice,
  { to, message, attachments }: InvoiceMessage,
): Email =>
  workspace.write(() =>
    sendEmail(workspace, {
      interface: 'tax-invoicing',
      to,
      subject: say`${invoice.emisor.nombre}: CFDI ${invoice.serie}-${String(invoice.folio)}`,
      text: say`${message ?? standardText(invoice)}\n\nUUID: ${invoice.uuid}\n`,
      attachments,
    }),
  )

/** In Spanish, as the invoice is. A payment receipt has no total of its own. */
const standardText = ({ type, serie, folio, receptor, total, moneda }: Invoice): string => {
  const sum = type === 'P' ? '' : ` por un total de ${total} ${moneda}`
  return `${receptor.nombre}:\n\nLe enviamos el comprobante ${serie}-${String(folio)}${sum}.`
}
