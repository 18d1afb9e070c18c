/** E-mails with invoices. Specification part 2, "Tax invoicing": POST /invoices/{invoice_id}/send, enviar_email. */
import { sendEmail, type Email } from '../emails.ts'
import type { Attachment } from '../tables.ts'
import type { Workspace } from '../workspace.ts'
import { clientOf } from './clients.ts'
import type { Invoice } from './invoices.ts'

/** The e-mail address of the client that an invoice is for; null where there is no such client, or it has none. */
export const emailOfRecipient = (workspace: Workspace, { receptor }: Invoice): string | null =>
  clientOf(workspace, receptor)?.email ?? null

export interface InvoiceMessage {
  readonly to: string
  /** In the sender's own words; null for those that are usual. */
  readonly message: string | null
  readonly attachments: readonly Attachment[]
}

/** Sends an invoice to somebody. */
export const sendInvoice = (
  workspace: Workspace,
  invoice: Invoice,
  { to, message, attachments }: InvoiceMessage,
): Email =>
  workspace.write(() =>
    sendEmail(workspace, {
      interface: 'tax-invoicing',
      to,
      subject: `${invoice.emisor.nombre}: CFDI ${invoice.serie}-${String(invoice.folio)}`,
      text: `${message ?? usualWords(invoice)}\n\nUUID: ${invoice.uuid}\n`,
      attachments,
    }),
  )

/** A payment receipt has no total of its own. */
const usualWords = ({ type, serie, folio, receptor, total, moneda }: Invoice): string => {
  const sum = type === 'P' ? '' : ` por un total de ${total} ${moneda}`
  return `${receptor.nombre}:\n\nLe enviamos el comprobante ${serie}-${String(folio)}${sum}.`
}
