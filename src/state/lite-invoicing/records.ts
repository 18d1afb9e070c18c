/** The tables of lite invoicing. */
import type { RecordSet } from '../storage/records/records.ts'
import { invoices } from './invoices.ts'
import { taxpayers } from './taxpayers.ts'

export const liteInvoicingRecords: readonly RecordSet[] = [taxpayers, invoices]
