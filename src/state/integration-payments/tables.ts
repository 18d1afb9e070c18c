/**
 * Products, customers, links and charges of a project. Specification part 2, "Integration payments". Amounts are
 * integer cents. A workspace is one project.
 */
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
import { isOneOf, scoped, stamped } from '../storage/columns.ts'
import { linkMachine } from './machines.ts'

export const PAYMENT_TYPES = ['one_time', 'recurring'] as const
export const BILLING_PERIODS = ['day', 'week', 'month', 'year'] as const
export const PRODUCT_STATUSES = ['active', 'inactive', 'archived'] as const
export const CUSTOMER_STATUSES = ['active', 'inactive'] as const
export const PROCESSORS = ['processor_a', 'processor_b'] as const
/** A collection link captures a card; a payment link charges and captures. The interface creates no one_time links. */
export const LINK_TYPES = ['one_time', 'customer_collection', 'customer_payment'] as const
export const LINK_METHODS = ['card', 'wallet_1'] as const

/** The display data of a card. The full number is never stored. */
const cardColumns = {
  cardLast4: text('card_last4'),
  cardBrand: text('card_brand'),
  cardBin: text('card_bin'),
  /** MMYY. */
  cardExp: text('card_exp'),
}

export const products = sqliteTable(
  'integration_products',
  {
    ...scoped,
    productCode: text('product_code').notNull(),
    name: text().notNull(),
    description: text(),
    paymentType: text('payment_type', { enum: PAYMENT_TYPES }).notNull(),
    /** true only for one_time products: an addon, charged on an active subscription. */
    requiresSubscription: integer('requires_subscription', { mode: 'boolean' }).notNull(),
    price: integer().notNull(),
    currency: text().notNull(),
    billingPeriod: text('billing_period', { enum: BILLING_PERIODS }),
    billingInterval: integer('billing_interval'),
    status: text({ enum: PRODUCT_STATUSES }).notNull().default('active'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('integration_products_code').on(table.workspace, table.productCode),
    index('integration_products_created').on(table.workspace, table.createdAt),
  ],
)

export const customers = sqliteTable(
  'integration_customers',
  {
    ...scoped,
    name: text().notNull(),
    /** null only if a snapshot says so. */
    email: text(),
    phone: text(),
    status: text({ enum: CUSTOMER_STATUSES }).notNull().default('active'),
    paymentProvider: text('payment_provider', { enum: PROCESSORS }),
    customerVaultId: text('customer_vault_id'),
    ...cardColumns,
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('integration_customers_created').on(table.workspace, table.createdAt),
  ],
)

export const links = sqliteTable(
  'integration_links',
  {
    ...scoped,
    /** The last segment of its address. It cannot be guessed. */
    hashUrl: text('hash_url').notNull(),
    linkType: text('link_type', { enum: LINK_TYPES }).notNull(),
    status: text({ enum: linkMachine.states }).notNull().default('pending'),
    customerName: text('customer_name').notNull(),
    /** The name without case and accents, for search. */
    nameKey: text('name_key').notNull(),
    customerEmail: text('customer_email'),
    /** null for a collection link, like amount and productCode. */
    concept: text(),
    amount: integer(),
    currency: text().notNull(),
    productCode: text('product_code'),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** null if none were specified. */
    paymentMethods: text('payment_methods', { mode: 'json' }).$type<
      readonly (typeof LINK_METHODS)[number][]
    >(),
    requestCustomerEmail: integer('request_customer_email', { mode: 'boolean' }).notNull(),
    redirectUrl: text('redirect_url'),
    /** null if none was sent. */
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    /** The payment method; null before the payment if several are possible. */
    paymentProvider: text('payment_provider', { enum: LINK_METHODS }),
    /** The card of the payment. */
    ...cardColumns,
    orderId: text('order_id'),
    customerId: text('customer_id'),
    expiresAt: integer('expires_at').notNull(),
    completedAt: integer('completed_at'),
    cancelledAt: integer('cancelled_at'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('integration_links_hash').on(table.workspace, table.hashUrl),
    index('integration_links_created').on(table.workspace, table.createdAt),
    index('integration_links_expiring')
      .on(table.workspace, table.expiresAt)
      .where(sql`${isOneOf(table.status, linkMachine.moves.expire.from)}`),
    foreignKey({
      columns: [table.workspace, table.customerId],
      foreignColumns: [customers.workspace, customers.id],
    }),
  ],
)

export const charges = sqliteTable(
  'integration_charges',
  {
    ...scoped,
    orderId: text('order_id').notNull(),
    linkId: text('link_id'),
    customerId: text('customer_id').notNull(),
    productCode: text('product_code').notNull(),
    concept: text().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    paymentProvider: text('payment_provider', { enum: PROCESSORS }).notNull(),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('integration_charges_customer').on(table.workspace, table.customerId),
    foreignKey({
      columns: [table.workspace, table.customerId],
      foreignColumns: [customers.workspace, customers.id],
    }),
  ],
)
