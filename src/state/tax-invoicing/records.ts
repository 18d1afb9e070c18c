/** The tables of tax invoicing, parents before children. */
import type { RecordSet } from '../storage/records/records.ts'
import { cancellations } from './invoices/cancellations.ts'
import { certificates } from './xml/certificates.ts'
import { clients } from './masterData/clients.ts'
import { invoices, stampedXml } from './invoices/invoices.ts'
import { products } from './masterData/products.ts'
import { receiptDocuments, receipts } from './invoices/receipts.ts'
import { series } from './documents/series.ts'
import { taxpayers } from './taxpayers/taxpayers.ts'

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
