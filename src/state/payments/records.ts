/** The tables of payments, parents before children. Amounts are whole cents. */
import type { RecordSet } from '../storage/records/records.ts'
import { links } from './links.ts'
import { refunds } from './refunds.ts'
import { settlements } from './settlements.ts'
import { transactions } from './transactions.ts'

export const paymentRecords: readonly RecordSet[] = [links, settlements, transactions, refunds]
