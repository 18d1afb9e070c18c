/** Links, transactions, refunds and settlements. Specification part 2, "Payments v1". Amounts are integer cents. */
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { CARD_NETWORKS } from '../shared/cards.ts'
import { changing, isOneOf, scoped } from '../storage/columns.ts'
import { linkMachine, refundMachine, settlementMachine, transactionMachine } from './machines.ts'

export const CURRENCIES = ['USD', 'PAB'] as const
export const PAYMENT_METHODS = [...CARD_NETWORKS, 'wallet_1', 'wallet_2', 'ach'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export const links = sqliteTable(
  'payment_links',
  {
    ...scoped,
    /** null if the payer chooses the amount. */
    amount: integer(),
    currency: text({ enum: CURRENCIES }).notNull(),
    description: text(),
    status: text({ enum: linkMachine.states }).notNull().default('active'),
    paymentMethods: text('payment_methods', { mode: 'json' }).$type<readonly PaymentMethod[]>().notNull(),
    logoUrl: text('logo_url'),
    expiresAt: integer('expires_at'),
    /** null if not specified. */
    maxPayments: integer('max_payments'),
    reference: text(),
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    paidAt: integer('paid_at'),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('payment_links_created').on(table.workspace, table.createdAt),
    // Finds the earliest expiry. Only active links can expire.
    index('payment_links_expiring')
      .on(table.workspace, table.expiresAt)
      .where(sql`${isOneOf(table.status, linkMachine.moves.expire.from)} and ${table.expiresAt} is not null`),
  ],
)

export const settlements = sqliteTable(
  'payment_settlements',
  {
    ...scoped,
    amount: integer().notNull(),
    fees: integer().notNull(),
    netAmount: integer('net_amount').notNull(),
    currency: text({ enum: CURRENCIES }).notNull(),
    transactionsCount: integer('transactions_count').notNull(),
    status: text({ enum: settlementMachine.states }).notNull().default('processing'),
    bankAccountLastFour: text('bank_account_last_four').notNull(),
    depositedAt: integer('deposited_at'),
    periodFrom: integer('period_from').notNull(),
    periodTo: integer('period_to').notNull(),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('payment_settlements_created').on(table.workspace, table.createdAt),
  ],
)

export const transactions = sqliteTable(
  'payment_transactions',
  {
    ...scoped,
    linkId: text('link_id'),
    amount: integer().notNull(),
    currency: text({ enum: CURRENCIES }).notNull(),
    description: text(),
    status: text({ enum: transactionMachine.states }).notNull(),
    paymentMethod: text('payment_method', { enum: PAYMENT_METHODS }).notNull(),
    cardLastFour: text('card_last_four'),
    customerName: text('customer_name'),
    customerEmail: text('customer_email'),
    /** The sum of its refunds. */
    refundedAmount: integer('refunded_amount').notNull().default(0),
    /** Why it failed: one of FAILURES. Only the event and the receipt include it. */
    failure: text(),
    /** The id of the form, so that a form that is sent twice pays once. */
    attempt: text(),
    settlementId: text('settlement_id'),
    completedAt: integer('completed_at'),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('payment_transactions_created').on(table.workspace, table.createdAt, table.amount),
    // The transactions of a link in list order, and the number of its payments.
    index('payment_transactions_link').on(table.workspace, table.linkId, table.createdAt, table.status),
    uniqueIndex('payment_transactions_attempt')
      .on(table.workspace, table.attempt)
      .where(sql`${table.attempt} is not null`),
    // All columns that the revenue report sums.
    index('payment_transactions_completed')
      .on(
        table.workspace,
        table.paymentMethod,
        table.completedAt,
        table.amount,
        table.refundedAmount,
        table.currency,
      )
      .where(sql`${table.completedAt} is not null`),
    // The payments of the next settlement.
    index('payment_transactions_unsettled')
      .on(table.workspace, table.completedAt)
      .where(sql`${table.completedAt} is not null and ${table.settlementId} is null`),
    foreignKey({
      columns: [table.workspace, table.linkId],
      foreignColumns: [links.workspace, links.id],
    }),
    foreignKey({
      columns: [table.workspace, table.settlementId],
      foreignColumns: [settlements.workspace, settlements.id],
    }),
  ],
)

export const refunds = sqliteTable(
  'payment_refunds',
  {
    ...scoped,
    transactionId: text('transaction_id').notNull(),
    amount: integer().notNull(),
    status: text({ enum: refundMachine.states }).notNull().default('processing'),
    reason: text(),
    /** Why it failed. */
    failureReason: text('failure_reason'),
    /** The settlement that deducted it or excluded it from its payments; null until then. */
    settlementId: text('settlement_id'),
    /** The settlement that added it back, because it failed after the deduction. */
    returnedSettlementId: text('returned_settlement_id'),
    createdAt: integer('created_at').notNull(),
    completedAt: integer('completed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('payment_refunds_transaction').on(table.workspace, table.transactionId),
    // The refunds that the next settlement deducts.
    index('payment_refunds_unsettled')
      .on(table.workspace, table.transactionId)
      .where(sql`${table.settlementId} is null`),
    foreignKey({
      columns: [table.workspace, table.settlementId],
      foreignColumns: [settlements.workspace, settlements.id],
    }),
    foreignKey({
      columns: [table.workspace, table.transactionId],
      foreignColumns: [transactions.workspace, transactions.id],
    }).onDelete('cascade'),
  ],
)
