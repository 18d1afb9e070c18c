/** The catalog's tables as they stand in snapshots. */
import { Type } from '@sinclair/typebox'
import type { RecordSet } from '../records.ts'
import { deriveActivity, deriveProduct, entityKey, type Activity, type Product } from './actions.ts'
import { activities, activityEntities, productPlans, products } from './tables.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const decimal = Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })
const currency = Type.String({ format: 'iso-4217' })
const freeObject = Type.Record(Type.String(), Type.Unknown())

export const catalogRecords: readonly RecordSet[] = [
  {
    section: 'catalog',
    name: 'products',
    table: products,
    instants: ['createdAt', 'updatedAt', 'deletedAt'],
    derived: ['nameKey', 'searchKey', 'priceKey', 'revision'],
    shapes: {
      name: text(200),
      basePrice: decimal,
      taxRate: decimal,
      currency,
      metadata: freeObject,
    },
    complete: (workspace, row) => deriveProduct(workspace, row as Product),
  },
  {
    section: 'catalog',
    name: 'productPlans',
    table: productPlans,
    instants: ['createdAt', 'updatedAt'],
    derived: [],
    shapes: { price: decimal, currency },
  },
  {
    section: 'catalog',
    name: 'activities',
    table: activities,
    instants: ['dueDate', 'completedAt', 'createdAt', 'updatedAt', 'deletedAt'],
    derived: ['titleKey', 'searchKey', 'dueKey', 'revision'],
    shapes: {
      title: text(200),
      durationMinutes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      customData: freeObject,
    },
    complete: (workspace, row) => deriveActivity(workspace, row as Activity),
  },
  {
    section: 'catalog',
    name: 'activityEntities',
    table: activityEntities,
    instants: [],
    derived: ['entityKey'],
    shapes: { entityId: Type.String({ minLength: 1 }) },
    complete: (_workspace, row) => ({
      ...row,
      entityKey: entityKey(String(row['entityType']), String(row['entityId'])),
    }),
  },
]
