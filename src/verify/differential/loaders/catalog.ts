/** Products and activities. Plans are not loaded: only those of some products are read. */
import { columns, owners, rowsOf, type Loader } from './loader.ts'

const PRODUCT = [
  'id',
  'name',
  'type',
  'category',
  'sku',
  'description',
  'basePrice',
  'currency',
  'taxRate',
  'unit',
  'status',
  'ownerId',
  'hasVariants',
  'metadata',
  'sortOrder',
  'createdAt',
  'updatedAt',
]
const ACTIVITY = [
  'id',
  'title',
  'type',
  'description',
  'priority',
  'status',
  'ownerId',
  'entityType',
  'entityId',
  'dueDate',
  'durationMinutes',
  'location',
  'meetingUrl',
  'notes',
  'completedAt',
  'customData',
  'createdAt',
  'updatedAt',
]

export const catalog: Loader = (readings) => {
  const products = rowsOf(readings, 'listProducts')
  const activities = rowsOf(readings, 'listActivities')
  const rows = [...products.rows, ...activities.rows]
  return {
    snapshot: {
      users: owners(rows.map(({ row }) => [row['ownerId'], row['ownerName']])),
      catalog: {
        products: products.rows.map(({ row }) => columns(row, PRODUCT)),
        activities: activities.rows.map(({ row }) => columns(row, ACTIVITY)),
        activityEntities: activities.rows
          .filter(({ row }) => row['entityId'] !== null && row['entityId'] !== undefined)
          .map(({ row }) => ({
            ...columns(row, ['entityType', 'entityId']),
            activityId: row['id'],
            main: true,
          })),
      },
    },
    unknown: ['getProduct.data.plans*'],
    isComplete: products.isComplete && activities.isComplete,
  }
}
