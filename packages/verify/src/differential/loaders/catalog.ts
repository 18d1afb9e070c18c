/** Products with their plans, and activities. */
import type { Answers, Row } from '../../crawl/answers.ts'
import { columns, detailed, rowsOf, users, type Loaded, type Loader } from './loader.ts'

const PRODUCT = [
  ...['id', 'name', 'type', 'category', 'sku', 'description', 'basePrice', 'currency', 'taxRate', 'unit'],
  ...['status', 'ownerId', 'hasVariants', 'metadata', 'sortOrder', 'createdAt', 'updatedAt'],
]
const PLAN = [
  ...['id', 'name', 'price', 'currency', 'billingPeriod', 'billingInterval', 'trialDays', 'status'],
  ...['createdAt', 'updatedAt'],
]
const ACTIVITY = [
  ...['id', 'title', 'type', 'description', 'priority', 'status', 'ownerId', 'entityType', 'entityId'],
  ...['dueDate', 'durationMinutes', 'location', 'meetingUrl', 'notes', 'completedAt', 'customData'],
  ...['createdAt', 'updatedAt'],
]

export const catalog: Loader = { needs: ['getProduct'], load }

function load(answers: Answers): Loaded {
  const products = detailed(
    answers,
    'getProduct',
    rowsOf(answers, 'listProducts'),
    (body) => (body as Row | undefined)?.['data'],
  )
  const activities = rowsOf(answers, 'listActivities')
  const owners = [...products.rows, ...activities.rows].map(({ row }) => row)
  return {
    users: users(owners.map((row) => ({ id: row['ownerId'], name: row['ownerName'] }))),
    snapshot: {
      catalog: {
        products: products.rows.map(({ row }) => columns(row, PRODUCT)),
        productPlans: products.rows.flatMap(({ row }) =>
          ((row['plans'] ?? []) as Row[]).map((plan) => ({ ...columns(plan, PLAN), productId: row['id'] })),
        ),
        activities: activities.rows.map(({ row }) => columns(row, ACTIVITY)),
        activityEntities: activities.rows.flatMap(({ row }) =>
          row['entityType'] === null
            ? []
            : [{ activityId: row['id'], ...columns(row, ['entityType', 'entityId']), main: true }],
        ),
      },
    },
    // Activities can be attached to further entities, which no call shows.
    unknown: ['listActivities?entity_type*', 'listActivities?entity_id*'],
    isComplete: products.isComplete && activities.isComplete,
  }
}
