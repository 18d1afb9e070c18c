/**
 * One execution of an automation, which for a sequence is all of its steps. What was done before an action that fails stays
 * done, as in automation engines, and those after it are not begun; whatever set it off is left alone. All of this is
 * assumed.
 */
import { refuse, Refusal } from '../refusal.ts'
import type { EventData, Workspace } from '../workspace.ts'
import { perform, type ActionResult } from './automationActions.ts'
import { budgetOf } from './automationBudget.ts'
import { within, type Chain, type Trigger } from './automationChains.ts'
import {
  recordExecution,
  updateExecution,
  type Automation,
  type Execution,
  type NewExecution,
} from './automations.ts'
import { saidOf } from './conditions.ts'
import { appendCrmEvent } from './events.ts'
import { keptData } from './triggerData.ts'
import type { AutomationAction, Condition } from './tables.ts'

/** Rows that one execution may write, or it fails: fifty actions, and some thirty subscriptions to what each tells. */
export const MAX_ROWS = 2000

/** What is told of an action in the record of an execution. */
export type ExecutedAction = Readonly<{
  type: string
  status: 'success' | 'failed'
  result: ActionResult | null
}>

/** Actions of an execution that were done, and why the next one was not. */
interface Outcome {
  readonly done: readonly ExecutedAction[]
  readonly failure: Refusal | null
}

/** An automation that was set off: what set it off, what led to that, and its record where there is one already. */
export interface Run {
  readonly automation: Automation
  readonly trigger: Trigger
  readonly chain: Chain
  /** The record of a sequence that has waited. */
  readonly begun: Execution | undefined
  /** When it was set off, in ms since the epoch. */
  readonly startedAt: number
}

/** Does the actions in order, up to the first that fails. Only inside a `write`. */
export const act = (workspace: Workspace, run: Run, actions: readonly AutomationAction[]): Outcome =>
  within(workspace, run.chain, () => attempt(workspace, run, actions))

function attempt(
  workspace: Workspace,
  { trigger, chain: { change } }: Run,
  actions: readonly AutomationAction[],
): Outcome {
  const budget = budgetOf(workspace)
  const texts = { written: 0 }
  const rows = workspace.database.rowsWritten
  const done: ExecutedAction[] = []
  try {
    for (const action of actions) {
      const later = change.later.length
      budget.spend('actions')
      try {
        const result = workspace.write(() => {
          const made = perform(workspace, action, trigger.data, texts)
          if (workspace.database.rowsWritten - rows > MAX_ROWS) {
            refuse('invalid', `The actions led to more than ${String(MAX_ROWS)} rows, deliveries included.`)
          }
          return made
        })
        done.push({ type: action.type, status: 'success', result })
      } catch (error) {
        // Whatever is no refusal is a fault of the server, and must not be taken for one of the automation.
        if (!(error instanceof Refusal)) throw error
        // What the failed action would have led to has not happened.
        change.later.length = later
        done.push({ type: action.type, status: 'failed', result: null })
        return { done, failure: error }
      }
    }
    return { done, failure: null }
  } finally {
    budget.spend('rows', workspace.database.rowsWritten - rows)
    budget.spend('characters', texts.written)
  }
}

/** Keeps what an execution has done so far, which waits for its next action. Only inside a `write`. */
export const keepWaiting = (workspace: Workspace, run: Run, done: readonly ExecutedAction[]): Execution =>
  keep(workspace, run, { status: 'waiting', done, failureReason: null })

/** Keeps that an execution is over, and tells of it. Only inside a `write`. */
export function finish(workspace: Workspace, run: Run, { done, failure }: Outcome): void {
  const status = failure ? 'failed' : 'success'
  over(workspace, run, { status, done, failureReason: failure?.message ?? null })
}

/** Keeps that the rest of an execution is passed over, and tells of it. Only inside a `write`. */
export function skip(workspace: Workspace, run: Run, failureReason: string): void {
  over(workspace, run, { status: 'skipped', done: [], failureReason })
}

interface Kept extends Pick<NewExecution, 'status' | 'failureReason'> {
  /** In this step. */
  readonly done: readonly ExecutedAction[]
}

function over(workspace: Workspace, run: Run, kept: Kept): void {
  within(workspace, run.chain, () => {
    budgetOf(workspace).spend('executions')
    const { automation } = run
    const execution = keep(workspace, run, kept)
    // Deliveries are ordered by record: one that waits for a retry holds up no other execution.
    appendCrmEvent(workspace, 'automation.executed', execution.id, { automation, execution })
  })
}

function keep(workspace: Workspace, run: Run, { done, ...kept }: Kept): Execution {
  const { automation, trigger, begun, startedAt } = run
  const made = {
    ...kept,
    actionsExecuted: [...(begun?.actionsExecuted ?? []), ...done],
    durationMs: Math.max(0, workspace.now() - startedAt),
  }
  if (begun) return updateExecution(workspace, begun, made)
  return recordExecution(workspace, {
    ...blank(automation.id, trigger.name, trigger.data, startedAt),
    ...made,
  })
}

/** The record of an execution that has done nothing yet. */
const blank = (automationId: string, triggerEvent: string, data: EventData, executedAt: number) => ({
  automationId,
  triggerEvent,
  triggerData: keptData(data),
  actionsExecuted: [],
  durationMs: 0,
  executedAt,
})

/** Records that a condition did not hold, of which nobody is told: most events meet most conditions not. */
export function recordUnmet(
  workspace: Workspace,
  automationId: string,
  { name, data }: Trigger,
  condition: Condition,
  seen: EventData | undefined,
): void {
  if (!budgetOf(workspace).takesUnmet()) return
  recordExecution(workspace, {
    ...blank(automationId, name, data, workspace.now()),
    status: 'skipped',
    failureReason: saidOf(condition, name, seen),
  })
}

/** Records that a loop was cut, of which nobody is told: that might set off the next one. */
export function recordCut(
  workspace: Workspace,
  automation: Automation,
  { name, data }: Trigger,
  reason: string,
): void {
  budgetOf(workspace).spend('executions')
  recordExecution(workspace, {
    ...blank(automation.id, name, data, workspace.now()),
    status: 'failed',
    failureReason: reason,
  })
}
