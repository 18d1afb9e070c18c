/**
 * The registry of taxpayers and the invoices of a company. Specification part 2, "Lite invoicing". Amounts are decimal
 * strings such as "12.50". A workspace is one company.
 */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { changing, scoped } from '../storage/columns.ts'
import { invoiceMachine } from './machines.ts'
import type { TaxpayerType } from './ruc.ts'

/** 01 taxpayer, 02 final consumer, 03 government entity, 04 foreigner. */
export const RECEIVER_TYPES = ['01', '02', '03', '04'] as const
export type ReceiverType = (typeof RECEIVER_TYPES)[number]

/** The tax authority's codes of ITBMS, with their rates in percent. */
export const ITBMS_RATES = { '00': 0, '01': 7, '02': 10, '03': 15 } as const
export type TaxCode = keyof typeof ITBMS_RATES

/** The tax authority's codes of payment types. */
export const PAYMENT_TYPES = {
  '01': 'Credit',
  '02': 'Cash',
  '03': 'Credit card',
  '04': 'Debit card',
  '05': 'Loyalty card',
  '06': 'Voucher',
  '07': 'Gift card',
  '08': 'Transfer or deposit',
  '09': 'Cheque',
  '10': 'Point of payment',
  '99': 'Other',
} as const
export type PaymentType = keyof typeof PAYMENT_TYPES

/** The recipient of an invoice. Fields that its type does not use are null. */
export interface Recipient {
  readonly receiverType: ReceiverType
  readonly name: string
  readonly taxId: string | null
  readonly taxDv: number | null
  readonly taxIdType: TaxpayerType | null
  readonly foreignTaxId: string | null
  readonly passport: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  readonly email: string | null
}

export interface Item {
  readonly description: string
  readonly qty: string
  readonly price: string
  readonly taxCode: TaxCode
  /** qty times price, without tax. */
  readonly amount: string
  readonly tax: string
}

export interface Payment {
  readonly type: PaymentType
  readonly amount: string
}

export const taxpayers = sqliteTable(
  'lite_taxpayers',
  {
    ...scoped,
    ruc: text().notNull(),
    name: text().notNull(),
    type: integer().$type<TaxpayerType>().notNull(),
    /** Derived from the RUC. */
    dv: integer().notNull(),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('lite_taxpayers_ruc').on(table.workspace, table.ruc),
  ],
)

export const invoices = sqliteTable(
  'lite_invoices',
  {
    /** The id is the number as a string. */
    ...scoped,
    /** 1, 2, 3 ... The wire calls it `id`. */
    number: integer().notNull(),
    branchId: text('branch_id').notNull(),
    cufe: text().notNull(),
    status: text({ enum: invoiceMachine.states }).notNull().default('authorized'),
    recipient: text({ mode: 'json' }).$type<Recipient>().notNull(),
    items: text({ mode: 'json' }).$type<readonly Item[]>().notNull(),
    payments: text({ mode: 'json' }).$type<readonly Payment[]>().notNull(),
    subTotal: text('sub_total').notNull(),
    taxTotal: text('tax_total').notNull(),
    total: text().notNull(),
    canceledAt: integer('canceled_at'),
    /** The reason for the cancellation; null if the invoice is active or the request had no reason. */
    reason: text(),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('lite_invoices_number').on(table.workspace, table.number),
    uniqueIndex('lite_invoices_cufe').on(table.workspace, table.cufe),
  ],
)
