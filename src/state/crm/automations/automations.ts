/**
 * Creates and updates automations, and records their executions. Specification part 1, "CRM records", "CRM". Fields
 * that responses add to those of a request are assumed. `runs.ts` runs automations.
 */
import { eq, sql } from 'drizzle-orm'
import { trimmer } from '../../storage/queries/retention.ts'
import { numbered } from '../../storage/queries/listing.ts'
import { record } from '../../storage/records/record.ts'
import { refuseProperty } from '../../model/refusal.ts'
import type { recordKey, withTimes } from '../../storage/columns.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { countValues } from './conditions.ts'
import { automations as table, executions as executionTable } from '../tables.ts'
import { isChange } from '../../storage/unchanged.ts'

export type Automation = typeof table.$inferSelect
export type Execution = typeof executionTable.$inferSelect

/** The fields of an automation that a request may have. */
export type AutomationFields = Partial<
  Omit<
    Automation,
    keyof typeof recordKey | keyof typeof withTimes | 'event' | 'executionsCount' | 'lastExecutedAt'
  >
>
export type NewAutomation = AutomationFields & Pick<Automation, 'name' | 'trigger' | 'actions'>

/** The maximum number of automations of a workspace, because each event is checked against all of its kind. */
export const MAX_AUTOMATIONS = 1000

/** The maximum number of values in all conditions of an automation; a list counts each item. */
export const MAX_VALUES = 1000

/** Throws if the conditions have more values, because an automation checks them without a pause. */
function mustBeFewValues({ trigger }: Pick<Automation, 'trigger'>): void {
  const values = trigger.conditions.reduce((sum, condition) => sum + countValues(condition), 0)
  if (values <= MAX_VALUES) return
  refuseProperty(
    'trigger.conditions',
    'too_many',
    `{trigger.conditions} must have at most ${String(MAX_VALUES)} values together`,
  )
}

/** Automations with every filter of GET /automations; `active` is 1 or 0. */
export const automations = record(table, {
  noun: 'automation',
  limit: { count: MAX_AUTOMATIONS, called: 'automations' },
  derived: { event: ({ trigger }: Pick<Automation, 'trigger'>) => trigger.event },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      active: (value) => sql`${table.active} = ${value}`,
      type: (value) => sql`${table.type} = ${value}`,
    },
  }),
  snapshot: {
    section: 'crm',
    name: 'automations',
    check: mustBeFewValues,
  },
})

/** Executions with every filter of GET /automations/{automation_id}/executions, newest first. */
export const executions = record(executionTable, {
  noun: 'execution',
  list: numbered({
    sorts: { executed_at: executionTable.executedAt },
    filters: {
      automation_id: (value) => sql`${executionTable.automationId} = ${value}`,
      status: (value) => sql`${executionTable.status} = ${value}`,
    },
  }),
  snapshot: { section: 'crm', name: 'executions', generated: ['actionsExecuted', 'triggerData'] },
})

/** Creates an automation. Its teams, templates and users are looked up when it runs. */
export function createAutomation(workspace: Workspace, fields: NewAutomation): Automation {
  mustBeFewValues(fields)
  return workspace.write(() => {
    const now = workspace.now()
    return automations.insert(workspace, {
      ...fields,
      id: workspace.ids.prefixed('auto_'),
      createdAt: now,
      updatedAt: now,
    })
  })
}

/** Updates the given fields; without a change, does nothing. Waiting actions stay as they were. */
export function updateAutomation(
  workspace: Workspace,
  automation: Automation,
  fields: AutomationFields,
): Automation {
  if (!isChange(automation, fields)) return automation
  mustBeFewValues({ ...automation, ...fields })
  return workspace.write(() =>
    automations.update(workspace, automation, { ...fields, updatedAt: workspace.now() }),
  )
}

// ---------------------------------------------------------------- executions

/** An execution before it is stored. */
export type NewExecution = Omit<Execution, keyof typeof recordKey | 'revision'>

/** Deletes old executions, except those that still wait. */
const trimExecutions = trimmer(executionTable, sql`${executionTable.status} <> 'waiting'`)

const countExecution = automations.updateAll(
  {
    executionsCount: sql`${table.executionsCount} + 1`,
    lastExecutedAt: sql`${sql.placeholder('executedAt')}`,
  },
  eq(table.id, sql.placeholder('automationId')),
)

/** Stores an execution, and counts it unless it was skipped. Only inside a `write`. */
export function recordExecution(workspace: Workspace, fields: NewExecution): Execution {
  const { automationId, executedAt, status } = fields
  const execution = executions.insert(workspace, { ...fields, id: workspace.ids.prefixed('exec_') })
  trimExecutions(workspace)
  if (status !== 'skipped') countExecution(workspace, { automationId, executedAt })
  return execution
}

/** Updates an execution after its next actions. Only inside a `write`. */
export const updateExecution = (
  workspace: Workspace,
  execution: Execution,
  changes: Pick<Execution, 'status' | 'actionsExecuted' | 'failureReason' | 'durationMs'>,
): Execution => executions.update(workspace, execution, changes)
