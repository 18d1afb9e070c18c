/** The tables of the catalog, parents before children. */
import type { RecordSet } from '../storage/records/records.ts'
import { activities, activityEntities } from './activities.ts'
import { productPlans, products } from './products.ts'

export const catalogRecords: readonly RecordSet[] = [products, productPlans, activities, activityEntities]
