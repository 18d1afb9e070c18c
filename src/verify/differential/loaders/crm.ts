/** Contacts, pipelines, deals, activities and automations. Executions are not loaded: only those of some automations are read. */
import type { Row } from '../../walk/readings.ts'
import { columns, owners, rowsOf, subscription, type Loader } from './loader.ts'

const CONTACT = [
  'id',
  'name',
  'email',
  'phone',
  'company',
  'position',
  'vertical',
  'tags',
  'customFields',
  'createdAt',
  'updatedAt',
]
const DEAL = [
  'id',
  'name',
  'currency',
  'status',
  'expectedCloseDate',
  'customFields',
  'closedAt',
  'closeReason',
  'closeNotes',
  'competitor',
  'createdAt',
  'updatedAt',
]
const ACTIVITY = [
  'id',
  'type',
  'contactId',
  'dealId',
  'ownerId',
  'subject',
  'description',
  'durationMinutes',
  'dueAt',
  'completedAt',
  'createdAt',
  'updatedAt',
]
const AUTOMATION = [
  'id',
  'name',
  'type',
  'active',
  'trigger',
  'actions',
  'executionsCount',
  'lastExecutedAt',
  'createdAt',
  'updatedAt',
]
const STAGE = ['id', 'name', 'probability', 'position']

const idIn = (value: unknown): unknown => (value as Row | null | undefined)?.['id'] ?? null

/** No call shows when a pipeline was created; pipelines are listed oldest first. */
const timeOf = (index: number): string => new Date(index * 1000).toISOString()

/** Places that depend on which day it is where the service is. */
const BY_DAY = ['getForecast.items*', 'getForecast.total', 'getPipelineReport.by_month*']

export const crm: Loader = (readings, { knowsTimezone }) => {
  const contacts = rowsOf(readings, 'listContacts')
  const pipelines = rowsOf(readings, 'listPipelines')
  const deals = rowsOf(readings, 'listDeals')
  const activities = rowsOf(readings, 'listActivities')
  const automations = rowsOf(readings, 'listAutomations')
  const webhooks = rowsOf(readings, 'listWebhooks')
  return {
    snapshot: {
      users: owners([
        ...activities.rows.map(({ row }) => [row['owner_id'], undefined] as const),
        ...deals.rows.map(({ row }) => {
          const owner = row['owner'] as Row | null
          return [owner?.['id'], owner?.['name']] as const
        }),
      ]),
      crm: {
        contacts: contacts.rows.map(({ row }) => columns(row, CONTACT)),
        pipelines: pipelines.rows.toReversed().map(({ row }, index) => ({
          ...columns(row, ['id', 'name', 'vertical']),
          createdAt: timeOf(index),
          updatedAt: timeOf(index),
        })),
        stages: pipelines.rows.flatMap(({ row }) =>
          ((row['stages'] ?? []) as Row[]).map((stage) => ({
            ...columns(stage, STAGE),
            pipelineId: row['id'],
          })),
        ),
        deals: deals.rows.map(({ row }) => ({
          ...columns(row, DEAL),
          contactId: idIn(row['contact']),
          pipelineId: idIn(row['pipeline']),
          stageId: idIn(row['stage']),
          ownerId: idIn(row['owner']),
          value: typeof row['value'] === 'number' ? Math.round(row['value'] * 100) : row['value'],
          stageEnteredAt: row['created_at'],
        })),
        activities: activities.rows.map(({ row }) => ({
          ...columns(row, ACTIVITY),
          status: row['completed'] === true ? 'completed' : 'planned',
        })),
        automations: automations.rows.map(({ row }) => columns(row, AUTOMATION)),
      },
      webhooks: { subscriptions: webhooks.rows.map(({ row }) => subscription('crm', row)) },
    },
    unknown: ['listAutomationExecutions*', ...(knowsTimezone ? [] : BY_DAY)],
    isComplete: [contacts, pipelines, deals, activities, automations, webhooks].every(
      ({ isComplete }) => isComplete,
    ),
  }
}
