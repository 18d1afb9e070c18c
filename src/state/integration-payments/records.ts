/** The tables of integration payments, parents before children. Amounts are integer cents. */
import type { RecordSet } from '../storage/records/records.ts'
import { charges } from './completion.ts'
import { customers } from './customers.ts'
import { links } from './links.ts'
import { products } from './products.ts'

export const integrationPaymentRecords: readonly RecordSet[] = [products, customers, links, charges]
