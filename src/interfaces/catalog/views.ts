/** Rows of the catalog as they go over the wire. */
import type { Static } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../state/clock.ts'
import type {
  Activity as ActivityRow,
  Product as ProductRow,
  ProductPlan,
} from '../../state/catalog/actions.ts'
import type { Workspace } from '../../state/workspaces.ts'
import type { Activity, Product, ProductWithPlans } from './schemas.ts'

const ownerName = (workspace: Workspace, ownerId: string | null): string | null =>
  ownerId === null ? null : (workspace.user(ownerId)?.name ?? null)

export const productView = (row: ProductRow, workspace: Workspace): Static<typeof Product> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  category: row.category,
  sku: row.sku,
  description: row.description,
  basePrice: row.basePrice,
  currency: row.currency,
  taxRate: row.taxRate,
  unit: row.unit,
  status: row.status,
  ownerId: row.ownerId,
  ownerName: ownerName(workspace, row.ownerId),
  hasVariants: row.hasVariants,
  metadata: row.metadata,
  sortOrder: row.sortOrder,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
})

const planView = (plan: ProductPlan) => ({
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

export const productWithPlansView = (
  row: ProductRow,
  workspace: Workspace,
  plans: readonly ProductPlan[],
): Static<typeof ProductWithPlans> => ({ ...productView(row, workspace), plans: plans.map(planView) })

export const activityView = (row: ActivityRow, workspace: Workspace): Static<typeof Activity> => ({
  id: row.id,
  title: row.title,
  type: row.type,
  description: row.description,
  priority: row.priority,
  status: row.status,
  ownerId: row.ownerId,
  ownerName: ownerName(workspace, row.ownerId),
  entityType: row.entityType,
  entityId: row.entityId,
  dueDate: isoOrNull(row.dueDate),
  durationMinutes: row.durationMinutes,
  location: row.location,
  meetingUrl: row.meetingUrl,
  notes: row.notes,
  completedAt: isoOrNull(row.completedAt),
  customData: row.customData,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
})
