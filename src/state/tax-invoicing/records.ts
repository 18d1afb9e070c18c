/** The tables of tax invoicing, parents before children. */
import type { RecordSet } from '../storage/records/records.ts'
import { cancellations } from './cancellations.ts'
import { certificates } from './certificates.ts'
import { clients } from './clients.ts'
import { invoices, stampedXml } from './invoices.ts'
import { products } from './products.ts'
import { receiptDocuments, receipts } from './receipts.ts'
import { series } from './series.ts'
import { taxpayers } from './taxpayers.ts'

export const taxInvoicingRecords: readonly RecordSet[] = [
  certificates,
  taxpayers,
  series,
  invoices,
  stampedXml,
  cancellations,
  receipts,
  receiptDocuments,
  clients,
  products,
]
