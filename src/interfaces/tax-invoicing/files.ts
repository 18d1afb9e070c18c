/** The files of an invoice: the XML that was stamped, and its printed form. */
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { filenames } from '../../http/filenames.ts'
import { stampedXml, type Invoice } from '../../state/tax-invoicing/invoices.ts'
import type { Workspace } from '../../state/workspace.ts'

export const XmlFile = Type.Unsafe<string>({
  type: 'string',
  contentMediaType: 'application/xml',
  description: 'A CFDI 4.0 with its seal and its stamp.',
})

/** "EKU9003173C9_A12_5F6B7C8D-2A3B-4C4D-8E5F-000000000001.xml" */
export const fileName = ({ emisor, serie, folio, uuid }: Invoice, extension: string): string =>
  `${emisor.rfc}_${serie}${String(folio)}_${uuid}.${extension}`

export function answerXml(workspace: Workspace, invoice: Invoice, reply: FastifyReply): string {
  const { xml } = stampedXml.get(workspace, invoice.id)
  void reply
    .type('application/xml')
    .header('content-disposition', `attachment; ${filenames(fileName(invoice, 'xml'))}`)
  return xml
}
