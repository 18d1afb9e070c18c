/** The tables of products, their plans, and activities. Specification part 1, "Product" and "Activity". */
import { isOneOf } from '../storage/columns.ts'
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  type AnySQLiteColumn,
} from 'drizzle-orm/sqlite-core'
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

export const products = sqliteTable(
  'catalog_products',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    type: text({ enum: PRODUCT_TYPES }).notNull(),
    category: text(),
    sku: text(),
    description: text(),
    basePrice: text('base_price'),
    currency: text(),
    taxRate: text('tax_rate'),
    unit: text(),
    status: text({ enum: productMachine.states }).notNull().default('active'),
    ownerId: text('owner_id'),
    hasVariants: integer('has_variants', { mode: 'boolean' }).notNull().default(false),
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    sortOrder: integer('sort_order').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
    /** The sort key of the name, without case and accents. */
    nameKey: text('name_key').notNull(),
    /** The search text: name, SKU and description without case and accents. */
    searchKey: text('search_key').notNull(),
    /** The sort key of the price, with padded digits so that strings sort like numbers; '' without a price. */
    priceKey: text('price_key').notNull(),
    revision: integer().notNull(),
  },
  (table) => {
    const live = sql`${table.deletedAt} is null`
    const listedBy = (name: string, ...columns: [AnySQLiteColumn, ...AnySQLiteColumn[]]) =>
      index(`catalog_products_${name}`)
        .on(table.workspace, ...columns)
        .where(live)
    return [primaryKey({ columns: [table.workspace, table.id] }), listedBy('created', table.createdAt)]
  },
)

export const productPlans = sqliteTable(
  'catalog_product_plans',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    productId: text('product_id').notNull(),
    name: text().notNull(),
    price: text().notNull(),
    currency: text().notNull(),
    billingPeriod: text('billing_period', { enum: BILLING_PERIODS }),
    billingInterval: integer('billing_interval'),
    trialDays: integer('trial_days').notNull().default(0),
    status: text({ enum: PLAN_STATUSES }).notNull().default('active'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('catalog_product_plans_product').on(table.workspace, table.productId),
    foreignKey({
      columns: [table.workspace, table.productId],
      foreignColumns: [products.workspace, products.id],
    }).onDelete('cascade'),
  ],
)

export const activities = sqliteTable(
  'catalog_activities',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    title: text().notNull(),
    type: text({ enum: ACTIVITY_TYPES }).notNull(),
    description: text(),
    priority: text({ enum: PRIORITIES }).notNull().default('medium'),
    status: text({ enum: activityMachine.states }).notNull().default('pending'),
    ownerId: text('owner_id'),
    entityType: text('entity_type', { enum: ENTITY_TYPES }),
    entityId: text('entity_id'),
    dueDate: integer('due_date'),
    durationMinutes: integer('duration_minutes'),
    location: text(),
    meetingUrl: text('meeting_url'),
    notes: text(),
    completedAt: integer('completed_at'),
    customData: text('custom_data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
    titleKey: text('title_key').notNull(),
    /** The search text: title and description without case and accents. */
    searchKey: text('search_key').notNull(),
    /** The sort key of the due date; an activity without one comes first. */
    dueKey: integer('due_key').notNull(),
    revision: integer().notNull(),
  },
  (table) => {
    const live = sql`${table.deletedAt} is null`
    const listedBy = (name: string, ...columns: [AnySQLiteColumn, ...AnySQLiteColumn[]]) =>
      index(`catalog_activities_${name}`)
        .on(table.workspace, ...columns)
        .where(live)
    return [
      primaryKey({ columns: [table.workspace, table.id] }),
      listedBy('created', table.createdAt),
      index('catalog_activities_falling_due')
        .on(table.workspace, table.dueDate)
        .where(
          sql`${isOneOf(table.status, activityMachine.moves.fall_due.from)} and ${table.deletedAt} is null and ${table.dueDate} is not null`,
        ),
    ]
  },
)

/** The entities of activities: the main one and the attached ones. */
export const activityEntities = sqliteTable(
  'catalog_activity_entities',
  {
    workspace: integer().notNull(),
    activityId: text('activity_id').notNull(),
    entityType: text('entity_type', { enum: ENTITY_TYPES }).notNull(),
    entityId: text('entity_id').notNull(),
    /** "deal:42", for finding the activities of one entity. */
    entityKey: text('entity_key').notNull(),
    main: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.activityId, table.entityType, table.entityId] }),
    index('catalog_activity_entities_entity').on(table.workspace, table.entityKey, table.activityId),
    foreignKey({
      columns: [table.workspace, table.activityId],
      foreignColumns: [activities.workspace, activities.id],
    }).onDelete('cascade'),
  ],
)
