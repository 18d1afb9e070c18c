/**
 * One execution of an automation. It happens as a whole or not at all: one that fails undoes what it did, keeps the reason
 * and leaves alone whatever set it off. All of this is assumed.
 */
import { refuse, Refusal } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { perform, type ActionResult } from './automationActions.ts'
import { budgetOf } from './automationBudget.ts'
import { within, type Chain, type Trigger } from './automationChains.ts'
import { recordExecution, type Automation, type NewExecution } from './automations.ts'
import { appendCrmEvent } from './events.ts'
import { keptData } from './triggerData.ts'
import type { AutomationAction } from './tables.ts'

/** Rows that one execution may write, or it fails: fifty actions, and some thirty subscriptions to what each tells. */
export const MOST_ROWS = 2000

/** The record of an execution that has done nothing yet. */
const executionOf = (workspace: Workspace, automation: Automation, trigger: Trigger) => ({
  automationId: automation.id,
  triggerEvent: trigger.name,
  triggerData: keptData(trigger.data),
  actionsExecuted: [],
  durationMs: 0,
  executedAt: workspace.now(),
})

/** What is told of an action in the record of an execution. */
type ExecutedAction = Readonly<{
  type: string
  status: 'success' | 'failed' | 'undone'
  result: ActionResult | null
}>

/** Does the actions in order, all of them or none, and records it. Answers whether they were done. */
export function execute(
  workspace: Workspace,
  automation: Automation,
  trigger: Trigger,
  chain: Chain,
  actions: readonly AutomationAction[],
): boolean {
  const started = executionOf(workspace, automation, trigger)
  return within(workspace, chain, () => {
    const done: ExecutedAction[] = []
    const failure = attempt(workspace, trigger, chain, actions, done)
    tell(workspace, automation, {
      ...started,
      status: failure ? 'failed' : 'success',
      actionsExecuted: failure ? undone(done, actions) : done,
      failureReason: failure?.message ?? null,
      durationMs: workspace.now() - started.executedAt,
    })
    return failure === null
  })
}

/** Adds to `done` what was done. Answers why not all of it was, and then nothing is. */
function attempt(
  workspace: Workspace,
  { data }: Trigger,
  { change }: Chain,
  actions: readonly AutomationAction[],
  done: ExecutedAction[],
): Refusal | null {
  const budget = budgetOf(workspace)
  const texts = { written: 0 }
  const later = change.later.length
  const rows = workspace.database.rowsWritten
  try {
    workspace.write(() => {
      for (const action of actions) {
        budget.spend('actions')
        const result = perform(workspace, action, data, texts)
        if (workspace.database.rowsWritten - rows > MOST_ROWS) {
          refuse('invalid', `The actions led to more than ${String(MOST_ROWS)} rows, deliveries included.`)
        }
        done.push({ type: action.type, status: 'success', result })
      }
    })
    budget.spend('rows', workspace.database.rowsWritten - rows)
    return null
  } catch (error) {
    // Whatever is no refusal is a fault of the server, and must not be taken for one of the automation.
    if (!(error instanceof Refusal)) throw error
    // What the undone actions would have led to has not happened.
    change.later.length = later
    return error
  } finally {
    budget.spend('characters', texts.written)
  }
}

/** What was done before an action failed, and that one; those after it were not begun. */
function undone(done: readonly ExecutedAction[], actions: readonly AutomationAction[]): ExecutedAction[] {
  const failed = actions[done.length]
  return [
    ...done.map(({ type }) => ({ type, status: 'undone' as const, result: null })),
    ...(failed ? [{ type: failed.type, status: 'failed' as const, result: null }] : []),
  ]
}

/** Records that an automation has been passed over, and tells of it. */
export function skip(workspace: Workspace, automation: Automation, trigger: Trigger, chain: Chain): void {
  within(workspace, chain, () => {
    tell(workspace, automation, {
      ...executionOf(workspace, automation, trigger),
      status: 'skipped',
      failureReason: 'The automation was not active when the action was due.',
    })
  })
}

/** Records that a loop was cut, of which nobody is told: that might set off the next one. */
export function recordCut(
  workspace: Workspace,
  automation: Automation,
  trigger: Trigger,
  reason: string,
): void {
  budgetOf(workspace).spend('executions')
  recordExecution(workspace, {
    ...executionOf(workspace, automation, trigger),
    status: 'failed',
    failureReason: reason,
  })
}

function tell(workspace: Workspace, automation: Automation, made: NewExecution): void {
  budgetOf(workspace).spend('executions')
  const execution = recordExecution(workspace, made)
  appendCrmEvent(workspace, 'automation.executed', automation.id, { automation, execution })
}
