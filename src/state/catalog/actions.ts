/**
 * What can be done to products and activities. Specification part 1, "Product (catalog interface)", "Activity
 * (catalog interface)", "Product status", "Activity status".
 *
 * The specification shows no events of the catalog; the ones appended here are assumed and reach only subscriptions
 * made in the control plane.
 */
import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { iso, isoOrNull } from '../clock.ts'
import { addColumns } from '../columns.ts'
import { statement } from '../database.ts'
import type { JobKind } from '../jobs.ts'
import { list, type Head } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { refuse, refuseField, Refusal } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { activityMachine, productMachine } from './machines.ts'
import { activities, activityEntities, productPlans, products, type ENTITY_TYPES } from './tables.ts'

export type Product = typeof products.$inferSelect
export type ProductPlan = typeof productPlans.$inferSelect
export type Activity = typeof activities.$inferSelect

export interface EntityLink {
  readonly entityType: (typeof ENTITY_TYPES)[number]
  readonly entityId: string
}

/** Fields of a row that a caller may send. */
type Optional<Row, Fields extends keyof Row> = { readonly [Field in Fields]?: Row[Field] }

export type ProductFields = Optional<
  Product,
  | 'name'
  | 'type'
  | 'category'
  | 'sku'
  | 'description'
  | 'basePrice'
  | 'currency'
  | 'taxRate'
  | 'unit'
  | 'status'
  | 'ownerId'
  | 'hasVariants'
  | 'metadata'
  | 'sortOrder'
>
export type NewProduct = ProductFields & Pick<Product, 'name' | 'type'>

export type ActivityFields = Optional<
  Activity,
  | 'title'
  | 'type'
  | 'description'
  | 'priority'
  | 'ownerId'
  | 'entityType'
  | 'entityId'
  | 'dueDate'
  | 'durationMinutes'
  | 'location'
  | 'meetingUrl'
  | 'notes'
  | 'customData'
>
export type NewActivity = ActivityFields & Pick<Activity, 'title' | 'type'>

/** An owner is nobody or a user of the same workspace. */
function mustBeUser(workspace: Workspace, ownerId: string | null): void {
  if (ownerId !== null && !workspace.user(ownerId)) {
    refuseField('ownerId', 'unknown', 'ownerId must be a user of this workspace')
  }
}

// ---------------------------------------------------------------- products

export const productRows = rows(products, sql`${products.deletedAt} is null`)
export const planRows = rows(productPlans)

/** Products that are not deleted, in every order and with every filter of GET /products. */
export const listProducts = list({
  table: products,
  where: sql`${products.deletedAt} is null`,
  sorts: { created_at: products.createdAt, name: products.nameKey, base_price: products.priceKey },
  filters: {
    type: (value) => sql`${products.type} = ${value}`,
    status: (value) => sql`${products.status} = ${value}`,
    category: (value) => sql`${products.category} = ${value}`,
    owner_id: (value) => sql`${products.ownerId} = ${value}`,
    search: (value) => sql`instr(${products.searchKey}, ${value}) > 0`,
  },
  indexes: {
    name: [products.nameKey],
    base_price: [products.priceKey],
    type: [products.type, products.createdAt],
    status: [products.status, products.createdAt],
    category: [products.category, products.createdAt],
    owner_id: [products.ownerId, products.createdAt],
  },
})

const plansOfProduct = statement((orm) =>
  orm
    .select()
    .from(productPlans)
    .where(
      and(
        eq(productPlans.workspace, sql.placeholder('workspace')),
        eq(productPlans.productId, sql.placeholder('productId')),
      ),
    )
    .orderBy(asc(productPlans.createdAt), sql`rowid`)
    .prepare(),
)

/** The plans of a product: those of services, subscriptions and digital goods; physical goods have none. */
export const listPlans = (workspace: Workspace, product: Pick<Product, 'id' | 'type'>): ProductPlan[] =>
  product.type === 'physical'
    ? []
    : plansOfProduct(workspace.database).all({ workspace: workspace.number, productId: product.id })

export const noProduct = (id: string): never => refuse('not_found', `There is no product ${id}.`)

/** A product that is not deleted, or a refusal. */
export const findProduct = (workspace: Workspace, id: string): Product =>
  productRows.find(workspace, id) ?? noProduct(id)

/** Id and revision of a product that is not deleted, or a refusal. */
export const findProductHead = (workspace: Workspace, id: string): Head =>
  productRows.head(workspace, id) ?? noProduct(id)

/**
 * Adds a product to the catalog. The workspace's currency and the caller stand in for a currency and an owner that
 * were not sent; `hasVariants` is kept for physical products only.
 */
export function createProduct(workspace: Workspace, author: User, fields: NewProduct): Product {
  return workspace.write(() => {
    const now = workspace.now()
    const product = deriveProduct(workspace, {
      category: null,
      sku: null,
      description: null,
      basePrice: null,
      currency: workspace.currency,
      taxRate: null,
      unit: null,
      status: productMachine.initial[0],
      ownerId: author.id,
      hasVariants: false,
      metadata: {},
      sortOrder: 0,
      ...fields,
      workspace: workspace.number,
      id: workspace.ids.nano('product'),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    mustBeUser(workspace, product.ownerId)
    productRows.insert(workspace.database, product)
    workspace.append({ interface: 'catalog', name: 'product.created', data: productFacts(product) })
    return product
  })
}

/** Changes the fields that were sent; nothing else, and nothing at all when none was. */
export function updateProduct(workspace: Workspace, product: Product, fields: ProductFields): Product {
  if (Object.keys(fields).length === 0) return product
  return workspace.write(() => {
    if (fields.status !== undefined && fields.status !== product.status) {
      const move = productMachine.moveBetween(product.status, fields.status)
      if (move instanceof Refusal) throw move
    }
    if (fields.ownerId !== undefined) mustBeUser(workspace, fields.ownerId)
    const updated = deriveProduct(workspace, { ...product, ...fields, updatedAt: workspace.now() })
    productRows.update(workspace.database, updated)
    workspace.append({ interface: 'catalog', name: 'product.updated', data: productFacts(updated) })
    return updated
  })
}

/** Soft: listings and finders omit it from now on, and what refers to it keeps it. */
export function deleteProduct(workspace: Workspace, product: Product): void {
  workspace.write(() => {
    const deletedAt = workspace.now()
    productRows.update(workspace.database, deriveProduct(workspace, { ...product, deletedAt }))
    workspace.append({
      interface: 'catalog',
      name: 'product.deleted',
      data: { id: product.id, deletedAt: iso(deletedAt) },
    })
  })
}

export type DerivedOfProduct = 'nameKey' | 'searchKey' | 'priceKey' | 'revision'

/** The product with the columns that follow from the others. */
export const deriveProduct = (workspace: Workspace, product: Omit<Product, DerivedOfProduct>): Product =>
  addColumns(product, {
    hasVariants: product.type === 'physical' && product.hasVariants,
    nameKey: product.name.toLowerCase(),
    searchKey: searchKey(product.name, product.sku, product.description),
    priceKey: priceKey(product.basePrice),
    revision: workspace.database.nextRevision(),
  })

const searchKey = (...texts: readonly (string | null)[]): string =>
  texts
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase()

/** Digits before the point that a price may have; the key pads to it, so that text sorts as numbers do. */
export const PRICE_DIGITS = 15

function priceKey(price: string | null): string {
  if (price === null) return ''
  const [whole = '', fraction = ''] = price.split('.')
  return `${whole.replace(/^0+/, '').padStart(PRICE_DIGITS, '0')}.${fraction.replace(/0+$/, '')}`
}

/** What the assumed product events carry. */
const productFacts = (product: Product) => ({
  id: product.id,
  name: product.name,
  type: product.type,
  category: product.category,
  sku: product.sku,
  basePrice: product.basePrice,
  currency: product.currency,
  status: product.status,
  ownerId: product.ownerId,
  createdAt: iso(product.createdAt),
  updatedAt: iso(product.updatedAt),
})

// ---------------------------------------------------------------- activities

export const activityRows = rows(activities, sql`${activities.deletedAt} is null`)

const isLinkedTo = (entity: SQL): SQL =>
  sql`exists (select 1 from ${activityEntities} where ${activityEntities.workspace} = ${activities.workspace} and ${activityEntities.activityId} = ${activities.id} and ${entity})`

/** The value of the `entity` filter: a type and an id in one text, for they are looked up together. */
export const entityKey = (entityType: string, entityId: string): string => `${entityType}:${entityId}`

/** Activities that are not deleted, in every order and with every filter of GET /activities. */
export const listActivities = list({
  table: activities,
  where: sql`${activities.deletedAt} is null`,
  sorts: { created_at: activities.createdAt, due_date: activities.dueKey, title: activities.titleKey },
  filters: {
    type: (value) => sql`${activities.type} = ${value}`,
    status: (value) => sql`${activities.status} = ${value}`,
    owner_id: (value) => sql`${activities.ownerId} = ${value}`,
    /** Whose activities the key may see, beside the owner it asks for. */
    visible_to: (value) => sql`${activities.ownerId} = ${value}`,
    entity_type: (value) => isLinkedTo(sql`${activityEntities.entityType} = ${value}`),
    entity: (value) =>
      sql`${activities.id} in (select ${activityEntities.activityId} from ${activityEntities} where ${activityEntities.workspace} = ${sql.placeholder('workspace')} and ${activityEntities.entityKey} = ${value})`,
    search: (value) => sql`instr(${activities.searchKey}, ${value}) > 0`,
  },
  indexes: {
    due_date: [activities.dueKey],
    title: [activities.titleKey],
    type: [activities.type, activities.createdAt],
    status: [activities.status, activities.createdAt],
    owner_id: [activities.ownerId, activities.createdAt],
    visible_to: [activities.ownerId, activities.createdAt],
  },
})

/** An activity that is not deleted, or a refusal. */
export const findActivity = (workspace: Workspace, id: string): Activity =>
  activityRows.find(workspace, id) ?? refuse('not_found', `There is no activity ${id}.`)

/** Adds an activity. It is pending, also when its due date has passed: the clock then makes it overdue at once. */
export function createActivity(
  workspace: Workspace,
  author: User,
  fields: NewActivity,
  entities: readonly EntityLink[],
): Activity {
  return workspace.write(() => {
    const now = workspace.now()
    const activity = deriveActivity(workspace, {
      description: null,
      priority: 'medium',
      ownerId: author.id,
      entityType: null,
      entityId: null,
      dueDate: null,
      durationMinutes: null,
      location: null,
      meetingUrl: null,
      notes: null,
      customData: {},
      ...fields,
      workspace: workspace.number,
      id: workspace.ids.nano('activity'),
      status: activityMachine.initial[0],
      completedAt: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    mustBeUser(workspace, activity.ownerId)
    mustBePaired(activity)
    activityRows.insert(workspace.database, activity)
    linkEntities(workspace, activity, entities)
    workspace.expectJob(activity.dueDate)
    appendActivityEvent(workspace, 'activity.created', activity)
    return activity
  })
}

/**
 * Changes the fields that were sent. The entity pair is sent whole or not at all; `entities` replaces the entities
 * attached beside the main one. A due date ahead of the clock makes an overdue activity pending again.
 */
export function updateActivity(
  workspace: Workspace,
  activity: Activity,
  fields: ActivityFields,
  entities: readonly EntityLink[] | undefined,
): Activity {
  if (Object.keys(fields).length === 0 && entities === undefined) return activity
  return workspace.write(() => {
    mustBeSentTogether(fields)
    if (fields.ownerId !== undefined) mustBeUser(workspace, fields.ownerId)
    const now = workspace.now()
    const changed = { ...activity, ...fields, updatedAt: now }
    mustBePaired(changed)
    const isAhead = changed.dueDate === null || changed.dueDate > now
    const status =
      changed.status === 'overdue' && isAhead
        ? mustMove(activityMachine, changed.status, 'reschedule')
        : changed.status
    const updated = deriveActivity(workspace, { ...changed, status })
    activityRows.update(workspace.database, updated)
    if (entities !== undefined || fields.entityType !== undefined) {
      linkEntities(workspace, updated, entities ?? attachedEntities(workspace, activity))
    }
    workspace.expectJob(updated.dueDate)
    appendActivityEvent(workspace, 'activity.updated', updated)
    return updated
  })
}

/** Completes a pending or overdue activity; a completed one stays as it is. */
export function completeActivity(workspace: Workspace, activity: Activity): Activity {
  const status = mustMove(activityMachine, activity.status, 'complete')
  if (status === activity.status) return activity
  return workspace.write(() => {
    const now = workspace.now()
    const completed = deriveActivity(workspace, { ...activity, status, completedAt: now, updatedAt: now })
    activityRows.update(workspace.database, completed)
    appendActivityEvent(workspace, 'activity.completed', completed)
    return completed
  })
}

/** Soft: listings and timelines omit it from now on. */
export function deleteActivity(workspace: Workspace, activity: Activity): void {
  workspace.write(() => {
    const deletedAt = workspace.now()
    activityRows.update(workspace.database, deriveActivity(workspace, { ...activity, deletedAt }))
    workspace.append({
      interface: 'catalog',
      name: 'activity.deleted',
      data: { id: activity.id, deletedAt: iso(deletedAt) },
    })
  })
}

function mustBeSentTogether({ entityType, entityId }: ActivityFields): void {
  if ((entityType === undefined) !== (entityId === undefined)) refuseHalfPair(entityType === undefined)
}

function mustBePaired({ entityType, entityId }: Pick<Activity, 'entityType' | 'entityId'>): void {
  if ((entityType === null) !== (entityId === null)) refuseHalfPair(entityType === null)
}

function refuseHalfPair(lacksType: boolean): never {
  const missing = lacksType ? 'entityType' : 'entityId'
  refuseField(missing, 'required', 'entityType and entityId must be sent together')
}

export type DerivedOfActivity = 'titleKey' | 'searchKey' | 'dueKey' | 'revision'

/** The activity with the columns that follow from the others. */
export const deriveActivity = (workspace: Workspace, activity: Omit<Activity, DerivedOfActivity>): Activity =>
  addColumns(activity, {
    titleKey: activity.title.toLowerCase(),
    searchKey: searchKey(activity.title, activity.description),
    dueKey: activity.dueDate ?? NEVER_DUE,
    revision: workspace.database.nextRevision(),
  })

/** Sorts activities without a due date before all others. */
const NEVER_DUE = Number.MIN_SAFE_INTEGER

function linkEntities(workspace: Workspace, activity: Activity, attached: readonly EntityLink[]): void {
  const { orm } = workspace.database
  const scope = { workspace: workspace.number, activityId: activity.id }
  orm
    .delete(activityEntities)
    .where(
      and(eq(activityEntities.workspace, scope.workspace), eq(activityEntities.activityId, scope.activityId)),
    )
    .run()
  const links = attached.map((link) => ({ ...link, main: false }))
  if (activity.entityType !== null && activity.entityId !== null) {
    links.unshift({ entityType: activity.entityType, entityId: activity.entityId, main: true })
  }
  for (const { entityType, entityId, main } of links) {
    orm
      .insert(activityEntities)
      .values({ ...scope, entityType, entityId, entityKey: entityKey(entityType, entityId), main })
      .onConflictDoNothing()
      .run()
  }
}

/** The entities linked to an activity beside its main one. */
export const attachedEntities = (workspace: Workspace, activity: Activity): EntityLink[] =>
  workspace.database.orm
    .select({ entityType: activityEntities.entityType, entityId: activityEntities.entityId })
    .from(activityEntities)
    .where(
      and(
        eq(activityEntities.workspace, workspace.number),
        eq(activityEntities.activityId, activity.id),
        eq(activityEntities.main, false),
      ),
    )
    .all()

function appendActivityEvent(workspace: Workspace, name: string, activity: Activity): void {
  workspace.append({
    interface: 'catalog',
    name,
    data: {
      id: activity.id,
      title: activity.title,
      type: activity.type,
      status: activity.status,
      priority: activity.priority,
      ownerId: activity.ownerId,
      entityType: activity.entityType,
      entityId: activity.entityId,
      dueDate: isoOrNull(activity.dueDate),
      completedAt: isoOrNull(activity.completedAt),
      createdAt: iso(activity.createdAt),
      updatedAt: iso(activity.updatedAt),
    },
  })
}

// ---------------------------------------------------------------- what falls due

const pendingAndDue = sql`${activities.status} = 'pending' and ${activities.deletedAt} is null and ${activities.dueDate} is not null`

const nextDueDate = statement((orm) =>
  orm
    .select({ due: activities.dueDate })
    .from(activities)
    .where(and(eq(activities.workspace, sql.placeholder('workspace')), pendingAndDue))
    .orderBy(asc(activities.dueDate))
    .limit(1)
    .prepare(),
)

const activitiesDueBy = statement((orm) =>
  orm
    .select()
    .from(activities)
    .where(
      and(
        eq(activities.workspace, sql.placeholder('workspace')),
        pendingAndDue,
        sql`${activities.dueDate} <= ${sql.placeholder('instant')}`,
      ),
    )
    .orderBy(asc(activities.dueDate), sql`rowid`)
    .prepare(),
)

/** A pending activity becomes overdue when its workspace's clock reaches its due date. */
export const overdueJob: JobKind = {
  name: 'catalog.activity.overdue',
  due: (workspace) => nextDueDate(workspace.database).get({ workspace: workspace.number })?.due ?? null,
  run(workspace, instant) {
    for (const activity of activitiesDueBy(workspace.database).all({
      workspace: workspace.number,
      instant,
    })) {
      // One that was due before it was made, or before its date was changed, falls due no earlier than that.
      workspace.at(Math.max(instant, activity.updatedAt), () => {
        fallDue(workspace, activity)
      })
    }
  },
}

function fallDue(workspace: Workspace, activity: Activity): void {
  const status = mustMove(activityMachine, activity.status, 'fall_due')
  const overdue = deriveActivity(workspace, { ...activity, status })
  activityRows.update(workspace.database, overdue)
  appendActivityEvent(workspace, 'activity.overdue', overdue)
}
