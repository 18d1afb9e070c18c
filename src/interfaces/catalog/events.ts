/**
 * The events of the catalog. The specification shows none; they are assumed, and only subscriptions of the control
 * plane receive them.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { ActivityEvent } from './shapes/activities.ts'
import { ProductEvent } from './shapes/products.ts'

const DeletedData = named(
  'DeletedEventData',
  Assumed(
    'The specification shows no events of the catalog; the simulator sends the id of the deleted record and the time of its deletion.',
    Type.Object({ id: Type.String(), deletedAt: Instant() }),
  ),
)

const event = (name: string, title: string, payload: TSchema, why: string): PublishedEvent => ({
  name,
  title,
  payload,
  fidelity: assumed(why),
})

const alsoInPointOfSale =
  'The specification shows no events of the catalog; the point of sale has an event of this name.'
const onePerOperation =
  'The specification shows no events of activities; the simulator sends one for each operation that changes them.'

/** Sorted by the lifecycle of a record. */
export const catalogEvents: readonly PublishedEvent[] = [
  event('product.created', 'A product was created', ProductEvent.item, alsoInPointOfSale),
  event('product.updated', 'A product was updated', ProductEvent.item, alsoInPointOfSale),
  event('product.deleted', 'A product was deleted', DeletedData, alsoInPointOfSale),
  event('activity.created', 'An activity was created', ActivityEvent.item, onePerOperation),
  event('activity.updated', 'An activity was updated', ActivityEvent.item, onePerOperation),
  event('activity.completed', 'An activity was completed', ActivityEvent.item, onePerOperation),
  event(
    'activity.overdue',
    'An activity became overdue',
    ActivityEvent.item,
    'The specification shows no events of activities; the simulator sends this one when the clock makes an activity overdue.',
  ),
  event('activity.deleted', 'An activity was deleted', DeletedData, onePerOperation),
]
