/**
 * How much automations do at a time. What one call, or one slice of what goes on after it, sets off is counted; when any of
 * these is used up, the rest waits for the next slice (`unfinishedChanges.ts`). Counted, not timed: so the same calls do
 * the same in the same order on any machine.
 */
import type { Workspace } from '../workspace.ts'
import type { AutomationTrigger } from './tables.ts'

/** What a call may do at once, some ten milliseconds of work; a slice after it may do half as much. */
export const BUDGET = {
  /** As many as one automation may have, for it does all of them or none. */
  actions: 50,
  /** Executions that are recorded, also those that were cut off. */
  executions: 50,
  /** Characters that are written where texts are filled. */
  characters: 500_000,
  /** Rows that actions write, the deliveries that they make owed included. */
  rows: 1_000,
  /** Values that conditions are compared with, automations and events that are looked at. */
  looks: 2_000,
} as const

/** Automations whose conditions did not hold are recorded so often for one call, and half as often in a slice after it. */
export const MAX_UNMET = 50

type Kind = keyof typeof BUDGET

/** As much of an automation as it takes to see whether its conditions are met. */
export interface WaitingAutomation {
  readonly id: string
  readonly trigger: AutomationTrigger
}

/** What is left of the budget. */
export class Budget {
  #unmet: number
  readonly #left: Record<Kind, number>
  readonly #actions: number
  /** The automations that wait for each event, as far as asked for; null where they may change meanwhile. */
  readonly waiting: Map<string, readonly WaitingAutomation[]> | null

  constructor(isOfSlice: boolean) {
    const share = isOfSlice ? 1 / 2 : 1
    const { actions, executions, characters, rows, looks } = BUDGET
    this.#actions = actions * share
    this.#unmet = MAX_UNMET * share
    this.#left = {
      actions: actions * share,
      executions: executions * share,
      characters: characters * share,
      rows: rows * share,
      looks: looks * share,
    }
    this.waiting = isOfSlice ? new Map() : null
  }

  spend(kind: Kind, amount = 1): void {
    this.#left[kind] -= amount
  }

  isUsedUp(): boolean {
    return Object.values(this.#left).some((left) => left <= 0)
  }

  /** Whether one more condition that did not hold is recorded, and counts it; no work waits for these. */
  takesUnmet(): boolean {
    this.#unmet -= 1
    return this.#unmet >= 0
  }

  /** Whether so many actions may still be done; the first of all may always. */
  allows(actions: number): boolean {
    return this.#left.actions === this.#actions || this.#left.actions >= actions
  }
}

const budgets = new WeakMap<Workspace, Budget>()

function begin(workspace: Workspace, isOfSlice: boolean): Budget {
  const budget = new Budget(isOfSlice)
  budgets.set(workspace, budget)
  // A call does its changes without a pause, so that all of them share one budget, and no two calls do.
  queueMicrotask(() => {
    if (budgets.get(workspace) === budget) budgets.delete(workspace)
  })
  return budget
}

/** A whole budget for what goes on by itself, in which nothing but actions is done. */
export const newBudget = (workspace: Workspace): Budget => begin(workspace, true)

/** What is left to whatever runs at this moment. */
export const budgetOf = (workspace: Workspace): Budget => budgets.get(workspace) ?? begin(workspace, false)
