/**
 * Moves the clock of a workspace. Due jobs and delivery attempts run in order, each at its own time, because the response
 * to an attempt decides when the next one is due.
 */
import { addDuration } from '@suite-sim/kit/time/instants'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ATTEMPTS } from '../../webhooks/dispatch/results.ts'
import type { DeliveryQueue } from '../shared/context.ts'

/**
 * The default for the total real time that one clock move waits for receivers, in milliseconds. After that, the clock
 * jumps to the target and the remaining deliveries are sent without waiting.
 */
export const DEFAULT_WAIT_MS = 5000

/** Real milliseconds after which the move continues with other receivers if one has not responded. */
const STALLED_MS = 150

/** The result of a clock move. */
export interface AdvanceResult {
  /** Whether all due jobs have run and all due delivery attempts have ended. */
  readonly complete: boolean
  readonly ran: readonly { readonly job: string; readonly count: number }[]
  readonly deliveries: {
    /** The number of delivery attempts that ended. */
    readonly sent: number
    /** The number of due deliveries whose attempt has not ended. */
    readonly pending: number
  }
}

type Queue = Pick<DeliveryQueue, 'earliestDue' | 'sendDue' | 'late' | 'countDue' | 'refuseDue'>

/** The minimum time that one round counts, so that a move with very many rounds ends. */
const SHORTEST_ROUND_MS = 0.1

/** How long a clock move still waits for receivers, and which ones it no longer waits for. */
interface Patience {
  /** Origins that do not respond. */
  readonly stalled: ReadonlySet<string>
  readonly remainingMs: number
}

export interface ClockRequest {
  readonly now?: number
  readonly frozen?: boolean
}

export class TimeTravel {
  readonly #queue: Queue
  readonly #maxWaitMs: number
  /** The last clock move of each workspace. The next one waits for it. */
  readonly #moves = new WeakMap<Workspace, Promise<unknown>>()
  /** How often the clock moves of each workspace were canceled. */
  readonly #generations = new WeakMap<Workspace, number>()

  constructor(queue: Queue, maxWaitMs = DEFAULT_WAIT_MS) {
    this.#queue = queue
    this.#maxWaitMs = maxWaitMs
  }

  /** Sets the clock. Moving it forward runs due jobs; moving it backward runs nothing. */
  set(workspace: Workspace, wanted: ClockRequest): Promise<void> {
    return this.#enqueue(workspace, async (mustContinue) => {
      const { now = workspace.now(), frozen = workspace.clock.isFrozen } = wanted
      await workspace.runJobsUntil(now)
      mustContinue()
      workspace.clock.set(now, frozen)
    })
  }

  /**
   * Advances the clock by an ISO 8601 duration. Resolves when all due jobs and delivery attempts are done, or when receivers
   * have taken `waitMs` in total.
   */
  async advance(workspace: Workspace, duration: string, waitMs = this.#maxWaitMs): Promise<AdvanceResult> {
    const before = new Map(workspace.completedWork)
    await this.#advance(workspace, duration, waitMs)
    const completed = [...workspace.completedWork]
      .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
      .filter(([, count]) => count > 0)
    const pending = this.#queue.countDue(workspace)
    return {
      complete: pending === 0,
      ran: completed.flatMap(([job, count]) => (job === ATTEMPTS ? [] : [{ job, count }])),
      deliveries: { sent: completed.find(([kind]) => kind === ATTEMPTS)?.[1] ?? 0, pending },
    }
  }

  #advance(workspace: Workspace, duration: string, waitMs: number): Promise<void> {
    return this.#enqueue(workspace, async (mustContinue) => {
      const target = addDuration(workspace.now(), duration)
      if (target === null) {
        return refuseField(
          'duration',
          'invalid_format',
          'duration must be an ISO 8601 duration such as PT1H, zero or more, and must end before the year 10000',
        )
      }
      await this.#travel(workspace, target, mustContinue, waitMs)
    })
  }

  /** Cancels running and waiting clock moves, because the workspace was reset or replaced. Deleting it does so by itself. */
  callOff(workspace: Workspace): void {
    this.#generations.set(workspace, this.#generation(workspace) + 1)
  }

  async #travel(
    workspace: Workspace,
    target: number,
    mustContinue: () => void,
    waitMs: number,
  ): Promise<void> {
    const frozen = workspace.clock.isFrozen
    const moveTo = (instant: number): void => {
      if (instant > workspace.now()) workspace.clock.set(instant, frozen)
    }
    const slices = new Slices()
    /** Lets other requests run. Everything until `instant` has run, so they see this time. */
    const pauseAt = async (instant: number): Promise<void> => {
      moveTo(instant)
      await slices.turn()
      mustContinue()
    }
    let stalled: ReadonlySet<string> = new Set()
    let remainingMs = waitMs
    while (remainingMs > 0) {
      if (stalled.size > 0)
        stalled = new Set(this.#queue.late(workspace).filter((origin) => stalled.has(origin)))
      const job = workspace.earliestJob()
      const delivery = this.#queue.earliestDue(workspace, stalled)
      if (Math.min(job, delivery) > target) break
      if (job <= delivery) {
        await this.#runJobs(workspace, job, mustContinue)
        if (slices.isOver) await pauseAt(job)
        continue
      }
      const refused = this.#queue.refuseDue(workspace, Math.min(job, target), stalled)
      if (refused !== null) {
        await pauseAt(refused)
        continue
      }
      moveTo(delivery)
      ;({ stalled, remainingMs } = await this.#sendDue(workspace, target, { stalled, remainingMs }))
      mustContinue()
    }
    await this.#runJobs(workspace, target, mustContinue)
    // Attempts to stalled receivers are still in flight. Responses that arrive now count.
    if (remainingMs > 0 && stalled.size > 0) await doneWithin(remainingMs, this.#queue.sendDue(workspace))
    mustContinue()
    // A running clock may have passed the target during the wait. It does not go back.
    workspace.clock.set(frozen ? target : Math.max(target, workspace.now()), frozen)
  }

  /**
   * Sends the due deliveries, and waits for their receivers. Leaves out receivers that do not respond if others have
   * deliveries until the target.
   */
  async #sendDue(
    workspace: Workspace,
    target: number,
    { stalled, remainingMs }: Patience,
  ): Promise<Patience> {
    const before = monotonicNow()
    const sending = this.#queue.sendDue(workspace, stalled)
    let isDone = await doneWithin(Math.min(remainingMs, STALLED_MS), sending)
    if (!isDone) {
      const late = new Set([...stalled, ...this.#queue.late(workspace)])
      if (this.#queue.earliestDue(workspace, late) <= target)
        return { stalled: late, remainingMs: remainingMs - STALLED_MS }
      isDone = await doneWithin(remainingMs - STALLED_MS, sending)
    }
    // Uses the result of the race, not the elapsed time: a timer may fire slightly early by the monotonic clock.
    const passedMs = isDone ? Math.max(SHORTEST_ROUND_MS, monotonicNow() - before) : remainingMs
    return { stalled, remainingMs: remainingMs - passedMs }
  }

  async #runJobs(workspace: Workspace, until: number, mustContinue: () => void): Promise<void> {
    const jobs = workspace.runJobsUntil(until)
    if (jobs === null) return
    await jobs
    mustContinue()
  }

  #enqueue(workspace: Workspace, move: (mustContinue: () => void) => Promise<void> | void): Promise<void> {
    const generation = this.#generation(workspace)
    const mustContinue = (): void => {
      if (this.#generation(workspace) !== generation || !workspace.isRegistered) {
        refuse('conflict', 'The workspace was reset, replaced or deleted while its clock was moving.')
      }
    }
    const before = this.#moves.get(workspace) ?? Promise.resolve()
    const turn = before.then(() => {
      mustContinue()
      return move(mustContinue)
    })
    this.#moves.set(
      workspace,
      turn.catch(() => undefined),
    )
    return turn
  }

  #generation(workspace: Workspace): number {
    return this.#generations.get(workspace) ?? 0
  }
}

/** Resolves with true when the work is done, or with false after the given time. */
async function doneWithin(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const time = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  try {
    return await Promise.race([work.then(() => true), time])
  } finally {
    clearTimeout(timer)
  }
}
