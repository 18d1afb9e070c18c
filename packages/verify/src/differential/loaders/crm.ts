/** Contacts, pipelines, deals, activities and automations with their executions. */
import { iso, parseInstant, UTC } from '@suite-sim/kit/time/instants'
import type { Answers, Row } from '../../crawl/answers.ts'
import {
  columns,
  hundredths,
  plainBodies,
  rowsOf,
  rowsOfEach,
  startOf,
  subscription,
  timesAt,
  users,
  type Loaded,
  type Loader,
  type LoadOptions,
} from './loader.ts'

const CONTACT = [
  ...['id', 'name', 'email', 'phone', 'company', 'position', 'vertical', 'tags', 'customFields'],
  ...['createdAt', 'updatedAt'],
]
const DEAL = [
  ...['id', 'name', 'currency', 'status', 'expectedCloseDate', 'customFields', 'closedAt', 'closeReason'],
  ...['closeNotes', 'competitor', 'createdAt', 'updatedAt'],
]
const ACTIVITY = [
  ...['id', 'type', 'contactId', 'dealId', 'ownerId', 'subject', 'description', 'durationMinutes', 'dueAt'],
  ...['completedAt', 'createdAt', 'updatedAt'],
]
const AUTOMATION = [
  ...['id', 'name', 'type', 'active', 'trigger', 'actions', 'executionsCount', 'lastExecutedAt'],
  ...['createdAt', 'updatedAt'],
]
const EXECUTION = [
  ...['id', 'automationId', 'status', 'triggerEvent', 'triggerData', 'actionsExecuted', 'failureReason'],
  ...['durationMs', 'executedAt'],
]
const DAY_MS = 86_400_000

export const crm: Loader = { needs: ['listAutomationExecutions'], load }

function load(answers: Answers, { knowsTimezone }: LoadOptions): Loaded {
  const contacts = rowsOf(answers, 'listContacts')
  const pipelines = rowsOf(answers, 'listPipelines')
  const deals = rowsOf(answers, 'listDeals')
  const activities = rowsOf(answers, 'listActivities')
  const automations = rowsOf(answers, 'listAutomations')
  const executions = rowsOfEach(answers, 'listAutomationExecutions', automations)
  const webhooks = rowsOf(answers, 'listWebhooks')
  const actionsOf = new Map(automations.rows.map(({ row }) => [row['id'], row['actions'] as unknown[]]))
  const now = startOf(answers)
  return {
    // The report has the users without records, too, in their order.
    users: users([
      ...plainBodies(answers, 'getTeamReport').flatMap((body) =>
        ((body as { team?: Row[] }).team ?? []).map((member) => member['owner']),
      ),
      ...deals.rows.map(({ row }) => row['owner']),
      ...activities.rows.map(({ row }) => ({ id: row['owner_id'] })),
    ]),
    snapshot: {
      crm: {
        contacts: contacts.rows.map(({ row }) => columns(row, CONTACT)),
        // The oldest pipeline comes first in the list.
        pipelines: pipelines.rows.toReversed().map(({ row }, index) => ({
          ...columns(row, ['id', 'name', 'vertical']),
          ...timesAt(index),
        })),
        stages: pipelines.rows.flatMap(({ row }) =>
          ((row['stages'] ?? []) as Row[]).map((stage) => ({
            ...columns(stage, ['id', 'name', 'probability', 'position']),
            pipelineId: row['id'],
          })),
        ),
        deals: deals.rows.map(({ row }) => dealOf(row, now)),
        activities: activities.rows.map(({ row }) => ({
          ...columns(row, ACTIVITY),
          status: row['completed'] === true ? 'completed' : 'planned',
        })),
        automations: automations.rows.map(({ row }) => columns(row, AUTOMATION)),
        executions: executions.rows.map(({ row }) => columns(row, EXECUTION)),
        waitingSteps: executions.rows.flatMap(({ row }) => {
          const done = (row['actions_executed'] ?? []) as unknown[]
          const actions = actionsOf.get(row['automation_id'])?.slice(done.length) ?? []
          if (typeof row['next_action_at'] !== 'string' || actions.length === 0) return []
          const step = columns(row, ['id', 'automationId', 'triggerEvent', 'triggerData'])
          return [{ ...step, actions, chain: [row['automation_id']], dueAt: row['next_action_at'] }]
        }),
      },
      webhooks: { subscriptions: webhooks.rows.map(({ row }) => subscription('crm', row)) },
    },
    unknown: [
      // No call shows in which stages a deal was before.
      'getPipelineReport.by_stage[].avg_days',
      ...(knowsTimezone ? [] : ['getForecast*', 'getPipelineReport?group_by*', 'getTeamReport?from*']),
    ],
    derived: [
      ...['getDeal.activities_count', 'getPipeline.stages*', 'getPipeline.total*'],
      ...['getPipeline.weighted_value', 'getPipeline.other_currencies*'],
    ],
    isComplete: [contacts, pipelines, deals, activities, automations, executions, webhooks].every(
      ({ isComplete }) => isComplete,
    ),
  }
}

function dealOf(row: Row, now: string): Record<string, unknown> {
  const idOf = (name: string): unknown => (row[name] as Row | null)?.['id'] ?? null
  const { closed_at: closedAt } = row
  const until = parseInstant(typeof closedAt === 'string' ? closedAt : now, UTC)
  return {
    ...columns(row, DEAL),
    contactId: idOf('contact'),
    pipelineId: idOf('pipeline'),
    stageId: idOf('stage'),
    ownerId: idOf('owner'),
    value: hundredths(row['value']),
    // Only the whole days in the stage are shown.
    stageEnteredAt: until === null ? now : iso(until - Number(row['days_in_stage'] ?? 0) * DAY_MS),
  }
}
