/** What has to happen by itself on the real clock: one timer however much is waited for, and the jobs' use of it. */
import { monotonicNow } from './clock.ts'
import type { Workspace } from './workspace.ts'
import type { Workspaces } from './workspaces.ts'

/** The longest that a timer can be set for; whoever is woken that early looks and goes back to sleep. */
const LONGEST_TIMER = 2 ** 31 - 1

/** One timer that many share. It may ring early, never late, and keeps no process alive. */
export class Alarm {
  readonly #ring: () => void
  #timer: NodeJS.Timeout | null = null
  #at = Infinity

  constructor(ring: () => void) {
    this.#ring = ring
  }

  /** Rings in `delay` real ms, or earlier where that was asked for; null and Infinity ask for nothing. */
  noLaterThan(delay: number | null): void {
    if (delay === null || delay === Infinity) return
    const at = monotonicNow() + Math.max(0, delay)
    if (at >= this.#at) return
    this.clear()
    this.#at = at
    this.#timer = setTimeout(
      () => {
        this.clear()
        this.#ring()
      },
      Math.min(Math.ceil(Math.max(0, delay)), LONGEST_TIMER),
    )
    this.#timer.unref()
  }

  clear(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#at = Infinity
  }
}

/** A job that fails is tried again after this many ms; it may never be what keeps the server busy. */
const PAUSE_AFTER_FAILURE = 60_000

/** Runs the jobs of all workspaces when they fall due, also while nobody calls. */
export class Scheduler {
  readonly #workspaces: Workspaces
  readonly #failed: (error: unknown, workspace: Workspace) => void
  readonly #alarm = new Alarm(() => {
    this.#settleDue()
  })
  /** The accounts of the workspaces in which something is or may be due later. */
  readonly #expecting = new Set<number>()
  /** Until when, by `monotonicNow`, a workspace whose job failed is left alone. */
  readonly #resting = new Map<number, number>()
  #running = false

  /** `failed` is told of jobs that threw. */
  constructor(workspaces: Workspaces, failed: (error: unknown, workspace: Workspace) => void) {
    this.#workspaces = workspaces
    this.#failed = failed
    workspaces.watch((workspace) => {
      this.#expect(workspace)
    })
  }

  start(): void {
    this.#running = true
    for (const account of this.#workspaces.accounts()) this.#expecting.add(account)
    this.#alarm.noLaterThan(0)
  }

  stop(): void {
    this.#running = false
    this.#alarm.clear()
  }

  #expect(workspace: Workspace): void {
    if (!this.#running || workspace.nextJobAt === Infinity) return
    this.#expecting.add(workspace.tenantId)
    this.#alarm.noLaterThan(this.#delay(workspace))
  }

  #settleDue(): void {
    for (const account of this.#expecting) {
      const workspace = this.#workspaces.byAccount(account)
      if (workspace && this.#restOf(account) <= 0) this.#settle(workspace)
      if (workspace && workspace.nextJobAt !== Infinity) this.#alarm.noLaterThan(this.#delay(workspace))
      else this.#expecting.delete(account)
    }
  }

  #settle(workspace: Workspace): void {
    const failed = (error: unknown): void => {
      this.#resting.set(workspace.tenantId, monotonicNow() + PAUSE_AFTER_FAILURE)
      this.#failed(error, workspace)
    }
    try {
      // At its end it tells of itself, and then the alarm is set for what comes next.
      workspace.runDueJobs()?.catch(failed)
      this.#resting.delete(workspace.tenantId)
    } catch (error) {
      failed(error)
    }
  }

  #delay(workspace: Workspace): number | null {
    const delay = workspace.realDelayUntil(workspace.nextJobAt)
    return delay === null ? null : Math.max(delay, this.#restOf(workspace.tenantId))
  }

  #restOf(account: number): number {
    const until = this.#resting.get(account)
    return until === undefined ? 0 : until - monotonicNow()
  }
}
