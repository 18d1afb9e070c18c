/**
 * Runs and records one execution of an automation; a sequence with all its steps is one execution. If an action
 * fails, earlier actions keep their effects, later ones do not run, and the change that caused the event is kept.
 * All of this is assumed.
 */
import { refuse, Refusal } from '../../model/refusal.ts'
import type { EventData, Workspace } from '../../workspace/workspace.ts'
import { performAction } from './actions/actions.ts'
import { budgetOf } from './budget.ts'
import { withinChain, type Chain, type Trigger } from './chains.ts'
import {
  recordExecution,
  updateExecution,
  type Automation,
  type Execution,
  type NewExecution,
} from './automations.ts'
import { describeUnmet } from './conditions.ts'
import type { CrmEventName } from '../eventNames.ts'
import { appendCrmEvent } from '../events.ts'
import { shortenEventData } from './triggerData.ts'
import type { AutomationAction, AutomationCondition, ExecutedAction } from '../automationParts.ts'

/** The maximum number of rows of one execution: about fifty actions, each with some thirty subscriptions. */
export const MAX_ROWS = 2000

/** The actions that ran, and the refusal of the one that failed. */
interface Outcome {
  readonly executed: readonly ExecutedAction[]
  readonly failure: Refusal | null
}

/** A run of an automation, with its event, its chain and its record, if one exists. */
export interface Run {
  readonly automation: Automation
  readonly trigger: Trigger
  readonly chain: Chain
  /** The record of a sequence that has waited. */
  readonly previous: Execution | undefined
  /** When the event set it off, in ms since the epoch. */
  readonly startedAt: number
}

/** Runs the actions in order until one fails. Only inside a `write`. */
export const runActions = (workspace: Workspace, run: Run, actions: readonly AutomationAction[]): Outcome =>
  withinChain(workspace, run.chain, () => runUntilFailure(workspace, run, actions))

function runUntilFailure(
  workspace: Workspace,
  { trigger, chain: { change } }: Run,
  actions: readonly AutomationAction[],
): Outcome {
  const budget = budgetOf(workspace)
  const texts = { written: 0 }
  const rows = workspace.database.rowsWritten
  const executed: ExecutedAction[] = []
  try {
    for (const action of actions) {
      const later = change.later.length
      budget.spend('actions')
      try {
        const result = workspace.write(() => {
          const outcome = performAction(workspace, action, trigger.data, texts)
          if (workspace.database.rowsWritten - rows > MAX_ROWS) {
            refuse(
              'invalid',
              `The actions must write at most ${String(MAX_ROWS)} rows, including deliveries.`,
            )
          }
          return outcome
        })
        executed.push({ type: action.type, status: 'success', result })
      } catch (error) {
        // An error that is not a refusal is a bug of the server, not a failure of the automation.
        if (!(error instanceof Refusal)) throw error
        // The failed action was rolled back, so its events must not set off automations.
        change.later.length = later
        executed.push({ type: action.type, status: 'failed', result: null })
        return { executed, failure: error }
      }
    }
    return { executed, failure: null }
  } finally {
    budget.spend('rows', workspace.database.rowsWritten - rows)
    budget.spend('characters', texts.written)
  }
}

/** Records an execution that waits for its next action. Only inside a `write`. */
export const recordWaiting = (
  workspace: Workspace,
  run: Run,
  executed: readonly ExecutedAction[],
): Execution => store(workspace, run, { status: 'waiting', executed, failureReason: null })

/** Records the end of an execution, and appends its event. Only inside a `write`. */
export function recordFinished(workspace: Workspace, run: Run, { executed, failure }: Outcome): void {
  const status = failure ? 'failed' : 'success'
  end(workspace, run, { status, executed, failureReason: failure?.message ?? null })
}

/** Records that the rest of an execution is skipped, and appends its event. Only inside a `write`. */
export function recordSkipped(workspace: Workspace, run: Run, failureReason: string): void {
  end(workspace, run, { status: 'skipped', executed: [], failureReason })
}

interface Step extends Pick<NewExecution, 'status' | 'failureReason'> {
  /** The actions of this step. */
  readonly executed: readonly ExecutedAction[]
}

function end(workspace: Workspace, run: Run, step: Step): void {
  withinChain(workspace, run.chain, () => {
    budgetOf(workspace).spend('executions')
    const { automation } = run
    const execution = store(workspace, run, step)
    // Deliveries are ordered by record, so a retry delays no other execution.
    appendCrmEvent(workspace, 'automation.executed', execution.id, { automation, execution })
  })
}

function store(workspace: Workspace, run: Run, { executed, ...step }: Step): Execution {
  const { automation, trigger, previous, startedAt } = run
  const fields = {
    ...step,
    actionsExecuted: [...(previous?.actionsExecuted ?? []), ...executed],
    durationMs: Math.max(0, workspace.now() - startedAt),
  }
  if (previous) return updateExecution(workspace, previous, fields)
  return recordExecution(workspace, {
    ...emptyExecution(automation.id, trigger.name, trigger.data, startedAt),
    ...fields,
  })
}

/** Returns the record of an execution that has run nothing yet. */
const emptyExecution = (
  automationId: string,
  triggerEvent: CrmEventName,
  data: EventData,
  executedAt: number,
) => ({
  automationId,
  triggerEvent,
  triggerData: shortenEventData(data),
  actionsExecuted: [],
  durationMs: 0,
  executedAt,
})

/** Records an unmet condition, without an event because most events meet few conditions. */
export function recordUnmet(
  workspace: Workspace,
  automationId: string,
  { name, data }: Trigger,
  condition: AutomationCondition,
  currentData: EventData | undefined,
): void {
  if (!budgetOf(workspace).takesUnmet()) return
  recordExecution(workspace, {
    ...emptyExecution(automationId, name, data, workspace.now()),
    status: 'skipped',
    failureReason: describeUnmet(condition, name, currentData),
  })
}

/** Records a stopped loop, without an event that could set off the next loop. */
export function recordLoop(
  workspace: Workspace,
  automation: Automation,
  { name, data }: Trigger,
  reason: string,
): void {
  budgetOf(workspace).spend('executions')
  recordExecution(workspace, {
    ...emptyExecution(automation.id, name, data, workspace.now()),
    status: 'failed',
    failureReason: reason,
  })
}
