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
import { scoped, stamped } from '../columns.ts'
import { linkMachine } from './machines.ts'

export const PAYMENT_TYPES = ['one_time', 'recurring'] as const
export const BILLING_PERIODS = ['day', 'week', 'month', 'year'] as const
export const PRODUCT_STATUSES = ['active', 'inactive', 'archived'] as const
export const CUSTOMER_STATUSES = ['active', 'inactive'] as const
export const PROCESSORS = ['processor_a', 'processor_b'] as const
/** A collection link captures a card; a payment link charges and captures; one_time is made elsewhere. */
export const LINK_TYPES = ['one_time', 'customer_collection', 'customer_payment'] as const
export const LINK_METHODS = ['card', 'wallet_1'] as const

/** What may be kept of a card: display only, never its digits. */
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
    /** Only for one_time: an addon, charged on an active subscription. */
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
    /** null only for one whose link named none. */
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
    /** What its address ends in; nobody can guess it. */
    hashUrl: text('hash_url').notNull(),
    linkType: text('link_type', { enum: LINK_TYPES }).notNull(),
    status: text({ enum: linkMachine.states }).notNull().default('pending'),
    customerName: text('customer_name').notNull(),
    /** The name without case and accents, for search. */
    nameKey: text('name_key').notNull(),
    customerEmail: text('customer_email'),
    /** null for a collection link, and so are the amount and the product. */
    concept: text(),
    amount: integer(),
    currency: text().notNull(),
    productCode: text('product_code'),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** null where nothing was said. */
    paymentMethods: text('payment_methods', { mode: 'json' }).$type<
      readonly (typeof LINK_METHODS)[number][]
    >(),
    requestCustomerEmail: integer('request_customer_email', { mode: 'boolean' }).notNull(),
    redirectUrl: text('redirect_url'),
    /** null where none was sent. */
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    /** What it is paid with; null before the payment where it may be either. */
    paymentProvider: text('payment_provider', { enum: LINK_METHODS }),
    /** The card that a payment being processed is made with, and what the checkout was told of the payer. */
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
      .where(sql`${table.status} = 'pending'`),
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
