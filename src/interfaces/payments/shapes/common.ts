/** Parts that the schemas of payments share. Specification part 2, "Payments v1". */
import { Type, type IntegerOptions, type SchemaOptions, type StringOptions } from '@sinclair/typebox'
import { documentedLimits, OneOf, SentEnd, SentInstant } from '../../../http/schemas/schemas.ts'
import { pageQueryOf } from '../../../http/schemas/wireShapes.ts'
import { CURRENCIES, AMOUNT_RULE, LARGEST_AMOUNT } from '../../../state/payments/amounts.ts'
import { PAYMENT_METHODS } from '../../../state/payments/tables.ts'

export const pageQuery = pageQueryOf(20, { sizes: ['maximum'], first: true })

/** The bounds of a list, both inclusive. */
export const spanQuery = {
  from: Type.Optional(
    SentInstant({ description: 'Created at this time or later.', examples: ['2026-11-01T00:00:00Z'] }),
  ),
  to: Type.Optional(
    SentEnd({
      description: 'Created at this time or earlier.',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
}

/** The record of the demo workspace that an example uses, by its number. Default is 1. These replace records that cannot be changed. */
const DEMO_NUMBERS: Readonly<Record<string, number>> = {
  // Active.
  pl_: 3,
  // Completed, and not refunded.
  txn_: 11,
}

/** Returns the id of a record of the demo workspace, so that the examples work unchanged. */
export const demoId = (prefix: string): string =>
  `${prefix}demo${String(DEMO_NUMBERS[prefix] ?? 1).padStart(16, '0')}`

/** An id such as "pl_4kQ2nC8vT1sYx0ZbRj7m". */
export const Id = (prefix: string, options: SchemaOptions = {}) =>
  Type.String({ examples: [demoId(prefix)], ...options })

/** The schema of a sent amount. "100", 1.5, 0, -1 and null all violate the same rule. */
export const SentAmount = (options: IntegerOptions = {}) =>
  Type.Integer({
    minimum: 1,
    maximum: LARGEST_AMOUNT,
    ...documentedLimits('minimum'),
    'x-rule': AMOUNT_RULE,
    examples: [12500],
    ...options,
  })

/** The schema of an amount in a response. */
export const Cents = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: 0, description: 'In cents.', examples: [12500], ...options })

export const PaymentCurrency = (options: StringOptions = {}) =>
  OneOf(CURRENCIES, { examples: ['USD'], ...options })

export const Method = (options: StringOptions = {}) =>
  OneOf(PAYMENT_METHODS, { examples: ['network_1'], ...options })
