/** Links, transactions, refunds and settlements. Specification part 2, "Payments v1". Amounts are integer cents. */
import { sql } from 'drizzle-orm'
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { Type } from '@sinclair/typebox'
import { CARD_NETWORKS, FAILURES } from '@suite-sim/kit/calls/testCards'
import {
  cents,
  choice,
  email,
  flag,
  freeObject,
  id,
  instant,
  integer,
  listOf,
  refersTo,
  states,
  table,
  text,
  textOf,
  url,
  withCreation,
  isOneOf,
} from '../storage/columns.ts'
import { oneOf } from '../storage/shapes.ts'
import { CURRENCIES, LARGEST_AMOUNT } from './amounts.ts'
import { linkMachine, refundMachine, settlementMachine, transactionMachine } from './machines.ts'

export const PAYMENT_METHODS = [...CARD_NETWORKS, 'wallet_1', 'wallet_2', 'ach'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

const amount = () => cents({ min: 1, max: LARGEST_AMOUNT })
/** Sums and fees. */
const total = () => cents({ min: 0 })
/** The specification shows no length. */
const description = () => text(500)
const reason = () => text(500)
const lastFour = () => textOf(() => Type.String({ pattern: '^\\d{4}$' }))

export const links = table(
  'payment_links',
  {
    /** null if the payer chooses the amount. */
    amount: amount().orNull(),
    currency: choice(CURRENCIES),
    description: description().orNull(),
    status: states(linkMachine).default('active'),
    paymentMethods: listOf(() => oneOf(PAYMENT_METHODS), { minItems: 1, uniqueItems: true }),
    logoUrl: url().orNull(),
    expiresAt: instant().orNull(),
    /** null if not specified. */
    maxPayments: integer(1).orNull(),
    reference: text(255).orNull(),
    metadata: freeObject(),
    paidAt: instant().orNull(),
    ...withCreation,
  },
  (self) => [
    index('payment_links_created').on(self.workspace, self.createdAt),
    // Finds the earliest expiry. Only active links can expire.
    index('payment_links_expiring')
      .on(self.workspace, self.expiresAt)
      .where(sql`${isOneOf(self.status, linkMachine.moves.expire.from)} and ${self.expiresAt} is not null`),
  ],
)

export const settlements = table(
  'payment_settlements',
  {
    amount: total(),
    fees: total(),
    netAmount: total(),
    currency: choice(CURRENCIES),
    transactionsCount: integer(0),
    status: states(settlementMachine).default('processing'),
    bankAccountLastFour: lastFour(),
    depositedAt: instant().orNull(),
    periodFrom: instant(),
    periodTo: instant(),
    ...withCreation,
  },
  (self) => [index('payment_settlements_created').on(self.workspace, self.createdAt)],
)

export const transactions = table(
  'payment_transactions',
  {
    linkId: refersTo(links).orNull(),
    amount: amount(),
    currency: choice(CURRENCIES),
    description: description().orNull(),
    status: states(transactionMachine),
    paymentMethod: choice(PAYMENT_METHODS),
    cardLastFour: lastFour().orNull(),
    customerName: text(200).orNull(),
    customerEmail: email().orNull(),
    /** The sum of its refunds, also of those in progress, so that no more than the payment is refunded. */
    refundedAmount: total().default(0),
    /** Why it failed: one of FAILURES. Only the event and the receipt include it. */
    failure: choice(FAILURES).orNull(),
    /** The id of the form, so that a form that is sent twice pays once. */
    attempt: textOf(() => Type.String({ pattern: '^[\\w-]{1,100}$' })).orNull(),
    settlementId: refersTo(settlements).orNull(),
    completedAt: instant().orNull(),
    ...withCreation,
  },
  (self) => [
    index('payment_transactions_created').on(self.workspace, self.createdAt, self.amount),
    // The transactions of a link in list order, and the number of its payments.
    index('payment_transactions_link').on(self.workspace, self.linkId, self.createdAt, self.status),
    uniqueIndex('payment_transactions_attempt')
      .on(self.workspace, self.attempt)
      .where(sql`${self.attempt} is not null`),
    // All columns that the revenue report sums.
    index('payment_transactions_completed')
      .on(
        self.workspace,
        self.paymentMethod,
        self.completedAt,
        self.amount,
        self.refundedAmount,
        self.currency,
      )
      .where(sql`${self.completedAt} is not null`),
    // The payments of the next settlement.
    index('payment_transactions_unsettled')
      .on(self.workspace, self.completedAt)
      .where(sql`${self.completedAt} is not null and ${self.settlementId} is null`),
  ],
)

export const refunds = table(
  'payment_refunds',
  {
    transactionId: refersTo(transactions, { cascade: true }),
    amount: amount(),
    status: states(refundMachine).default('processing'),
    reason: reason().orNull(),
    /** Why it failed. */
    failureReason: reason().orNull(),
    /** The settlement that deducted it or excluded it from its payments; null until then. */
    settlementId: refersTo(settlements).orNull(),
    /** The settlement that added it back, because it failed after the deduction. */
    returnedSettlementId: id().orNull(),
    /** Whether payment.refunded was sent for it, so that a change of the reading neither repeats nor loses the event. */
    announced: flag().default(true),
    createdAt: instant(),
    completedAt: instant().orNull(),
  },
  (self) => [
    index('payment_refunds_transaction').on(self.workspace, self.transactionId),
    // The refunds that the next settlement deducts.
    index('payment_refunds_unsettled')
      .on(self.workspace, self.transactionId)
      .where(sql`${self.settlementId} is null`),
  ],
)
