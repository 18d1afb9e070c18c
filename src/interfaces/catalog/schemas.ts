/** Wire shapes of products and activities. Specification part 1, "Product", "Activity", "Endpoints", "Limits". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  Currency,
  Decimal,
  FreeObject,
  Instant,
  Int,
  named,
  Nullable,
  OneOf,
  SentInstant,
} from '../../http/schemas/schemas.ts'
import { activityMachine, productMachine } from '../../state/catalog/machines.ts'
import {
  ACTIVITY_TYPES,
  BILLING_PERIODS,
  ENTITY_TYPES,
  PLAN_STATUSES,
  PRIORITIES,
  PRODUCT_TYPES,
} from '../../state/catalog/tables.ts'

const Id = (example: string) =>
  Type.String({ description: 'Unique identifier (nanoid).', examples: [example] })

/** The path parameter id. */
const IdParameter = (example: string) => Type.Object({ id: Type.String({ examples: [example] }) })

// Examples name records of the demo workspace, so that they can be sent unchanged.
const PRODUCT = 'demo-product-00000001'
const ACTIVITY = 'demo-activity-0000005'
const USER = 'demo-user-00000000001'

/** A name or title with at least one non-blank character. */
const Text = (maxLength: number, examples: string[]) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    examples,
  })

const pageQuery = {
  cursor: Type.Optional(
    Type.String({ minLength: 1, description: 'pagination.nextCursor of the previous page.' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
}

const order = OneOf(['asc', 'desc'], { default: 'desc' })

// ---------------------------------------------------------------- products

/** The fields of a product that a request may have. */
const productFields = {
  category: Nullable(Type.String({ maxLength: 100, examples: ['Furniture'] })),
  sku: Nullable(Type.String({ maxLength: 50, examples: ['DSK-001'] })),
  description: Nullable(Type.String({ description: 'Free text.' })),
  basePrice: Nullable(Decimal()),
  currency: Nullable(Currency({ description: 'Defaults to the currency of the workspace.' })),
  taxRate: Nullable(Decimal({ description: '7.00 means 7%.', examples: ['7.00'] })),
  unit: Nullable(Type.String({ maxLength: 20, examples: ['piece'] })),
  status: OneOf(productMachine.states),
  ownerId: Nullable(
    Type.String({ description: 'Responsible user. Defaults to the user of the API key.', examples: [USER] }),
  ),
  hasVariants: Type.Boolean({ description: 'Applies to type physical only; false for all others.' }),
  metadata: FreeObject({ description: 'Free key-value data.' }),
  sortOrder: Int({ description: 'Order in listings.' }),
}

const productName = Text(200, ['Standing desk'])
const productType = OneOf(PRODUCT_TYPES)

export const ProductCreate = named(
  'ProductCreate',
  Type.Object({
    name: productName,
    type: productType,
    ...Type.Partial(Type.Object(productFields)).properties,
  }),
)

export const ProductUpdate = named(
  'ProductUpdate',
  Type.Partial(Type.Object({ name: productName, type: productType, ...productFields })),
)

const product = {
  id: Id(PRODUCT),
  name: productName,
  type: productType,
  ...productFields,
  ownerName: Nullable(
    Type.String({ description: 'Full name of the owner; resolved by the service.', examples: ['Ana Ríos'] }),
  ),
  createdAt: Instant(),
  updatedAt: Instant(),
}

export const Product = named('Product', Type.Object(product))

export const Plan = named(
  'Plan',
  Assumed(
    'The specification shows the plans array and not its entries; the simulator returns the fields that subscription catalogs usually have.',
    Type.Object({
      id: Id('demo-plan-00000000001'),
      name: Type.String(),
      price: Decimal(),
      currency: Currency(),
      billingPeriod: Nullable(OneOf(BILLING_PERIODS)),
      billingInterval: Nullable(Type.Integer()),
      trialDays: Type.Integer(),
      status: OneOf(PLAN_STATUSES),
      createdAt: Instant(),
      updatedAt: Instant(),
    }),
  ),
)

export const ProductWithPlans = named(
  'ProductWithPlans',
  Type.Object({ ...product, plans: Type.Array(Plan) }),
)

export const ProductId = IdParameter(PRODUCT)

export const ProductQuery = Type.Object({
  ...pageQuery,
  sort: OneOf(['created_at', 'name', 'base_price'], { default: 'created_at' }),
  order,
  search: Type.Optional(Type.String({ description: 'Searches name, SKU and description.' })),
  type: Type.Optional(productType),
  status: Type.Optional(OneOf(productMachine.states)),
  category: Type.Optional(Type.String()),
  owner_id: Type.Optional(Type.String({ examples: [USER] })),
})

// ---------------------------------------------------------------- activities

const entityType = OneOf(ENTITY_TYPES, { examples: ['product'] })
const entityId = Type.String({ minLength: 1, examples: [PRODUCT] })

/** The fields of an activity that a request and a response have. */
const activityFields = {
  description: Nullable(Type.String({ description: 'Free text.' })),
  priority: OneOf(PRIORITIES),
  ownerId: Nullable(Type.String({ description: 'Defaults to the user of the API key.', examples: [USER] })),
  entityType: Nullable(
    OneOf(ENTITY_TYPES, {
      description: 'Type of the main entity. Must be sent together with entityId.',
      examples: ['product'],
    }),
  ),
  entityId: Nullable(entityId),
  dueDate: Nullable(SentInstant({ examples: ['2026-12-01T15:00:00Z'] })),
  durationMinutes: Nullable(Type.Integer({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  location: Nullable(Type.String({ description: 'Physical location.' })),
  meetingUrl: Nullable(Type.String({ format: 'uri', examples: ['https://meet.example.com/abc'] })),
  notes: Nullable(Type.String({ description: 'Internal notes.' })),
  customData: FreeObject({ description: 'Free key-value data.' }),
}

const writeOnlyFields = {
  entities: Type.Array(Type.Object({ entityType, entityId }), {
    maxItems: 10,
    writeOnly: true,
    description: 'More entities to attach the activity to, in addition to its main one.',
  }),
}

const activityTitle = Text(200, ['Call about the quote'])
const activityType = OneOf(ACTIVITY_TYPES)

export const ActivityCreate = named(
  'ActivityCreate',
  Type.Object({
    title: activityTitle,
    type: activityType,
    ...Type.Partial(Type.Object({ ...activityFields, ...writeOnlyFields })).properties,
  }),
)

export const ActivityUpdate = named(
  'ActivityUpdate',
  Type.Partial(
    Type.Object({ title: activityTitle, type: activityType, ...activityFields, ...writeOnlyFields }),
  ),
)

export const Activity = named(
  'Activity',
  Type.Object({
    id: Id(ACTIVITY),
    title: activityTitle,
    type: activityType,
    ...activityFields,
    dueDate: Nullable(Instant({ examples: ['2026-12-01T15:00:00Z'] })),
    status: OneOf(activityMachine.states),
    ownerName: Nullable(Type.String({ examples: ['Ana Ríos'] })),
    completedAt: Nullable(Instant({ description: 'null until the activity is completed.' })),
    createdAt: Instant(),
    updatedAt: Instant(),
  }),
)

export const ActivityId = IdParameter(ACTIVITY)

export const ActivityQuery = Type.Object({
  ...pageQuery,
  sort: OneOf(['created_at', 'due_date', 'title'], { default: 'created_at' }),
  order,
  search: Type.Optional(Type.String({ description: 'Searches title and description.' })),
  type: Type.Optional(activityType),
  status: Type.Optional(OneOf(activityMachine.states)),
  owner_id: Type.Optional(Type.String({ examples: [USER] })),
  entity_type: Type.Optional(entityType),
  entity_id: Type.Optional(Type.String({ description: 'Requires entity_type.', examples: [PRODUCT] })),
})
