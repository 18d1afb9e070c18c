/** Views of the records of the catalog on the wire. */
import type { Static } from '@sinclair/typebox'
import { instant, computed, type Fields } from '../../http/shapes/fields.ts'
import { listPlans, type ProductPlan } from '../../state/catalog/products.ts'
import { activities, products } from '../../state/catalog/tables.ts'
import { iso } from '../../state/model/clock.ts'
import type { Activity, Product, ProductWithPlans } from './schemas.ts'

const ownerName = (owner: typeof products.ownerId | typeof activities.ownerId) =>
  computed([owner], ([id], workspace) => (id === null ? null : (workspace.user(id)?.name ?? null)))

export const productFields: Fields<Static<typeof Product>> = {
  id: products.id,
  name: products.name,
  type: products.type,
  category: products.category,
  sku: products.sku,
  description: products.description,
  basePrice: products.basePrice,
  currency: products.currency,
  taxRate: products.taxRate,
  unit: products.unit,
  status: products.status,
  ownerId: products.ownerId,
  ownerName: ownerName(products.ownerId),
  hasVariants: products.hasVariants,
  metadata: products.metadata,
  sortOrder: products.sortOrder,
  createdAt: instant(products.createdAt),
  updatedAt: instant(products.updatedAt),
}

export const planView = (plan: ProductPlan) => ({
  id: plan.id,
  name: plan.name,
  price: plan.price,
  currency: plan.currency,
  billingPeriod: plan.billingPeriod,
  billingInterval: plan.billingInterval,
  trialDays: plan.trialDays,
  status: plan.status,
  createdAt: iso(plan.createdAt),
  updatedAt: iso(plan.updatedAt),
})

export const productWithPlansFields: Fields<Static<typeof ProductWithPlans>> = {
  ...productFields,
  plans: computed([products.id, products.type], ([id, type], workspace) =>
    listPlans(workspace, { id, type }).map(planView),
  ),
}

export const activityFields: Fields<Static<typeof Activity>> = {
  id: activities.id,
  title: activities.title,
  type: activities.type,
  description: activities.description,
  priority: activities.priority,
  status: activities.status,
  ownerId: activities.ownerId,
  ownerName: ownerName(activities.ownerId),
  entityType: activities.entityType,
  entityId: activities.entityId,
  dueDate: instant(activities.dueDate),
  durationMinutes: activities.durationMinutes,
  location: activities.location,
  meetingUrl: activities.meetingUrl,
  notes: activities.notes,
  completedAt: instant(activities.completedAt),
  customData: activities.customData,
  createdAt: instant(activities.createdAt),
  updatedAt: instant(activities.updatedAt),
}

// ---------------------------------------------------------------- events

/** The fields of a product in event data. */
export const PRODUCT_EVENT_FIELDS = [
  'id',
  'name',
  'type',
  'category',
  'sku',
  'basePrice',
  'currency',
  'status',
  'ownerId',
  'createdAt',
  'updatedAt',
] as const

/** The fields of an activity in event data. */
export const ACTIVITY_EVENT_FIELDS = [
  'id',
  'title',
  'type',
  'status',
  'priority',
  'ownerId',
  'entityType',
  'entityId',
  'dueDate',
  'completedAt',
  'createdAt',
  'updatedAt',
] as const
