/** The tables of products, their plans, and activities. Specification part 1, "Product" and "Activity". */
import { sql } from 'drizzle-orm'
import { index } from 'drizzle-orm/sqlite-core'
import {
  choice,
  currency,
  decimal,
  money,
  filledText,
  flag,
  freeObject,
  id,
  instant,
  integer,
  isOneOf,
  refersTo,
  states,
  table,
  tableWithKey,
  text,
  url,
  withTimes,
} from '../storage/columns.ts'
import { activityMachine, productMachine } from './machines.ts'

export const PRODUCT_TYPES = ['physical', 'service', 'subscription', 'digital'] as const
export const ACTIVITY_TYPES = ['call', 'task', 'meeting', 'email', 'note', 'lunch', 'deadline'] as const
export const PRIORITIES = ['low', 'medium', 'high'] as const
export const ENTITY_TYPES = [
  'contact',
  'company',
  'deal',
  'product',
  'subscription',
  'booking',
  'quote',
  'order',
  'invoice',
] as const
export const BILLING_PERIODS = ['day', 'week', 'month', 'year'] as const
export const PLAN_STATUSES = ['active', 'archived'] as const

export const products = table(
  'catalog_products',
  {
    name: filledText(200),
    type: choice(PRODUCT_TYPES),
    category: text(100).orNull(),
    sku: text(50).orNull(),
    description: text().orNull(),
    basePrice: money().orNull(),
    currency: currency().orNull(),
    taxRate: decimal().orNull(),
    unit: text(20).orNull(),
    status: states(productMachine).default('active'),
    ownerId: id().orNull(),
    hasVariants: flag().default(false),
    metadata: freeObject(),
    sortOrder: integer().default(0),
    ...withTimes,
    deletedAt: instant().orNull(),
    /** The sort key of the name, without case and accents. */
    nameKey: text(),
    /** The search text: name, SKU and description without case and accents. */
    searchKey: text(),
    /** The sort key of the price, with padded digits so that strings sort like numbers; '' without a price. */
    priceKey: text(),
  },
  (self) => [
    index('catalog_products_created')
      .on(self.workspace, self.createdAt)
      .where(sql`${self.deletedAt} is null`),
  ],
)

export const productPlans = table(
  'catalog_product_plans',
  {
    productId: refersTo(products, { cascade: true }),
    name: filledText(200),
    price: money(),
    currency: currency(),
    billingPeriod: choice(BILLING_PERIODS).orNull(),
    billingInterval: integer(1, 1000).orNull(),
    trialDays: integer(0, 3650).default(0),
    status: choice(PLAN_STATUSES).default('active'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  (self) => [index('catalog_product_plans_product').on(self.workspace, self.productId)],
)

/** The id of a record, possibly of another product, so it has no length limit. */
const entityId = () => filledText()

export const activities = table(
  'catalog_activities',
  {
    title: filledText(200),
    type: choice(ACTIVITY_TYPES),
    description: text().orNull(),
    priority: choice(PRIORITIES).default('medium'),
    status: states(activityMachine).default('pending'),
    ownerId: id().orNull(),
    entityType: choice(ENTITY_TYPES).orNull(),
    entityId: entityId().orNull(),
    dueDate: instant().orNull(),
    durationMinutes: integer(1).orNull(),
    location: text().orNull(),
    meetingUrl: url().orNull(),
    notes: text().orNull(),
    completedAt: instant().orNull(),
    customData: freeObject(),
    ...withTimes,
    deletedAt: instant().orNull(),
    titleKey: text(),
    /** The search text: title and description without case and accents. */
    searchKey: text(),
    /** The sort key of the due date; an activity without one comes first. */
    dueKey: integer(),
  },
  (self) => [
    index('catalog_activities_created')
      .on(self.workspace, self.createdAt)
      .where(sql`${self.deletedAt} is null`),
    index('catalog_activities_falling_due')
      .on(self.workspace, self.dueDate)
      .where(
        sql`${isOneOf(self.status, activityMachine.moves.fall_due.from)} and ${self.deletedAt} is null and ${self.dueDate} is not null`,
      ),
  ],
)

/** The entities of activities: the main one and the attached ones. */
export const activityEntities = tableWithKey(
  'catalog_activity_entities',
  ['activityId', 'entityType', 'entityId'],
  {
    activityId: refersTo(activities, { cascade: true }),
    entityType: choice(ENTITY_TYPES),
    entityId: entityId(),
    /** "deal:42", for finding the activities of one entity. */
    entityKey: text(),
    main: flag(),
  },
  (self) => [index('catalog_activity_entities_entity').on(self.workspace, self.entityKey, self.activityId)],
)
