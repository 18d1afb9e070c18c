/**
 * Moving a workspace's clock. What falls due on the way happens in order, each thing at its own time: jobs through
 * the state, webhooks through the queue, whose answers decide what falls due next.
 */
import { addDuration, monotonicNow } from '../state/clock.ts'
import { refuse, refuseField } from '../state/refusal.ts'
import { Slices } from '../state/slices.ts'
import type { Workspace } from '../state/workspace.ts'
import type { DeliveryQueue } from './context.ts'

/**
 * Real ms that one journey waits for receivers in all. A receiver that sleeps must not hold its caller for hours;
 * after that the clock goes to the end at once, and what is still owed is sent without being waited for.
 */
const PATIENCE_MS = 5000

/** The least that one round is reckoned to take, so that a journey of very many rounds comes to an end. */
const SHORTEST_ROUND_MS = 0.1

export interface WantedClock {
  readonly now?: number
  readonly frozen?: boolean
}

export class TimeTravel {
  readonly #queue: Pick<DeliveryQueue, 'earliestDue' | 'sendDue'>
  readonly #patience: number
  /** The last journey of each workspace; the next one waits for it. */
  readonly #journeys = new WeakMap<Workspace, Promise<unknown>>()
  /** How often each workspace's journeys were called off. */
  readonly #eras = new WeakMap<Workspace, number>()

  constructor(queue: Pick<DeliveryQueue, 'earliestDue' | 'sendDue'>, patienceMs = PATIENCE_MS) {
    this.#queue = queue
    this.#patience = patienceMs
  }

  /** Sets the clock. Forward, what falls due happens; backward, nothing does. */
  set(workspace: Workspace, wanted: WantedClock): Promise<void> {
    return this.#inTurn(workspace, async (mustGoOn) => {
      const { now = workspace.now(), frozen = isFrozen(workspace) } = wanted
      await workspace.runJobsUntil(now)
      mustGoOn()
      workspace.setClock(now, frozen)
    })
  }

  /** Moves the clock on by an ISO 8601 duration; resolves when all that falls due by then has happened. */
  advance(workspace: Workspace, duration: string, patience = this.#patience): Promise<void> {
    return this.#inTurn(workspace, async (mustGoOn) => {
      const target = addDuration(workspace.now(), duration)
      if (target === null) {
        return refuseField(
          'duration',
          'invalid_format',
          'duration must be an ISO 8601 duration such as PT1H, not negative and not leading past the year 9999',
        )
      }
      await this.#travel(workspace, target, patience, mustGoOn)
    })
  }

  /** Ends the journeys that are under way or about to start: the workspace is no longer what they set out in. */
  callOff(workspace: Workspace): void {
    this.#eras.set(workspace, this.#era(workspace) + 1)
  }

  async #travel(
    workspace: Workspace,
    target: number,
    patienceMs: number,
    mustGoOn: () => void,
  ): Promise<void> {
    const frozen = isFrozen(workspace)
    const slices = new Slices()
    for (let patience = patienceMs; patience > 0;) {
      const job = workspace.registry.earliestJob(workspace)
      const delivery = this.#queue.earliestDue(workspace)
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
      if (delivery > workspace.now()) workspace.setClock(delivery, frozen)
      const before = monotonicNow()
      const isDone = await atMost(patience, this.#queue.sendDue(workspace))
      // A timer may ring a little early by another clock, so it is asked what it ended and not how long it took.
      patience = isDone ? patience - Math.max(SHORTEST_ROUND_MS, monotonicNow() - before) : 0
      mustGoOn()
    }
    await this.#runJobs(workspace, target, mustGoOn)
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
