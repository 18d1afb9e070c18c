/** Pieces of wire shapes that the records of the payments interface share. Specification part 2, "Payments v1". */
import { Type, type IntegerOptions, type SchemaOptions, type StringOptions } from '@sinclair/typebox'
import { OneOf, SentEnd, SentInstant } from '../../../http/schemas.ts'
import { pageQueryOf } from '../../../http/wireShapes.ts'
import { AMOUNT_RULE, LARGEST_AMOUNT } from '../../../state/payments/amounts.ts'
import { CURRENCIES, PAYMENT_METHODS } from '../../../state/payments/tables.ts'

export const pageQuery = pageQueryOf(20)

/** The first and the last moment of a list; both belong to it. */
export const spanQuery = {
  from: Type.Optional(
    SentInstant({ description: 'Created at this moment or later.', examples: ['2026-11-01T00:00:00Z'] }),
  ),
  to: Type.Optional(
    SentEnd({
      description: 'Created up to this moment, which is part of it.',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
}

/** Which of its kind in the demo workspace an example names; the first unless that one can't be changed. */
const DEMO_NUMBERS: Readonly<Record<string, number>> = {
  // Active.
  pl_: 3,
  // Completed, and not refunded.
  txn_: 11,
}

/** The id of a record of the demo workspace, so that examples can be sent as they stand. */
export const demoId = (prefix: string): string =>
  `${prefix}demo${String(DEMO_NUMBERS[prefix] ?? 1).padStart(16, '0')}`

/** An id such as "pl_4kQ2nC8vT1sYx0ZbRj7m". */
export const Id = (prefix: string, options: SchemaOptions = {}) =>
  Type.String({ examples: [demoId(prefix)], ...options })

/** An amount that is sent: "100", 1.5, 0 and -1 break one and the same rule. */
export const SentAmount = (options: IntegerOptions = {}) =>
  Type.Integer({
    minimum: 1,
    maximum: LARGEST_AMOUNT,
    'x-rule': `${AMOUNT_RULE}, at most ${String(LARGEST_AMOUNT)}`,
    examples: [12500],
    ...options,
  })

/** An amount or a sum of amounts that is answered. */
export const Cents = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: 0, description: 'In cents.', examples: [12500], ...options })

export const PaymentCurrency = (options: StringOptions = {}) =>
  OneOf(CURRENCIES, { examples: ['USD'], ...options })

export const Method = (options: StringOptions = {}) =>
  OneOf(PAYMENT_METHODS, { examples: ['network_1'], ...options })
