/** The schemas of the event data of the catalog; all are assumed. */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'
import { Activity, Product } from './schemas.ts'
import { ACTIVITY_EVENT_FIELDS, PRODUCT_EVENT_FIELDS } from './views.ts'

export const ProductData = named(
  'ProductEventData',
  Assumed(
    'The specification shows no events of the catalog; the simulator sends the fields that identify a product.',
    Type.Pick(Product, PRODUCT_EVENT_FIELDS),
  ),
)

export const ActivityData = named(
  'ActivityEventData',
  Assumed(
    'The specification shows no events of the catalog; the simulator sends the main fields of the activity.',
    Type.Pick(Activity, ACTIVITY_EVENT_FIELDS),
  ),
)

export const DeletedData = named(
  'DeletedEventData',
  Assumed(
    'The specification shows no events of the catalog; the simulator sends the id of the deleted record and the time of its deletion.',
    Type.Object({ id: Type.String(), deletedAt: Instant() }),
  ),
)
