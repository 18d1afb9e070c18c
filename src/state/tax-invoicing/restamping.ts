/**
 * The XML of invoices and receipts. Those that came with a snapshot, or with the demo, without one are stamped when it is
 * first asked for: a fixture can't seal anything. The same record always gives the same bytes, for the seals have no
 * chance in them.
 */
import { invoices, stampedXml, type Invoice } from './invoices.ts'
import { globalOf } from './issuing.ts'
import { paymentsElement } from './payments.ts'
import { documentsOf, receipts } from './receipts.ts'
import { localTime, stampedAt } from './stamping.ts'
import type { Workspace } from '../workspace.ts'
import type { Element } from './xml.ts'

export const xmlOf = (workspace: Workspace, invoice: Invoice): string =>
  stampedXml.find(workspace, invoice.id)?.xml ?? restamped(workspace, invoice)

function restamped(workspace: Workspace, invoice: Invoice): string {
  const { uuid, type, receptor, stampedAt: instant } = invoice
  const xml = stampedAt(instant, uuid, {
    ...invoice,
    global: globalOf(type, receptor, localTime(instant)),
    complement: complementOf(workspace, invoice),
  })
  workspace.write(() => {
    // It may have been removed while an archive of many was made.
    if (invoices.find(workspace, invoice.id)) stampedXml.insert(workspace, { id: invoice.id, xml })
  })
  return xml
}

function complementOf(workspace: Workspace, { id, type }: Invoice): Element | null {
  if (type !== 'P') return null
  const documents = documentsOf(workspace, id).map((document) => ({
    ...document,
    invoice: invoices.get(workspace, document.invoiceId),
  }))
  return paymentsElement(receipts.get(workspace, id), documents)
}
