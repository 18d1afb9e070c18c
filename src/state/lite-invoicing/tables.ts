/**
 * The registry of taxpayers and the invoices of a company. Specification part 2, "Lite invoicing". Amounts are decimal
 * strings such as "12.50". A workspace is one company.
 */
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { CUFE_PATTERN } from '../shared/cufe.ts'
import { TAXPAYER_TYPES, type TaxpayerType } from '../shared/ruc.ts'
import {
  money,
  filledText,
  instant,
  integer,
  listOf,
  json,
  states,
  table,
  textOf,
  withCreation,
} from '../storage/columns.ts'
import * as shapes from '../storage/shapes.ts'
import { invoiceMachine } from './machines.ts'

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

/** Lengths in characters (assumed). */
export const LONGEST_FOREIGN_ID = 50
export const LONGEST_DESCRIPTION = 500
const LONGEST_NAME = 255
const LONGEST_RUC = 30

/** A check digit has one or two digits. */
const DV = [0, 99] as const

const closed = <Of extends TProperties>(properties: Of) =>
  Type.Object(properties, { additionalProperties: false })

const recipient = () =>
  closed({
    receiverType: shapes.oneOf(RECEIVER_TYPES),
    name: shapes.text(LONGEST_NAME),
    taxId: shapes.orNone(shapes.text(LONGEST_RUC)),
    taxDv: shapes.orNone(shapes.whole(...DV)),
    taxIdType: shapes.orNone(Type.Unsafe<TaxpayerType>(shapes.whole(...TAXPAYER_TYPES))),
    foreignTaxId: shapes.orNone(shapes.text(LONGEST_FOREIGN_ID)),
    passport: shapes.orNone(shapes.text(LONGEST_FOREIGN_ID)),
    country: shapes.orNone(shapes.countryCode()),
    email: shapes.orNone(shapes.email()),
  })

/** The recipient of an invoice. Fields that its type does not use are null. */
export type Recipient = Readonly<Static<ReturnType<typeof recipient>>>

const item = () =>
  closed({
    description: shapes.text(LONGEST_DESCRIPTION),
    qty: Type.String({ pattern: '^(?!0{1,15}(\\.0{1,6})?$)\\d{1,15}(\\.\\d{1,6})?$' }),
    price: shapes.decimal(),
    taxCode: shapes.oneOf(Object.keys(ITBMS_RATES) as TaxCode[]),
    /** qty times price, without tax. */
    amount: shapes.decimal(),
    tax: shapes.decimal(),
  })

export type Item = Readonly<Static<ReturnType<typeof item>>>

const payment = () =>
  closed({ type: shapes.oneOf(Object.keys(PAYMENT_TYPES) as PaymentType[]), amount: shapes.decimal() })

export type Payment = Readonly<Static<ReturnType<typeof payment>>>

export const taxpayers = table(
  'lite_taxpayers',
  {
    ruc: textOf(() => Type.String({ minLength: 1, maxLength: LONGEST_RUC })),
    name: filledText(LONGEST_NAME),
    type: integer(...TAXPAYER_TYPES),
    /** Derived from the RUC and its type. */
    dv: integer(...DV),
    ...withCreation,
  },
  (self) => [uniqueIndex('lite_taxpayers_ruc').on(self.workspace, self.ruc, self.type)],
)

export const invoices = table(
  'lite_invoices',
  {
    /** The number as a string. */
    id: textOf(() => Type.String({ pattern: '^[1-9]\\d{0,9}$' })),
    /** 1, 2, 3 ... The wire calls it `id`. */
    number: integer(1, 9_999_999_999),
    branchId: filledText(40),
    cufe: textOf(() => Type.String({ pattern: CUFE_PATTERN })),
    status: states(invoiceMachine).default('authorized'),
    recipient: json<Recipient>(recipient),
    items: listOf(item, { minItems: 1, maxItems: 1000 }),
    payments: listOf(payment, { minItems: 1, maxItems: 20 }),
    subTotal: money(),
    taxTotal: money(),
    total: money(),
    canceledAt: instant().orNull(),
    /** The reason for the cancellation; null if the invoice is active or the request had no reason. */
    reason: textOf(() => Type.String({ minLength: 15, maxLength: 255, pattern: '\\S' })).orNull(),
    ...withCreation,
  },
  (self) => [
    index('lite_invoices_number').on(self.workspace, self.number),
    uniqueIndex('lite_invoices_cufe').on(self.workspace, self.cufe),
  ],
)
