/**
 * The events of the catalog. The specification shows none: they are assumed, and reach only subscriptions made in
 * the control plane.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition.ts'
import { Assumed, Instant, named } from '../../http/schemas.ts'
import { assumed } from '../../state/fidelity.ts'
import { Activity, Product } from './schemas.ts'
import { ACTIVITY_EVENT_FIELDS, PRODUCT_EVENT_FIELDS } from './views.ts'

const ProductFacts = named(
  'ProductEventData',
  Assumed(
    'The specification shows no events of the catalog; the fields that tell one product from another.',
    Type.Pick(Product, PRODUCT_EVENT_FIELDS),
  ),
)

const ActivityFacts = named(
  'ActivityEventData',
  Assumed(
    'The specification shows no events of the catalog; what is to be done, by whom, for what and until when.',
    Type.Pick(Activity, ACTIVITY_EVENT_FIELDS),
  ),
)

const DeletedRecord = named(
  'DeletedEventData',
  Assumed(
    'The specification shows no events of the catalog; a record that is gone is told by its id and when it went.',
    Type.Object({ id: Type.String(), deletedAt: Instant() }),
  ),
)

const event = (name: string, title: string, payload: TSchema, why: string): PublishedEvent => ({
  name,
  title,
  payload,
  fidelity: assumed(why),
})

const likePointOfSale =
  'The specification shows no events of the catalog; the point of sale has one of this name.'
const oneEachOperation =
  'The specification shows no events of activities; one follows each operation that changes them.'

/** In the order of a record's life. */
export const catalogEvents: readonly PublishedEvent[] = [
  event('product.created', 'A product was created', ProductFacts, likePointOfSale),
  event('product.updated', 'A product was updated', ProductFacts, likePointOfSale),
  event('product.deleted', 'A product was deleted', DeletedRecord, likePointOfSale),
  event('activity.created', 'An activity was created', ActivityFacts, oneEachOperation),
  event('activity.updated', 'An activity was updated', ActivityFacts, oneEachOperation),
  event('activity.completed', 'An activity was completed', ActivityFacts, oneEachOperation),
  event(
    'activity.overdue',
    'An activity became overdue',
    ActivityFacts,
    'The specification shows no events of activities; the clock makes them overdue, and this tells of it.',
  ),
  event('activity.deleted', 'An activity was deleted', DeletedRecord, oneEachOperation),
]
