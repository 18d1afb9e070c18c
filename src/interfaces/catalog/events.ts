/**
 * The events of the catalog. The specification shows none; they are assumed, and only subscriptions of the control
 * plane receive them.
 */
import type { EventsOf } from '../../http/definition/events.ts'
import type { CatalogEvents } from '../../state/catalog/events.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { assumed } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { ActivityEvent } from './shapes/activities.ts'
import { ProductEvent } from './shapes/products.ts'

const alsoInPointOfSale = assumed(
  'The specification shows no events of the catalog; the point of sale has an event of this name.',
)
const onePerOperation = assumed(
  'The specification shows no events of activities; the simulator sends one for each operation that changes them.',
)
const onceOverdue = assumed(
  'The specification shows no events of activities; the simulator sends this one when the clock makes an activity overdue.',
)

const ofProduct = {
  fidelity: alsoInPointOfSale,
  payload: 'ProductData',
  view: (product: CatalogEvents['product.created'], workspace: Workspace) =>
    ProductEvent.view(product, workspace),
} as const

const ofActivity = {
  fidelity: onePerOperation,
  payload: 'ActivityData',
  view: (activity: CatalogEvents['activity.created'], workspace: Workspace) =>
    ActivityEvent.view(activity, workspace),
} as const

const ofDeleted = {
  payload: 'DeletedData',
  view: ({
    id,
    deletedAt,
    updatedAt,
  }: CatalogEvents['product.deleted'] | CatalogEvents['activity.deleted']) => ({
    id,
    deletedAt: iso(deletedAt ?? updatedAt),
  }),
} as const

/** Sorted by the lifecycle of a record. */
export const events: EventsOf<CatalogEvents, typeof payloads> = {
  'product.created': { title: 'A product was created', ...ofProduct },
  'product.updated': { title: 'A product was updated', ...ofProduct },
  'product.deleted': { title: 'A product was deleted', ...ofDeleted, fidelity: alsoInPointOfSale },
  'activity.created': { title: 'An activity was created', ...ofActivity },
  'activity.updated': { title: 'An activity was updated', ...ofActivity },
  'activity.completed': { title: 'An activity was completed', ...ofActivity },
  'activity.overdue': { title: 'An activity became overdue', ...ofActivity, fidelity: onceOverdue },
  'activity.deleted': { title: 'An activity was deleted', ...ofDeleted, fidelity: onePerOperation },
}
