/**
 * Limits the work of automations in one request or one later slice. When a limit is reached, the rest waits for the
 * next slice (`unfinishedChanges`). Work is counted and not timed, so that the same requests do the same work on
 * every machine.
 */
import type { Workspace } from '../../workspace/workspace.ts'
import type { AutomationTrigger } from '../automationParts.ts'

/** The limits of one request, about ten milliseconds of work. A later slice may do half as much. */
export const BUDGET = {
  /** Equal to MAX_ACTIONS of one automation, because an automation runs all of its actions or none. */
  actions: 50,
  /** Recorded executions, including stopped loops. */
  executions: 50,
  /** Characters written when placeholders are filled. */
  characters: 500_000,
  /** Rows that actions write, including their pending deliveries. */
  rows: 1_000,
  /** Compared values of conditions, checked automations and checked events. */
  checks: 2_000,
} as const

/** How many executions with unmet conditions one request records; a later slice records half as many. */
export const MAX_UNMET = 50

type Kind = keyof typeof BUDGET

/** The part of an automation that its conditions need. */
export interface WaitingAutomation {
  readonly id: string
  readonly trigger: AutomationTrigger
}

/** The remaining budget. */
export class Budget {
  #unmet: number
  readonly #left: Record<Kind, number>
  readonly #actions: number
  /** Caches the automations of each event; null in a request, which may change automations. */
  readonly waiting: Map<string, readonly WaitingAutomation[]> | null

  constructor(isOfSlice: boolean) {
    const share = isOfSlice ? 1 / 2 : 1
    const { actions, executions, characters, rows, checks } = BUDGET
    this.#actions = actions * share
    this.#unmet = MAX_UNMET * share
    this.#left = {
      actions: actions * share,
      executions: executions * share,
      characters: characters * share,
      rows: rows * share,
      checks: checks * share,
    }
    this.waiting = isOfSlice ? new Map() : null
  }

  spend(kind: Kind, amount = 1): void {
    this.#left[kind] -= amount
  }

  isUsedUp(): boolean {
    return Object.values(this.#left).some((left) => left <= 0)
  }

  /** Counts an unmet condition, and returns true if it should be recorded. Recording never delays other work. */
  takesUnmet(): boolean {
    this.#unmet -= 1
    return this.#unmet >= 0
  }

  /** True if that many actions may still run. The first automation may always run. */
  allows(actions: number): boolean {
    return this.#left.actions === this.#actions || this.#left.actions >= actions
  }
}

const budgets = new WeakMap<Workspace, Budget>()

function begin(workspace: Workspace, isOfSlice: boolean): Budget {
  const budget = new Budget(isOfSlice)
  budgets.set(workspace, budget)
  // A request makes its changes in one task, so that they share one budget and no two requests do.
  queueMicrotask(() => {
    if (budgets.get(workspace) === budget) budgets.delete(workspace)
  })
  return budget
}

/** Starts the budget of a slice, which runs nothing but actions. */
export const newBudget = (workspace: Workspace): Budget => begin(workspace, true)

/** Returns the budget of the current request or slice. */
export const budgetOf = (workspace: Workspace): Budget => budgets.get(workspace) ?? begin(workspace, false)
