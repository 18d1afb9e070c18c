/**
 * Moving a workspace's clock. What falls due on the way happens in order, each thing at its own time: jobs through
 * the state, webhooks through the queue, whose answers decide what falls due next.
 */
import { addDuration, monotonicNow } from '../state/clock.ts'
import { refuse, refuseField } from '../state/refusal.ts'
import { Slices } from '../state/slices.ts'
import type { Workspace } from '../state/workspace.ts'
import { ATTEMPTS } from '../webhooks/results.ts'
import type { DeliveryQueue } from './context.ts'

/**
 * Real ms that one journey waits for receivers in all unless told otherwise. A receiver that sleeps must not hold its
 * caller for hours; after that the clock goes to the end at once, and what is still owed is sent without being waited for.
 */
export const PATIENCE_MS = 5000

/** Real ms after which a receiver that has not answered is let be while others have something due. */
const STALLED_MS = 150

/** What a journey came to. */
export interface Journey {
  /** Whether all that fell due has happened, attempts to deliver included. */
  readonly complete: boolean
  readonly ran: readonly { readonly job: string; readonly count: number }[]
  readonly deliveries: {
    /** Attempts that have ended. */
    readonly sent: number
    /** Deliveries that are due, and whose attempt has not ended. */
    readonly pending: number
  }
}

type Queue = Pick<DeliveryQueue, 'earliestDue' | 'sendDue' | 'late' | 'countDue' | 'refuseDue'>

/** The least that one round is reckoned to take, so that a journey of very many rounds comes to an end. */
const SHORTEST_ROUND_MS = 0.1

export interface ClockRequest {
  readonly now?: number
  readonly frozen?: boolean
}

export class TimeTravel {
  readonly #queue: Queue
  readonly #patience: number
  /** The last journey of each workspace; the next one waits for it. */
  readonly #journeys = new WeakMap<Workspace, Promise<unknown>>()
  /** How often each workspace's journeys were called off. */
  readonly #eras = new WeakMap<Workspace, number>()

  constructor(queue: Queue, patienceMs = PATIENCE_MS) {
    this.#queue = queue
    this.#patience = patienceMs
  }

  /** Sets the clock. Forward, what falls due happens; backward, nothing does. */
  set(workspace: Workspace, wanted: ClockRequest): Promise<void> {
    return this.#inTurn(workspace, async (mustGoOn) => {
      const { now = workspace.now(), frozen = isFrozen(workspace) } = wanted
      await workspace.runJobsUntil(now)
      mustGoOn()
      workspace.setClock(now, frozen)
    })
  }

  /**
   * Moves the clock on by an ISO 8601 duration; resolves when all that falls due by then has happened, or when receivers
   * were waited for as long as they are to be.
   */
  async advance(workspace: Workspace, duration: string, waitMs = this.#patience): Promise<Journey> {
    const before = new Map(workspace.completedWork)
    await this.#advance(workspace, duration, waitMs)
    const happened = [...workspace.completedWork]
      .map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const)
      .filter(([, count]) => count > 0)
    const pending = this.#queue.countDue(workspace)
    return {
      complete: pending === 0,
      ran: happened.flatMap(([job, count]) => (job === ATTEMPTS ? [] : [{ job, count }])),
      deliveries: { sent: happened.find(([what]) => what === ATTEMPTS)?.[1] ?? 0, pending },
    }
  }

  #advance(workspace: Workspace, duration: string, waitMs: number): Promise<void> {
    return this.#inTurn(workspace, async (mustGoOn) => {
      const target = addDuration(workspace.now(), duration)
      if (target === null) {
        return refuseField(
          'duration',
          'invalid_format',
          'duration must be an ISO 8601 duration such as PT1H, not negative and not leading past the year 9999',
        )
      }
      await this.#travel(workspace, target, mustGoOn, waitMs)
    })
  }

  /** Ends the journeys that are under way or about to start: the workspace is no longer what they set out in. */
  callOff(workspace: Workspace): void {
    this.#eras.set(workspace, this.#era(workspace) + 1)
  }

  async #travel(workspace: Workspace, target: number, mustGoOn: () => void, waitMs: number): Promise<void> {
    const frozen = isFrozen(workspace)
    const slices = new Slices()
    /** Receivers that hang, and hold up no other. */
    let apart: ReadonlySet<string> = new Set()
    let patience = waitMs
    while (patience > 0) {
      if (apart.size > 0) apart = new Set(this.#queue.late(workspace).filter((origin) => apart.has(origin)))
      const job = workspace.registry.earliestJob(workspace)
      const delivery = this.#queue.earliestDue(workspace, apart)
      if (Math.min(job, delivery) > target) break
      if (job <= delivery) {
        await this.#runJobs(workspace, job, mustGoOn)
        if (slices.isOver) {
          // So far everything has happened, and who looks at it meanwhile sees by what time.
          if (job > workspace.now()) workspace.setClock(job, frozen)
          await slices.turn()
          mustGoOn()
        }
        continue
      }
      const refused = this.#queue.refuseDue(workspace, Math.min(job, target), apart)
      if (refused !== null) {
        if (refused > workspace.now()) workspace.setClock(refused, frozen)
        await slices.turn()
        mustGoOn()
        continue
      }
      if (delivery > workspace.now()) workspace.setClock(delivery, frozen)
      const before = monotonicNow()
      const sending = this.#queue.sendDue(workspace, apart)
      let isDone = await atMost(Math.min(patience, STALLED_MS), sending)
      if (!isDone) {
        const late = new Set([...apart, ...this.#queue.late(workspace)])
        if (this.#queue.earliestDue(workspace, late) <= target) {
          apart = late
          patience -= STALLED_MS
          mustGoOn()
          continue
        }
        isDone = await atMost(patience - STALLED_MS, sending)
      }
      // A timer may ring a little early by another clock, so it is asked what it ended and not how long it took.
      patience = isDone ? patience - Math.max(SHORTEST_ROUND_MS, monotonicNow() - before) : 0
      mustGoOn()
    }
    await this.#runJobs(workspace, target, mustGoOn)
    // Those that hung were sent to all the while; what they answer by now still counts.
    if (patience > 0 && apart.size > 0) await atMost(patience, this.#queue.sendDue(workspace))
    mustGoOn()
    // A clock that runs may have passed the target while receivers were waited for; it does not go back.
    workspace.setClock(frozen ? target : Math.max(target, workspace.now()), frozen)
  }

  async #runJobs(workspace: Workspace, until: number, mustGoOn: () => void): Promise<void> {
    const jobs = workspace.runJobsUntil(until)
    if (jobs === null) return
    await jobs
    mustGoOn()
  }

  #inTurn(workspace: Workspace, journey: (mustGoOn: () => void) => Promise<void> | void): Promise<void> {
    const era = this.#era(workspace)
    const mustGoOn = (): void => {
      if (this.#era(workspace) !== era) {
        refuse('conflict', 'The workspace was reset, replaced or removed while its clock was being moved.')
      }
    }
    const before = this.#journeys.get(workspace) ?? Promise.resolve()
    const turn = before.then(() => {
      mustGoOn()
      return journey(mustGoOn)
    })
    this.#journeys.set(
      workspace,
      turn.catch(() => undefined),
    )
    return turn
  }

  #era(workspace: Workspace): number {
    return this.#eras.get(workspace) ?? 0
  }
}

const isFrozen = (workspace: Workspace): boolean => workspace.clock.frozenAt !== null

/** Resolves when the work is done or the time is over, whichever comes first; says whether the work was done. */
async function atMost(milliseconds: number, work: Promise<void>): Promise<boolean> {
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
