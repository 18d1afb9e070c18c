/** The catalog's tables as they stand in snapshots. */
import type { RecordSet } from '../records.ts'
import { deriveActivity, deriveProduct, entityKey, type Activity, type Product } from './actions.ts'
import { activities, activityEntities, productPlans, products } from './tables.ts'

export const catalogRecords: readonly RecordSet[] = [
  {
    section: 'catalog',
    name: 'products',
    table: products,
    instants: ['createdAt', 'updatedAt', 'deletedAt'],
    derived: ['nameKey', 'searchKey', 'priceKey', 'revision'],
    complete: (workspace, row) => deriveProduct(workspace, row as Product),
  },
  {
    section: 'catalog',
    name: 'productPlans',
    table: productPlans,
    instants: ['createdAt', 'updatedAt'],
    derived: [],
  },
  {
    section: 'catalog',
    name: 'activities',
    table: activities,
    instants: ['dueDate', 'completedAt', 'createdAt', 'updatedAt', 'deletedAt'],
    derived: ['titleKey', 'searchKey', 'dueKey', 'revision'],
    complete: (workspace, row) => deriveActivity(workspace, row as Activity),
  },
  {
    section: 'catalog',
    name: 'activityEntities',
    table: activityEntities,
    instants: [],
    derived: ['entityKey'],
    complete: (_workspace, row) => ({
      ...row,
      entityKey: entityKey(String(row['entityType']), String(row['entityId'])),
    }),
  },
]
