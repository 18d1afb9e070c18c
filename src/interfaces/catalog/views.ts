/** The data of the events of the catalog. */
import type { CatalogEvents } from '../../state/catalog/events.ts'
import { isoOrNull } from '../../state/model/clock.ts'
import type { EventViews } from '../../state/workspace/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ActivityEvent } from './shapes/activities.ts'
import { ProductEvent } from './shapes/products.ts'

const productView = (product: CatalogEvents['product.created'], workspace: Workspace) =>
  ProductEvent.view(product, workspace)

const activityView = (activity: CatalogEvents['activity.created'], workspace: Workspace) =>
  ActivityEvent.view(activity, workspace)

const deletedView = ({ id, deletedAt }: { readonly id: string; readonly deletedAt: number | null }) => ({
  id,
  deletedAt: isoOrNull(deletedAt),
})

export const eventViews: EventViews<CatalogEvents> = {
  'product.created': productView,
  'product.updated': productView,
  'product.deleted': deletedView,
  'activity.created': activityView,
  'activity.updated': activityView,
  'activity.completed': activityView,
  'activity.overdue': activityView,
  'activity.deleted': deletedView,
}
