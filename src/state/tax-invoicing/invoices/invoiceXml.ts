/**
 * The XML of invoices and receipts. Records of snapshots and fixtures have no XML, so they are stamped on the first read. The
 * same record always gives the same bytes, because the seals are deterministic.
 */
import { invoices, stampedXml, type Invoice } from './invoices.ts'
import { paymentsElement } from '../xml/payments.ts'
import { documentsOf, receipts } from './receipts.ts'
import { stampAsOf } from '../xml/stamping.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Element } from '../xml/xml.ts'

export const xmlOf = (workspace: Workspace, invoice: Invoice): string =>
  stampedXml.find(workspace, invoice.id)?.xml ?? restamp(workspace, invoice)

function restamp(workspace: Workspace, invoice: Invoice): string {
  const xml = stampAsOf(invoice.stampedAt, invoice.uuid, {
    ...invoice,
    complement: complementOf(workspace, invoice),
  })
  workspace.write(() => {
    // The invoice may have been deleted while an archive was being created.
    if (invoices.find(workspace, invoice.id)) stampedXml.insert(workspace, { id: invoice.id, xml })
  })
  return xml
}

function complementOf(workspace: Workspace, { id, type }: Invoice): Element | null {
  if (type !== 'P') return null
  const documents = documentsOf.of(workspace, id).map((document) => ({
    ...document,
    invoice: invoices.get(workspace, document.invoiceId),
  }))
  return paymentsElement(receipts.get(workspace, id), documents)
}
