/**
 * Runs automations. In the transaction of an event, every active automation of that event whose conditions are met
 * runs its actions, the oldest automation first. Work beyond the budget continues in slices, in the same order
 * (`unfinishedChanges`). Assumed: the specification does not show when automations run.
 */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Follower } from '../../workspace/events.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { record } from '../../storage/records/record.ts'
import type { EventData, Workspace } from '../../workspace/workspace.ts'
import { hoursFrom } from './actions/actions.ts'
import { budgetOf, newBudget } from './budget.ts'
import { chainOf, newChange, reasonToStop, type Chain, type Change, type UnseenEvent } from './chains.ts'
import {
  runActions,
  recordFinished,
  recordWaiting,
  recordLoop,
  recordUnmet,
  recordSkipped,
  type Run,
} from './executions.ts'
import { automations, executions, type Automation, type Execution } from './automations.ts'
import { deletedSince, subjectOf } from './actions/subjects.ts'
import { isMet, countValues } from './conditions.ts'
import type { AutomationAction } from '../automationParts.ts'
import type { CrmEventName } from '../eventNames.ts'
import {
  unfinishedChanges as unfinishedTable,
  unseenEvents as unseenTable,
  waitingSteps as table,
} from '../tables.ts'
import { hasAutomationsFor, automationsFor } from './waitingAutomations.ts'

/** Sets off the automations of this event. */
export const crmAutomations: Follower = (workspace, { interface: interfaceName, name, data }) => {
  if (interfaceName !== 'crm' || !hasAutomationsFor(workspace, name)) return
  const outer = chainOf(workspace)
  // Only the CRM appends events under its name.
  const trigger = { name: name as CrmEventName, data }
  const event = { trigger, chain: outer?.ids ?? [], automations: null, id: null }
  if (outer) checkEvent(workspace, event, outer.change)
  else {
    processChange(workspace, (change) => {
      checkEvent(workspace, event, change)
    })
  }
}

/** Processes a change, and stores the work beyond the budget. */
function processChange(workspace: Workspace, work: (change: Change) => void): void {
  const change = newChange()
  work(change)
  if (change.later.length > 0) storeUnfinished(workspace, change)
}

/** Checks an event for the automations that have not seen it, within the budget. */
function checkEvent(workspace: Workspace, event: UnseenEvent, change: Change): void {
  const budget = budgetOf(workspace)
  if (budget.isUsedUp()) {
    change.later.push(event)
    return
  }
  const { trigger, chain: ids } = event
  const chain = { ids, change }
  const waiting = automationsFor(workspace, trigger.name, event.automations)
  budget.spend('checks', waiting.length)
  let currentData: EventData | undefined
  for (const [index, { id, trigger: ownTrigger }] of waiting.entries()) {
    const postpone = (): void => {
      change.later.push({ ...event, automations: waiting.slice(index).map((each) => each.id) })
    }
    // The first one is always checked, so that every slice makes progress.
    if (index > 0 && budget.isUsedUp()) {
      postpone()
      return
    }
    const reason = reasonToStop(id, chain)
    if (reason !== null && change.cutOff.has(cutOffKey(id, reason))) continue
    budget.spend(
      'checks',
      ownTrigger.conditions.reduce((sum, condition) => sum + countValues(condition), 0),
    )
    if (ownTrigger.conditions.length > 0) currentData ??= subjectOf(workspace, trigger.data).data
    const unmet = ownTrigger.conditions.find(
      (condition) => !isMet(condition, trigger.name, currentData, workspace),
    )
    if (unmet) {
      if (reason === null) recordUnmet(workspace, id, trigger, unmet, currentData)
      continue
    }
    const automation = automations.find(workspace, id)
    if (!automation) continue
    if (reason !== null) {
      change.cutOff.add(cutOffKey(id, reason))
      recordLoop(workspace, automation, trigger, reason)
    } else if (budget.allows(automation.actions.length)) {
      change.executions += 1
      const start = { previous: undefined, startedAt: workspace.now() }
      const run = { automation, trigger, chain: { ids: [...ids, id], change }, ...start }
      proceed(workspace, run, automation.actions)
      // The next automation must see the changes of this one.
      currentData = undefined
    } else {
      postpone()
      return
    }
  }
}

/** Returns the key under which a stopped loop is recorded once. */
const cutOffKey = (id: string, reason: string): string => `${id} ${reason}`

/** Runs the actions up to the first delayed one, and stores the others until then. */
function proceed(workspace: Workspace, run: Run, actions: readonly AutomationAction[]): void {
  const delayed = actions.findIndex((action) => delayOf(run.automation, action) > 0)
  const now = delayed < 0 ? actions : actions.slice(0, delayed)
  const [next, ...others] = delayed < 0 ? [] : actions.slice(delayed)
  const outcome = runActions(workspace, run, now)
  if (outcome.failure || !next) recordFinished(workspace, run, outcome)
  else {
    const execution = recordWaiting(workspace, run, outcome.executed)
    storeWaitingStep(workspace, execution, run.chain, [next, ...others], delayOf(run.automation, next))
  }
}

/** Returns the delay of an action in hours; only sequences wait. */
function delayOf({ type }: Automation, { config }: AutomationAction): number {
  const delay = config['delay_hours']
  return type === 'sequence' && typeof delay === 'number' ? delay : 0
}

// ---------------------------------------------------------------- waiting steps

type WaitingStep = typeof table.$inferSelect

/** The remaining actions of sequences. They run when the next action is due. */
export const waitingSteps = record(table, {
  noun: 'step',
  due: {
    at: 'dueAt',
    when: {},
    job: 'crm.automation.step',
    atOnce: 1,
    run(workspace, step) {
      waitingSteps.remove(workspace, step.id)
      resumeStep(workspace, step)
    },
  },
  snapshot: { section: 'crm', name: 'waitingSteps', isInternal: true, generated: ['triggerData'] },
})

/** Stores the remaining actions under the id of the execution that waits. */
function storeWaitingStep(
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

function resumeStep(workspace: Workspace, step: WaitingStep): void {
  const automation = automations.find(workspace, step.automationId)
  if (!automation) return
  newBudget(workspace)
  const trigger = { name: step.triggerEvent, data: step.triggerData }
  const previous = executions.find(workspace, step.id)
  const startedAt = previous?.executedAt ?? workspace.now()
  processChange(workspace, (change) => {
    // A waiting step belongs to a sequence, even if the type of its automation has changed.
    const sequence = { ...automation, type: 'sequence' as const }
    const run = { automation: sequence, trigger, chain: { ids: step.chain, change }, previous, startedAt }
    const [first, ...others] = step.actions
    const deleted = deletedSince(workspace, trigger)
    if (!automation.active)
      recordSkipped(workspace, run, 'The automation was not active when the action was due.')
    else if (deleted.length > 0)
      recordSkipped(workspace, run, `Deleted before the action was due: ${deleted.join(', ')}.`)
    // The delay of the first action has passed.
    else if (first) proceed(workspace, run, [withoutDelay(first), ...others])
  })
}

/** Returns when a waiting sequence continues; null for other executions. */
export const nextActionAt = (
  workspace: Workspace,
  { id, status }: Pick<Execution, 'id' | 'status'>,
): number | null => (status === 'waiting' ? (waitingSteps.find(workspace, id)?.dueAt ?? null) : null)

const withoutDelay = ({ type, config }: AutomationAction): AutomationAction => ({
  type,
  config: { ...config, delay_hours: 0 },
})

// ---------------------------------------------------------------- work beyond the budget

/** Unfinished changes. A row stays due until all its work is done; each run does one slice. */
export const unfinishedChanges = record(unfinishedTable, {
  noun: 'unfinished change',
  due: { at: 'dueAt', when: {}, job: 'crm.automation.slice', atOnce: 1, run: doSlice },
  snapshot: { section: 'crm', name: 'unfinishedChanges', isInternal: true },
})

export const unseenEvents = record(unseenTable, {
  noun: 'unseen event',
  snapshot: { section: 'crm', name: 'unseenEvents', isInternal: true },
})

function storeUnfinished(workspace: Workspace, change: Change): void {
  const { id } = unfinishedChanges.insert(workspace, {
    id: workspace.ids.prefixed('chg_'),
    executions: change.executions,
    cutOff: [...change.cutOff],
    dueAt: workspace.now(),
  })
  storeLater(workspace, id, change.later)
}

/** Stores the events in reverse, because the newest row is processed next. */
function storeLater(workspace: Workspace, changeId: string, later: readonly UnseenEvent[]): void {
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

/** Updates the automations alone, because the event data may be large. */
const setLeft = unseenEvents.updateAll(
  { automations: sql`${sql.placeholder('left')}` },
  eq(unseenTable.id, sql.placeholder('id')),
)

/** Finds the oldest unfinished change, also if a newer one was found due. */
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

/** The cost of reading a stored event, in checks. */
const READ_COST = 40

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
    checkStoredEvent(workspace, next, change)
    budget.spend('checks', READ_COST)
  }
  const { executions, cutOff } = change
  unfinishedChanges.update(workspace, unfinished, { executions, cutOff: [...cutOff] })
}

function checkStoredEvent(workspace: Workspace, row: typeof unseenTable.$inferSelect, change: Change): void {
  const { id, changeId, chain, automations: left, triggerEvent: name, triggerData: data } = row
  change.later.length = 0
  checkEvent(workspace, { id, trigger: { name, data }, chain, automations: left }, change)
  if (!change.later.some((event) => event.id === id)) unseenEvents.remove(workspace, id)
  storeLater(workspace, changeId, change.later)
}
