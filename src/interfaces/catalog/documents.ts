/** Products and activities in the documents, which list some fields in another order than the responses. */
import { Type, type TProperties } from '@sinclair/typebox'
import { named } from '../../http/schemas/schemas.ts'
import { Activity } from './shapes/activities.ts'
import { Product, ProductWithPlans } from './shapes/products.ts'

const document = (
  name: string,
  { properties }: { readonly properties: TProperties },
  lastFields: readonly string[],
) =>
  named(
    name,
    Type.Object(
      Object.fromEntries(
        Object.entries(properties).toSorted(
          ([one], [other]) => lastFields.indexOf(one) - lastFields.indexOf(other),
        ),
      ),
    ),
  )

const PRODUCT_ENDS = ['ownerName', 'createdAt', 'updatedAt']

export const ProductDocument = document('Product', Product.item, PRODUCT_ENDS)

export const ProductWithPlansDocument = document('ProductWithPlans', ProductWithPlans.item, [
  ...PRODUCT_ENDS,
  'plans',
])

export const ActivityDocument = document('Activity', Activity.item, [
  'status',
  'ownerName',
  'completedAt',
  'createdAt',
  'updatedAt',
])
