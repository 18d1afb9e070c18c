/**
 * Products, customers, links and charges of a project. Specification part 2, "Integration payments". Amounts are
 * integer cents. A workspace is one project.
 */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  cents,
  choice,
  currency,
  email,
  filledText,
  flag,
  freeObject,
  id,
  instant,
  integer,
  isOneOf,
  listOf,
  refersTo,
  states,
  table,
  text,
  textOf,
  withTimes,
} from '../storage/columns.ts'
import { oneOf } from '../storage/shapes.ts'
import { MAX_URL_LENGTH } from '@suite-sim/kit/text/parseUrl'
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
  cardLast4: textOf(() => Type.String({ pattern: '^\\d{4}$' })).orNull(),
  cardBrand: filledText(40).orNull(),
  cardBin: textOf(() => Type.String({ pattern: '^\\d{6,8}$' })).orNull(),
  /** MMYY. */
  cardExp: textOf(() => Type.String({ pattern: '^(0[1-9]|1[0-2])\\d{2}$' })).orNull(),
}

const amount = () => cents({ min: 0 })
const customerName = () => filledText(120)
/** A browser must not be redirected to other schemes. */
const redirectUrl = () =>
  textOf(() => Type.String({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:', maxLength: MAX_URL_LENGTH }))

export const products = table(
  'integration_products',
  {
    productCode: filledText(100),
    name: filledText(200),
    description: text(2000).orNull(),
    paymentType: choice(PAYMENT_TYPES),
    /** true only for one_time products: an addon, charged on an active subscription. */
    requiresSubscription: flag(),
    price: amount(),
    currency: currency(),
    billingPeriod: choice(BILLING_PERIODS).orNull(),
    billingInterval: integer(1, 1000).orNull(),
    status: choice(PRODUCT_STATUSES).default('active'),
    ...withTimes,
  },
  (self) => [
    uniqueIndex('integration_products_code').on(self.workspace, self.productCode),
    index('integration_products_created').on(self.workspace, self.createdAt),
  ],
)

export const customers = table(
  'integration_customers',
  {
    name: customerName(),
    /** null only if a snapshot says so. */
    email: email().orNull(),
    phone: text(40).orNull(),
    status: choice(CUSTOMER_STATUSES).default('active'),
    paymentProvider: choice(PROCESSORS).orNull(),
    /** The specification shows no length. */
    customerVaultId: filledText(200).orNull(),
    ...cardColumns,
    ...withTimes,
  },
  (self) => [index('integration_customers_created').on(self.workspace, self.createdAt)],
)

export const links = table(
  'integration_links',
  {
    /** The last segment of its address. It cannot be guessed. */
    hashUrl: textOf(() => Type.String({ pattern: '^[\\w-]{1,100}$' })),
    linkType: choice(LINK_TYPES),
    status: states(linkMachine).default('pending'),
    customerName: customerName(),
    /** The name without case and accents, for search. */
    nameKey: text(),
    customerEmail: email().orNull(),
    /** null for a collection link, like amount and productCode. */
    concept: filledText(250).orNull(),
    amount: amount().orNull(),
    currency: currency(),
    productCode: filledText(100).orNull(),
    isTest: flag(),
    /** null if none were specified. */
    paymentMethods: listOf(() => oneOf(LINK_METHODS), { minItems: 1 }).orNull(),
    requestCustomerEmail: flag(),
    redirectUrl: redirectUrl().orNull(),
    /** null if none was sent. */
    metadata: freeObject().orNull(),
    /** The payment method; null before the payment if several are possible. */
    paymentProvider: choice(LINK_METHODS).orNull(),
    /** The card of the payment. */
    ...cardColumns,
    orderId: id().orNull(),
    customerId: refersTo(customers).orNull(),
    expiresAt: instant(),
    completedAt: instant().orNull(),
    cancelledAt: instant().orNull(),
    ...withTimes,
  },
  (self) => [
    uniqueIndex('integration_links_hash').on(self.workspace, self.hashUrl),
    index('integration_links_created').on(self.workspace, self.createdAt),
    index('integration_links_expiring')
      .on(self.workspace, self.expiresAt)
      .where(sql`${isOneOf(self.status, linkMachine.moves.expire.from)}`),
  ],
)

export const charges = table(
  'integration_charges',
  {
    orderId: id(),
    linkId: id().orNull(),
    customerId: refersTo(customers),
    productCode: filledText(100),
    concept: filledText(250),
    amount: amount(),
    currency: currency(),
    paymentProvider: choice(PROCESSORS),
    cardBrand: cardColumns.cardBrand,
    cardLast4: cardColumns.cardLast4,
    isTest: flag(),
    createdAt: instant(),
  },
  (self) => [index('integration_charges_customer').on(self.workspace, self.customerId)],
)
