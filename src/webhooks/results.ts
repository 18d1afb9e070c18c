/** Writing down what came of attempts, many in one transaction. */
import { notify } from '../state/longPoll.ts'
import { iso } from '../state/clock.ts'
import type { Database } from '../state/database.ts'
import { timelineOf } from '../state/timeline.ts'
import type { Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'
import type { Attempt } from './attempt.ts'
import { GONE, recordAttempt, type Outcome } from './deliveries.ts'
import type { WebhooksLogger } from './logger.ts'
import { releaseNext, type Released } from './order.ts'
import type { Profiles } from './profile.ts'
import type { Result } from './sending/index.ts'

/** An attempt that is over. */
export interface Ended {
  readonly attempt: Attempt
  readonly result: Result
  /** null before it is on the file, and when nobody wants to know any more. */
  outcome: Outcome | null
}

export interface ResultsListener {
  /** In the transaction: of what need wait no longer for others of its record. */
  released(deliveries: readonly Released[]): void
  /** In the transaction: a receiver wants nothing more, ever. */
  gone(workspace: Workspace, subscription: string): void
  /** These are on the file, or can't come there any more. */
  written(ended: readonly Ended[]): void
  /** The database failed; it is tried again. */
  failed(error: unknown): void
}

/** What attempts are counted as in `Workspace.happened`. */
export const ATTEMPTS = 'webhooks.attempt'

/** Ms after which the first of a series of attempts is written down, and how many at most share a transaction. */
const WRITING_INTERVAL = 20
const WRITTEN_AT_ONCE = 100

/** Ms until it is tried again after the database failed. */
export const PAUSE_AFTER_FAILURE = 1000

export class Results {
  readonly #workspaces: Workspaces
  readonly #database: Database
  readonly #profiles: Profiles
  readonly #logger: WebhooksLogger | null
  readonly #listener: ResultsListener
  #ended: Ended[] = []
  #writing: NodeJS.Timeout | undefined
  #unwritten = 0
  #stopped = false

  constructor(
    workspaces: Workspaces,
    profiles: Profiles,
    logger: WebhooksLogger | null,
    listener: ResultsListener,
  ) {
    this.#workspaces = workspaces
    this.#database = workspaces.database
    this.#profiles = profiles
    this.#logger = logger
    this.#listener = listener
  }

  /** How many are not on the file yet. */
  get unwritten(): number {
    return this.#unwritten
  }

  /** What ends within a few ms shares a transaction; what `isLast` under way does not wait for others. */
  add(attempt: Attempt, result: Result, isLast: boolean): void {
    this.#unwritten++
    this.#ended.push({ attempt, result, outcome: null })
    if (this.#ended.length >= WRITTEN_AT_ONCE) this.#writeDown()
    else if (this.#ended.length === 1 || isLast) {
      clearTimeout(this.#writing)
      this.#writing = setTimeout(
        () => {
          this.#writeDown()
        },
        isLast ? 0 : WRITING_INTERVAL,
      )
    }
  }

  /** From now on what can't be written down is not tried again. */
  stop(): void {
    this.#stopped = true
  }

  #writeDown(): void {
    clearTimeout(this.#writing)
    // In the order of their rows, which lie side by side.
    const ended = this.#ended.sort((one, other) => one.attempt.sequence - other.attempt.sequence)
    this.#ended = []
    if (!this.#database.open) {
      this.#written(ended)
      return
    }
    try {
      this.#database.write(() => {
        for (const one of ended) this.#record(one)
        this.#releaseNext(ended)
      })
    } catch (error) {
      this.#writeAgain(ended, error)
      return
    }
    this.#database.whenCommitted((error) => {
      if (error) this.#writeAgain(ended, error)
      else this.#written(ended)
    })
    // What is looked up next must not wait for the end of another turn.
    this.#database.flush()
  }

  #record(ended: Ended): void {
    const { attempt, result } = ended
    const workspace = this.#workspaces.byNumber(attempt.backlog.workspace)
    if (!workspace) return
    const { schedule } = this.#profiles.of(attempt.interface)
    const { status, durationMs, error, retryAfterMs } = result
    const made = { at: iso(attempt.at), status, durationMs, error }
    workspace.count(ATTEMPTS, 1)
    ended.outcome = recordAttempt(workspace, attempt.sequence, schedule, made, retryAfterMs)
    if (status === GONE) this.#listener.gone(workspace, attempt.subscription)
    tellOfAttempt(workspace, attempt, result)
    notify(workspace, 'deliveries')
  }

  #releaseNext(ended: readonly Ended[]): void {
    const over = ended.flatMap(({ attempt, outcome }) =>
      attempt.record === null || outcome?.status === 'pending' ? [] : [attempt.sequence],
    )
    if (over.length > 0) this.#listener.released(releaseNext(this.#database, over))
  }

  /** Until it is written down an attempt counts as under way, so that a full disk sends nothing twice. */
  #writeAgain(ended: readonly Ended[], error: unknown): void {
    for (const one of ended) one.outcome = null
    this.#listener.failed(error)
    if (this.#stopped) {
      this.#written(ended)
      return
    }
    setTimeout(() => {
      this.#ended.push(...ended)
      this.#writeDown()
    }, PAUSE_AFTER_FAILURE)
  }

  #written(ended: readonly Ended[]): void {
    this.#unwritten -= ended.length
    for (const one of ended) this.#warn(one)
    this.#listener.written(ended)
  }

  #warn({ attempt, result, outcome }: Ended): void {
    if (!this.#logger || !outcome || outcome.status === 'delivered') return
    const isDead = outcome.status === 'dead' && outcome.round > 0
    if (outcome.round !== 1 && !isDead) return
    const { workspace, origin } = attempt.backlog
    const facts = {
      workspace: this.#workspaces.byNumber(workspace)?.id,
      interface: attempt.interface,
      delivery: attempt.id,
      event: attempt.event,
      // The path and query of a url may hold what only its owner should know.
      origin: origin.name,
      status: result.status,
      error: result.error,
    }
    this.#logger.warn(facts, isDead ? 'webhook given up' : 'webhook failed, will be tried again')
  }
}

/** What came of it; it follows from what has made the delivery. */
export function tellOfAttempt(
  workspace: Workspace,
  { id, interface: of, event }: Pick<Attempt, 'id' | 'interface' | 'event'>,
  result: Result,
): void {
  const story = timelineOf(workspace)
  const words = result.status === null ? (result.error ?? 'no answer') : `answered ${String(result.status)}`
  story.recordStep({
    kind: 'delivery',
    title: `${of} ${event} ${words}`,
    ref: id,
    causedBy: story.numberOfDelivery(id),
    durationMs: result.durationMs,
  })
}
