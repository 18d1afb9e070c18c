/**
 * Automations at work. Each event of the CRM is looked at in the transaction that appends it: the active automations
 * that wait for it, and whose conditions are met, do their actions there and then, the oldest automation first. What
 * exceeds the budget of a call goes on after its answer, in slices and in the same order (`unfinishedChanges`).
 *
 * Where conditions are not met that is recorded, and not counted. All of this is assumed: the specification shows
 * automations and the record of their executions, not how they come about.
 */
import { Type } from '@sinclair/typebox'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Follower } from '../events.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { filled, oneOf, told, whole } from '../shapes.ts'
import type { EventData, Workspace } from '../workspace.ts'
import { hoursFrom } from './automationActions.ts'
import { budgetOf, newBudget } from './automationBudget.ts'
import {
  chainOf,
  newChange,
  reasonToCut,
  type Chain,
  type Change,
  type UnseenEvent,
} from './automationChains.ts'
import { act, finish, keepWaiting, recordCut, recordUnmet, skip, type Run } from './automationExecutions.ts'
import { actionsShape, automations, executions, type Automation, type Execution } from './automations.ts'
import { goneSince, subjectOf } from './automationSubjects.ts'
import { isMet, weightOf } from './conditions.ts'
import { CRM_EVENTS } from './events.ts'
import {
  unfinishedChanges as unfinishedTable,
  unseenEvents as unseenTable,
  waitingSteps as table,
  type AutomationAction,
} from './tables.ts'
import { isWaitedFor, waitingFor } from './waitingAutomations.ts'

/** Sets off the automations that wait for this event. */
export const crmAutomations: Follower = (workspace, { interface: of, name, data }) => {
  if (of !== 'crm' || !isWaitedFor(workspace, name)) return
  const outer = chainOf(workspace)
  const event = { trigger: { name, data }, chain: outer?.ids ?? [], automations: null, id: null }
  if (outer) lookAt(workspace, event, outer.change)
  else {
    follow(workspace, (change) => {
      lookAt(workspace, event, change)
    })
  }
}

/** Does what a change leads to, and keeps what exceeds the budget. */
function follow(workspace: Workspace, work: (change: Change) => void): void {
  const change = newChange()
  work(change)
  if (change.later.length > 0) keepUnfinished(workspace, change)
}

/** Has the automations look at an event that have not yet, as many as the budget allows. */
function lookAt(workspace: Workspace, event: UnseenEvent, change: Change): void {
  const budget = budgetOf(workspace)
  if (budget.isUsedUp()) {
    change.later.push(event)
    return
  }
  const { trigger, chain: ids } = event
  const chain = { ids, change }
  const waiting = waitingFor(workspace, trigger.name, event.automations)
  budget.spend('looks', waiting.length)
  let seen: EventData | undefined
  for (const [index, { id, trigger: wanted }] of waiting.entries()) {
    const putOff = (): void => {
      change.later.push({ ...event, automations: waiting.slice(index).map((each) => each.id) })
    }
    // The first is looked at in any case, so that each slice comes nearer to the end.
    if (index > 0 && budget.isUsedUp()) {
      putOff()
      return
    }
    const reason = reasonToCut(id, chain)
    if (reason !== null && change.cutOff.has(cutOffKey(id, reason))) continue
    budget.spend(
      'looks',
      wanted.conditions.reduce((sum, condition) => sum + weightOf(condition), 0),
    )
    if (wanted.conditions.length > 0) seen ??= subjectOf(workspace, trigger.data).data
    const unmet = wanted.conditions.find((condition) => !isMet(condition, trigger.name, seen, workspace))
    if (unmet) {
      if (reason === null) recordUnmet(workspace, id, trigger, unmet, seen)
      continue
    }
    const automation = automations.find(workspace, id)
    if (!automation) continue
    if (reason !== null) {
      change.cutOff.add(cutOffKey(id, reason))
      recordCut(workspace, automation, trigger, reason)
    } else if (budget.allows(automation.actions.length)) {
      change.executions += 1
      const begins = { begun: undefined, startedAt: workspace.now() }
      const run = { automation, trigger, chain: { ids: [...ids, id], change }, ...begins }
      proceed(workspace, run, automation.actions)
      // The next one sees what this one has done.
      seen = undefined
    } else {
      putOff()
      return
    }
  }
}

/** A loop comes by many times; it is recorded once. */
const cutOffKey = (id: string, reason: string): string => `${id} ${reason}`

/** Does the actions up to the first that waits for the clock, and has the rest wait. */
function proceed(workspace: Workspace, run: Run, actions: readonly AutomationAction[]): void {
  const delayed = actions.findIndex((action) => delayOf(run.automation, action) > 0)
  const now = delayed < 0 ? actions : actions.slice(0, delayed)
  const [next, ...others] = delayed < 0 ? [] : actions.slice(delayed)
  const outcome = act(workspace, run, now)
  if (outcome.failure || !next) finish(workspace, run, outcome)
  else {
    const execution = keepWaiting(workspace, run, outcome.done)
    wait(workspace, execution, run.chain, [next, ...others], delayOf(run.automation, next))
  }
}

/** In hours; only sequences wait. */
function delayOf({ type }: Automation, { config }: AutomationAction): number {
  const delay = config['delay_hours']
  return type === 'sequence' && typeof delay === 'number' ? delay : 0
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
    atOnce: 1,
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
      actions: actionsShape(),
      triggerEvent: oneOf(CRM_EVENTS),
      triggerData: told(),
      chain: Type.Array(filled()),
    }),
  },
})

/** The step has the id of the execution that waits. */
function wait(
  workspace: Workspace,
  { id, automationId, triggerEvent, triggerData }: Execution,
  { ids }: Chain,
  actions: readonly AutomationAction[],
  hours: number,
): void {
  waitingSteps.insert(workspace, {
    id,
    automationId,
    actions,
    triggerEvent,
    triggerData,
    chain: ids,
    dueAt: hoursFrom(workspace.now(), hours),
  })
}

function resume(workspace: Workspace, step: WaitingStep): void {
  const automation = automations.find(workspace, step.automationId)
  if (!automation) return
  newBudget(workspace)
  const trigger = { name: step.triggerEvent, data: step.triggerData }
  const begun = executions.find(workspace, step.id)
  const startedAt = begun?.executedAt ?? workspace.now()
  follow(workspace, (change) => {
    // What waits is of a sequence, whatever its automation has become since.
    const ofSequence = { ...automation, type: 'sequence' as const }
    const run = { automation: ofSequence, trigger, chain: { ids: step.chain, change }, begun, startedAt }
    const [first, ...others] = step.actions
    const gone = goneSince(workspace, trigger)
    if (!automation.active) skip(workspace, run, 'The automation was not active when the action was due.')
    else if (gone.length > 0) skip(workspace, run, `Deleted before the action was due: ${gone.join(', ')}.`)
    // Its own wait is over.
    else if (first) proceed(workspace, run, [withoutDelay(first), ...others])
  })
}

/** When a sequence that waits goes on; null for an execution that does not wait. */
export const goesOnAt = (workspace: Workspace, { id, status }: Execution): number | null =>
  status === 'waiting' ? (waitingSteps.find(workspace, id)?.dueAt ?? null) : null

const withoutDelay = ({ type, config }: AutomationAction): AutomationAction => ({
  type,
  config: { ...config, delay_hours: 0 },
})

// ---------------------------------------------------------------- what exceeds the budget

/** A row that is due stays due until all that the change leads to is done; each run does a slice of it. */
export const unfinishedChanges = record(unfinishedTable, {
  noun: 'unfinished change',
  due: { at: 'dueAt', when: {}, job: 'crm.automation.slice', atOnce: 1, run: doSlice },
  snapshot: {
    section: 'crm',
    name: 'unfinishedChanges',
    instants: ['dueAt'],
    shapes: () => ({ executions: whole(0), cutOff: Type.Array(filled()) }),
  },
})

export const unseenEvents = record(unseenTable, {
  noun: 'unseen event',
  snapshot: {
    section: 'crm',
    name: 'unseenEvents',
    shapes: () => ({
      triggerEvent: oneOf(CRM_EVENTS),
      triggerData: told(),
      chain: Type.Array(filled()),
      automations: Type.Union([Type.Array(filled()), Type.Null()]),
    }),
  },
})

function keepUnfinished(workspace: Workspace, change: Change): void {
  const { id } = unfinishedChanges.insert(workspace, {
    id: workspace.ids.prefixed('chg_'),
    executions: change.executions,
    cutOff: [...change.cutOff],
    dueAt: workspace.now(),
  })
  keepLater(workspace, id, change.later)
}

/** The last first, for what was kept last is done next. */
function keepLater(workspace: Workspace, changeId: string, later: readonly UnseenEvent[]): void {
  for (const { id, trigger, chain, automations: left } of later.toReversed()) {
    if (id !== null) setLeft(workspace, { id, left: JSON.stringify(left) })
    else {
      unseenEvents.insert(workspace, {
        id: workspace.ids.prefixed('unseen_'),
        changeId,
        triggerEvent: trigger.name,
        triggerData: trigger.data,
        chain,
        automations: left,
      })
    }
  }
}

/** Leaves the data of the event where they are, for they may be large. */
const setLeft = unseenEvents.updateAll(
  { automations: sql`${sql.placeholder('left')}` },
  eq(unseenTable.id, sql.placeholder('id')),
)

/** The change that comes first is finished first, whichever was found to be due. */
const firstUnfinished = query((orm) =>
  orm
    .select()
    .from(unfinishedTable)
    .where(ofWorkspace(unfinishedTable))
    .orderBy(asc(unfinishedTable.dueAt), asc(sql`rowid`))
    .limit(1),
)

const nextUnseen = query((orm) =>
  orm
    .select()
    .from(unseenTable)
    .where(and(ofWorkspace(unseenTable), eq(unseenTable.changeId, sql.placeholder('changeId'))))
    .orderBy(desc(sql`rowid`))
    .limit(1),
)

/** What it costs to read an event that was put off, in looks. */
const READING = 40

function doSlice(workspace: Workspace): void {
  const unfinished = firstUnfinished.first(workspace)
  if (!unfinished) return
  const budget = newBudget(workspace)
  const change: Change = {
    executions: unfinished.executions,
    cutOff: new Set(unfinished.cutOff),
    later: [],
  }
  while (!budget.isUsedUp()) {
    const next = nextUnseen.first(workspace, { changeId: unfinished.id })
    if (!next) {
      unfinishedChanges.remove(workspace, unfinished.id)
      return
    }
    lookAgain(workspace, next, change)
    budget.spend('looks', READING)
  }
  const { executions, cutOff } = change
  unfinishedChanges.update(workspace, unfinished, { executions, cutOff: [...cutOff] })
}

function lookAgain(workspace: Workspace, row: typeof unseenTable.$inferSelect, change: Change): void {
  const { id, changeId, chain, automations: left, triggerEvent: name, triggerData: data } = row
  change.later.length = 0
  lookAt(workspace, { id, trigger: { name, data }, chain, automations: left }, change)
  if (!change.later.some((event) => event.id === id)) unseenEvents.remove(workspace, id)
  keepLater(workspace, changeId, change.later)
}
