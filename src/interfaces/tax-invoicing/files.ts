/** The files of an invoice: its stamped XML and its printed form (PDF). */
import { Type } from '@sinclair/typebox'
import { textAttachment } from '../../state/shared/emails.ts'
import type { Attachment } from '../../state/storage/tables.ts'
import type { FastifyReply } from 'fastify'
import { filenames } from '../../http/files/filenames.ts'
import type { Invoice } from '../../state/tax-invoicing/invoices/invoices.ts'
import { xmlOf } from '../../state/tax-invoicing/invoices/invoiceXml.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { HeavyTask, HeavyWork } from '../../http/files/heavyWork/index.ts'
import { printedOf, type Printed } from './printed.ts'

export const XmlFile = Type.Unsafe<string>({
  type: 'string',
  contentMediaType: 'application/xml',
  description: 'A CFDI 4.0 with its seal and its stamp.',
})

/**
 * Names a file: "EKU9003173C9_A12_5F6B7C8D-2A3B-4C4D-8E5F-000000000001.xml". Replaces unsafe characters of the series, which
 * may be "../A". The UUID keeps the names unique.
 */
export const fileName = ({ emisor, serie, folio, uuid }: Invoice, extension: string): string =>
  `${emisor.rfc}_${serie.replaceAll(/[^\w-]/g, '_')}${String(folio)}_${uuid}.${extension}`

export function answerXml(workspace: Workspace, invoice: Invoice, reply: FastifyReply): string {
  const xml = xmlOf(workspace, invoice)
  void reply
    .type('application/xml')
    .header('content-disposition', `attachment; ${filenames(fileName(invoice, 'xml'))}`)
  return xml
}

export const PdfFile = Type.Unsafe<string>({
  type: 'string',
  contentMediaType: 'application/pdf',
  description: 'The printed form. Its QR code links to the verification page of the authority.',
})

const printTask: HeavyTask<Printed, Uint8Array> = {
  name: 'printInvoice',
  here: async (printed) => (await import('./printing.ts')).printInvoice(printed),
}

/** Prints the current state of an invoice as a PDF. */
async function pdfOf(
  workspace: Workspace,
  invoice: Invoice,
  heavyWork: HeavyWork,
  xml = xmlOf(workspace, invoice),
): Promise<Buffer> {
  return Buffer.from(await heavyWork.run(printTask, printedOf(workspace, invoice, xml)))
}

export async function answerPdf(
  workspace: Workspace,
  invoice: Invoice,
  heavyWork: HeavyWork,
  reply: FastifyReply,
): Promise<Buffer> {
  const pdf = await pdfOf(workspace, invoice, heavyWork)
  void reply
    .type('application/pdf')
    .header('content-disposition', `inline; ${filenames(fileName(invoice, 'pdf'))}`)
  return pdf
}

export const xmlAttachment = (invoice: Invoice, xml: string): Attachment =>
  textAttachment(fileName(invoice, 'xml'), 'application/xml', xml)

export async function pdfAttachment(
  workspace: Workspace,
  invoice: Invoice,
  heavyWork: HeavyWork,
  xml: string,
): Promise<Attachment> {
  const pdf = await pdfOf(workspace, invoice, heavyWork, xml)
  return {
    filename: fileName(invoice, 'pdf'),
    contentType: 'application/pdf',
    size: pdf.length,
    content: pdf.toString('base64'),
  }
}
