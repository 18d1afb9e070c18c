/** Timers on the real clock: one shared alarm, and the scheduler of due jobs. */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { Workspace } from '../workspace/workspace.ts'
import type { Registry } from '../workspace/registry.ts'

/** The longest delay of a Node.js timer. After it, the alarm rings early and is set again. */
const MAX_TIMER_DELAY = 2 ** 31 - 1

/** One timer for many deadlines. It can ring early but never late, and does not keep the process alive. */
export class Alarm {
  readonly #ring: () => void
  #timer: NodeJS.Timeout | null = null
  #at = Infinity

  constructor(ring: () => void) {
    this.#ring = ring
  }

  /** Rings in `delay` real ms, or earlier if it is set to that. Null and Infinity change nothing. */
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
      Math.min(Math.ceil(Math.max(0, delay)), MAX_TIMER_DELAY),
    )
    this.#timer.unref()
  }

  clear(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#at = Infinity
  }
}

/** Ms until a failed job runs again, so that it does not keep the server busy. */
const PAUSE_AFTER_FAILURE = 60_000

/** Runs the due jobs of all workspaces, without requests. */
export class Scheduler {
  readonly #workspaces: Registry
  readonly #failed: (error: unknown, workspace: Workspace) => void
  readonly #alarm = new Alarm(() => {
    this.#runDue()
  })
  /** The tenant ids of workspaces with jobs that are or may be due later. */
  readonly #waiting = new Set<number>()
  /** Until when, by `monotonicNow`, a workspace with a failed job is paused. */
  readonly #pausedUntil = new Map<number, number>()
  #running = false

  /** `failed` is called with the errors of jobs. */
  constructor(workspaces: Registry, failed: (error: unknown, workspace: Workspace) => void) {
    this.#workspaces = workspaces
    this.#failed = failed
    workspaces.watch((workspace) => {
      this.#expect(workspace)
    })
  }

  start(): void {
    this.#running = true
    for (const tenantId of this.#workspaces.tenantIds()) this.#waiting.add(tenantId)
    this.#alarm.noLaterThan(0)
  }

  stop(): void {
    this.#running = false
    this.#alarm.clear()
  }

  #expect(workspace: Workspace): void {
    if (!this.#running || workspace.nextJobAt === Infinity) return
    this.#waiting.add(workspace.tenantId)
    this.#alarm.noLaterThan(this.#delay(workspace))
  }

  #runDue(): void {
    for (const tenantId of this.#waiting) {
      const workspace = this.#workspaces.byTenantId(tenantId)
      if (workspace && this.#pauseOf(tenantId) <= 0) this.#run(workspace)
      if (workspace && workspace.nextJobAt !== Infinity) this.#alarm.noLaterThan(this.#delay(workspace))
      else this.#waiting.delete(tenantId)
    }
  }

  #run(workspace: Workspace): void {
    const failed = (error: unknown): void => {
      this.#pausedUntil.set(workspace.tenantId, monotonicNow() + PAUSE_AFTER_FAILURE)
      this.#failed(error, workspace)
    }
    try {
      // At its end, the workspace reports a change, and then the alarm is set for the next job.
      workspace.runDueJobs()?.catch(failed)
      this.#pausedUntil.delete(workspace.tenantId)
    } catch (error) {
      failed(error)
    }
  }

  #delay(workspace: Workspace): number | null {
    const delay = workspace.clock.realDelayUntil(workspace.nextJobAt)
    return delay === null ? null : Math.max(delay, this.#pauseOf(workspace.tenantId))
  }

  #pauseOf(tenantId: number): number {
    const until = this.#pausedUntil.get(tenantId)
    return until === undefined ? 0 : until - monotonicNow()
  }
}
