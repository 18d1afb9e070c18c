/**
 * Automations at work. Each event of the CRM is looked at in the transaction that appends it: the active automations
 * that wait for it, and whose conditions are met, do their actions there and then, the oldest automation first.
 *
 * An execution happens as a whole or not at all. One that fails undoes what it did, keeps the reason and leaves alone
 * whatever set it off. Nothing is recorded where conditions are not met. All of this is assumed: the specification
 * shows automations and the record of their executions, not how they come about.
 */
import { Type } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Follower } from '../events.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { Refusal } from '../refusal.ts'
import { filled, freeObject } from '../shapes.ts'
import type { EventData, Workspace } from '../workspace.ts'
import { conditionData, hoursFrom, perform, type ActionResult } from './automationActions.ts'
import {
  actionShape,
  automations,
  recordExecution,
  type Automation,
  type NewExecution,
} from './automations.ts'
import { isMet } from './conditions.ts'
import { appendCrmEvent } from './events.ts'
import { automations as automationTable, waitingSteps as table, type AutomationAction } from './tables.ts'

/** An automation may set off another, and that one a third: so many in a row, and none twice. */
export const LONGEST_CHAIN = 5

/** One change may lead to so many executions, however they set each other off. */
export const MOST_EXECUTIONS = 100

/** What has led to what happens at this moment. */
interface Chain {
  /** Ids of the automations that have set each other off, the first one first. */
  readonly ids: readonly string[]
  /** Shared by all that one change leads to. */
  readonly left: { executions: number }
}

const newChain = (ids: readonly string[] = []): Chain => ({ ids, left: { executions: MOST_EXECUTIONS } })

/** Where an automation is at work, what has led to it. */
const chains = new WeakMap<Workspace, Chain>()

function within<T>(workspace: Workspace, chain: Chain, work: () => T): T {
  const outer = chains.get(workspace)
  chains.set(workspace, chain)
  try {
    return work()
  } finally {
    if (outer) chains.set(workspace, outer)
    else chains.delete(workspace)
  }
}

/** What sets an automation off. */
interface Trigger {
  readonly name: string
  readonly data: EventData
}

const waitingFor = query((orm) =>
  orm
    .select()
    .from(automationTable)
    .where(
      and(
        ofWorkspace(automationTable),
        eq(automationTable.event, sql.placeholder('event')),
        eq(automationTable.active, true),
      ),
    )
    .orderBy(asc(automationTable.createdAt), asc(sql`rowid`)),
)

/** Sets off the automations that wait for this event. */
export const crmAutomations: Follower = (workspace, { interface: of, name, data }) => {
  if (of !== 'crm') return
  const waiting = waitingFor.all(workspace, { event: name })
  if (waiting.length === 0) return
  const chain = chains.get(workspace) ?? newChain()
  const seen = conditionData(workspace, data)
  for (const automation of waiting) {
    if (!automation.trigger.conditions.every((condition) => isMet(condition, seen, workspace))) continue
    setOff(workspace, automation, { name, data }, chain)
  }
}

function setOff(workspace: Workspace, automation: Automation, trigger: Trigger, chain: Chain): void {
  const cut = reasonToCut(automation, chain)
  if (cut !== null) {
    recordExecution(workspace, {
      ...executionOf(workspace, automation, trigger),
      status: 'failed',
      failureReason: cut,
    })
    return
  }
  chain.left.executions -= 1
  const next = { ...chain, ids: [...chain.ids, automation.id] }
  proceed(workspace, automation, trigger, next, automation.actions)
}

function reasonToCut({ id }: Automation, { ids, left }: Chain): string | null {
  if (ids.includes(id)) return 'loop: the automation was set off by what it did itself'
  if (ids.length >= LONGEST_CHAIN) {
    return `loop: ${String(LONGEST_CHAIN)} automations had set each other off before`
  }
  if (left.executions <= 0) return `loop: one change had led to ${String(MOST_EXECUTIONS)} executions before`
  return null
}

/** The record of an execution that has done nothing yet. */
const executionOf = (workspace: Workspace, automation: Automation, trigger: Trigger) => ({
  automationId: automation.id,
  triggerEvent: trigger.name,
  triggerData: trigger.data,
  actionsExecuted: [],
  durationMs: 0,
  executedAt: workspace.now(),
})

/** Does the actions up to the first that waits for the clock, and has the rest wait. */
function proceed(
  workspace: Workspace,
  automation: Automation,
  trigger: Trigger,
  chain: Chain,
  actions: readonly AutomationAction[],
): void {
  const delayed = actions.findIndex((action) => delayOf(automation, action) > 0)
  const now = delayed < 0 ? actions : actions.slice(0, delayed)
  const later = delayed < 0 ? [] : actions.slice(delayed)
  const succeeded = now.length === 0 || execute(workspace, automation, trigger, chain, now)
  const [first] = later
  if (succeeded && first) {
    wait(workspace, automation, trigger, chain, later, delayOf(automation, first))
  }
}

/** In hours; only sequences wait. */
function delayOf({ type }: Automation, { config }: AutomationAction): number {
  const delay = config['delay_hours']
  return type === 'sequence' && typeof delay === 'number' ? delay : 0
}

/** What is told of an action in the record of an execution. */
type ExecutedAction = Readonly<{
  type: string
  status: 'success' | 'failed' | 'undone'
  result: ActionResult | null
}>

/** Does the actions in order, all of them or none, and records it. Answers whether they were done. */
function execute(
  workspace: Workspace,
  automation: Automation,
  trigger: Trigger,
  chain: Chain,
  actions: readonly AutomationAction[],
): boolean {
  const started = executionOf(workspace, automation, trigger)
  return within(workspace, chain, () => {
    const done: ExecutedAction[] = []
    const failure = attempt(workspace, trigger, actions, done)
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
  trigger: Trigger,
  actions: readonly AutomationAction[],
  done: ExecutedAction[],
): Refusal | null {
  try {
    workspace.write(() => {
      for (const action of actions) {
        done.push({ type: action.type, status: 'success', result: perform(workspace, action, trigger.data) })
      }
    })
    return null
  } catch (error) {
    // Whatever is no refusal is a fault of the server, and must not be taken for one of the automation.
    if (error instanceof Refusal) return error
    throw error
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

function tell(workspace: Workspace, automation: Automation, made: NewExecution): void {
  const execution = recordExecution(workspace, made)
  appendCrmEvent(workspace, 'automation.executed', automation.id, { automation, execution })
}

// ---------------------------------------------------------------- what waits for the clock

type WaitingStep = typeof table.$inferSelect

/** What sequences still have to do; they go on when the time of their next action has come. */
export const waitingSteps = record(table, {
  noun: 'step',
  due: {
    at: 'dueAt',
    when: {},
    job: 'crm.automation.step',
    run(workspace, step) {
      waitingSteps.remove(workspace, step.id)
      resume(workspace, step)
    },
  },
  snapshot: {
    section: 'crm',
    name: 'waitingSteps',
    instants: ['dueAt'],
    shapes: () => ({
      actions: Type.Array(actionShape()),
      triggerData: freeObject(),
      chain: Type.Array(filled()),
    }),
  },
})

function wait(
  workspace: Workspace,
  automation: Automation,
  trigger: Trigger,
  { ids }: Chain,
  actions: readonly AutomationAction[],
  hours: number,
): void {
  waitingSteps.insert(workspace, {
    id: workspace.ids.prefixed('step_'),
    automationId: automation.id,
    actions,
    triggerEvent: trigger.name,
    triggerData: trigger.data,
    chain: ids,
    dueAt: hoursFrom(workspace.now(), hours),
  })
}

function resume(workspace: Workspace, step: WaitingStep): void {
  const automation = automations.find(workspace, step.automationId)
  if (!automation) return
  const trigger = { name: step.triggerEvent, data: step.triggerData }
  const chain = newChain(step.chain)
  if (!automation.active) {
    within(workspace, chain, () => {
      tell(workspace, automation, {
        ...executionOf(workspace, automation, trigger),
        status: 'skipped',
        failureReason: 'The automation was not active when the action was due.',
      })
    })
    return
  }
  const [first, ...others] = step.actions
  // Its own wait is over.
  if (first) proceed(workspace, automation, trigger, chain, [withoutDelay(first), ...others])
}

const withoutDelay = ({ type, config }: AutomationAction): AutomationAction => ({
  type,
  config: { ...config, delay_hours: 0 },
})
