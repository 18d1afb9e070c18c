/**
 * What can be done to automations, and the record of what they did. Specification part 1, "CRM records", "CRM". What
 * an automation answers with beside the fields that are sent is assumed; how it works is told in `automationRuns.ts`.
 */
import { and, desc, eq, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../clock.ts'
import { addColumns } from '../columns.ts'
import { statement } from '../database.ts'
import { trimmer } from '../retention.ts'
import { numberedList, type Head } from '../listing.ts'
import { refuse } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { automations, executions } from './tables.ts'

export type Automation = typeof automations.$inferSelect
export type Execution = typeof executions.$inferSelect

/** The fields of an automation that a caller may send. */
type SentField = 'name' | 'type' | 'active' | 'trigger' | 'actions'

export type AutomationFields = { readonly [Field in SentField]?: Automation[Field] }
export type NewAutomation = AutomationFields & Pick<Automation, 'name' | 'trigger' | 'actions'>

export const automationRows = rows(automations)
export const executionRows = rows(executions)

/** Automations with every filter of GET /automations; `active` is 1 or 0. */
export const listAutomations = numberedList({
  table: automations,
  sorts: { created_at: automations.createdAt },
  filters: {
    active: (value) => sql`${automations.active} = ${value}`,
    type: (value) => sql`${automations.type} = ${value}`,
  },
})

const noAutomation = (id: string): never => refuse('not_found', `There is no automation ${id}.`)

/** The automation, or a refusal. */
export const findAutomation = (workspace: Workspace, id: string): Automation =>
  automationRows.find(workspace, id) ?? noAutomation(id)

/** Id and revision of the automation, or a refusal. */
export const findAutomationHead = (workspace: Workspace, id: string): Head =>
  automationRows.head(workspace, id) ?? noAutomation(id)

/** Adds an automation. Teams, templates and users that its actions name are looked up when it is set off. */
export function createAutomation(workspace: Workspace, fields: NewAutomation): Automation {
  return workspace.write(() => {
    const now = workspace.now()
    const automation = deriveAutomation(workspace, {
      type: 'workflow',
      active: true,
      ...fields,
      workspace: workspace.number,
      id: workspace.ids.prefixed('auto_'),
      executionsCount: 0,
      lastExecutedAt: null,
      createdAt: now,
      updatedAt: now,
    })
    automationRows.insert(workspace.database, automation)
    return automation
  })
}

/** Changes the fields that were sent; nothing at all when none was. What waits for the clock stays as it was. */
export function updateAutomation(
  workspace: Workspace,
  automation: Automation,
  fields: AutomationFields,
): Automation {
  if (Object.keys(fields).length === 0) return automation
  return workspace.write(() => {
    const updated = deriveAutomation(workspace, { ...automation, ...fields, updatedAt: workspace.now() })
    automationRows.update(workspace.database, updated)
    return updated
  })
}

/** For good, and with it go the record of what it did and what it still has to do. */
export function deleteAutomation(workspace: Workspace, automation: Automation): void {
  workspace.write(() => {
    automationRows.remove(workspace, automation.id)
  })
}

export type DerivedOfAutomation = 'event' | 'revision'

/** The automation with the columns that follow from the others. */
export const deriveAutomation = (
  workspace: Workspace,
  automation: Omit<Automation, DerivedOfAutomation>,
): Automation =>
  addColumns(automation, {
    event: automation.trigger.event,
    revision: workspace.database.nextRevision(),
  })

/** The automation as it goes over the wire. */
export const automationFacts = (automation: Automation) => ({
  id: automation.id,
  name: automation.name,
  type: automation.type,
  active: automation.active,
  trigger: { event: automation.trigger.event, conditions: [...automation.trigger.conditions] },
  actions: [...automation.actions],
  executions_count: automation.executionsCount,
  last_executed_at: isoOrNull(automation.lastExecutedAt),
  created_at: iso(automation.createdAt),
  updated_at: iso(automation.updatedAt),
})

// ---------------------------------------------------------------- executions

/** What an execution did, before it is kept. */
export type NewExecution = Pick<
  Execution,
  | 'automationId'
  | 'status'
  | 'triggerEvent'
  | 'triggerData'
  | 'actionsExecuted'
  | 'failureReason'
  | 'durationMs'
  | 'executedAt'
>

const trimExecutions = trimmer(executions)

const countExecution = statement((orm) =>
  orm
    .update(automations)
    .set({
      executionsCount: sql`${automations.executionsCount} + 1`,
      lastExecutedAt: sql`${sql.placeholder('executedAt')}`,
      revision: sql`${sql.placeholder('revision')}`,
    })
    .where(
      and(
        eq(automations.workspace, sql.placeholder('workspace')),
        eq(automations.id, sql.placeholder('automationId')),
      ),
    )
    .prepare(),
)

/** Keeps what an execution did, and counts it. Only inside a `write`. */
export function recordExecution(workspace: Workspace, made: NewExecution): Execution {
  const { database, number } = workspace
  const execution: Execution = {
    ...made,
    workspace: number,
    id: workspace.ids.prefixed('exec_'),
    revision: database.nextRevision(),
  }
  executionRows.insert(database, execution)
  trimExecutions(workspace)
  countExecution(database).run({
    workspace: number,
    automationId: made.automationId,
    executedAt: made.executedAt,
    revision: database.nextRevision(),
  })
  return execution
}

/** Executions that are shown of an automation; the specification shows no pages of them. */
export const SHOWN_EXECUTIONS = 100

const newestExecutions = statement((orm) =>
  orm
    .select()
    .from(executions)
    .where(
      and(
        eq(executions.workspace, sql.placeholder('workspace')),
        eq(executions.automationId, sql.placeholder('automationId')),
      ),
    )
    .orderBy(desc(executions.executedAt), desc(sql`rowid`))
    .limit(SHOWN_EXECUTIONS)
    .prepare(),
)

/** What the automation did, the newest first. */
export const listExecutions = (workspace: Workspace, automationId: string): Execution[] =>
  newestExecutions(workspace.database).all({ workspace: workspace.number, automationId })

/** The execution as it goes over the wire. */
export const executionFacts = (execution: Execution) => ({
  id: execution.id,
  automation_id: execution.automationId,
  status: execution.status,
  trigger_event: execution.triggerEvent,
  trigger_data: execution.triggerData,
  actions_executed: [...execution.actionsExecuted],
  failure_reason: execution.failureReason,
  duration_ms: execution.durationMs,
  executed_at: iso(execution.executedAt),
})
