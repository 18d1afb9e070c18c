/** The schemas of the event data of the catalog; all are assumed. */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'
import { ActivityEvent } from './shapes/activities.ts'
import { ProductEvent } from './shapes/products.ts'

export const ProductData = ProductEvent.item

export const ActivityData = ActivityEvent.item

export const DeletedData = named(
  'DeletedEventData',
  Assumed(
    'The specification shows no events of the catalog; the simulator sends the id of the deleted record and the time of its deletion.',
    Type.Object({ id: Type.String(), deletedAt: Instant() }),
  ),
)
