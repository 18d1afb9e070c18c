/** Stores the results of attempts, many per transaction. */
import { notify } from '../../state/timeline/longPoll.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { Database } from '../../state/storage/database/database.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import type { Attempt } from './attempt.ts'
import { GONE, recordAttempt, type DeliveryOutcome } from '../deliveries/deliveries.ts'
import { countAttempt } from '../deliveries/deliveryCounts.ts'
import type { WebhooksLogger } from '../logger.ts'
import { releaseNext, type Released } from '../deliveries/order.ts'
import type { Profiles } from '../profiles/profile.ts'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'

/** An attempt that has ended. */
export interface Ended {
  readonly attempt: Attempt
  readonly result: AttemptResult
  /** null until it is stored, and if the workspace no longer exists. */
  outcome: DeliveryOutcome | null
}

export interface ResultsListener {
  /** Called in the transaction with deliveries that are no longer held back. */
  released(deliveries: readonly Released[]): void
  /** Called in the transaction when a receiver no longer exists. */
  receiverGone(workspace: Workspace, subscription: string): void
  /** Called when these are stored, or can no longer be stored. */
  written(ended: readonly Ended[]): void
  /** Called when the database failed; storing is retried. */
  failed(error: unknown): void
}

/** The name of attempts in `Workspace.completedWork`. */
export const ATTEMPTS = 'webhooks.attempt'

/** Ms until the first of a series of results is stored, and the most results per transaction. */
const STORE_INTERVAL = 20
const MAX_PER_TRANSACTION = 100

/** Ms until a retry after the database failed. */
export const PAUSE_AFTER_FAILURE = 1000

export class Results {
  readonly #workspaces: Registry
  readonly #database: Database
  readonly #profiles: Profiles
  readonly #logger: WebhooksLogger | null
  readonly #listener: ResultsListener
  #ended: Ended[] = []
  #timer: NodeJS.Timeout | undefined
  #unwritten = 0
  #stopped = false

  constructor(
    workspaces: Registry,
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

  /** The number of results that are not stored yet. */
  get unwritten(): number {
    return this.#unwritten
  }

  /** Adds a result. Results within a few ms share a transaction; the last attempt in flight does not wait. */
  add(attempt: Attempt, result: AttemptResult, isLast: boolean): void {
    this.#unwritten++
    this.#ended.push({ attempt, result, outcome: null })
    if (this.#ended.length >= MAX_PER_TRANSACTION) this.#store()
    else if (this.#ended.length === 1 || isLast) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(
        () => {
          this.#store()
        },
        isLast ? 0 : STORE_INTERVAL,
      )
    }
  }

  /** Stops retries of failed writes. */
  stop(): void {
    this.#stopped = true
  }

  #store(): void {
    clearTimeout(this.#timer)
    // In the order of their rows, which are adjacent.
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
      this.#retryLater(ended, error)
      return
    }
    this.#database.whenCommitted((error) => {
      if (error) this.#retryLater(ended, error)
      else this.#written(ended)
    })
    // Commits now, because the next lookup needs the results.
    this.#database.flush()
  }

  #record(ended: Ended): void {
    const { attempt, result } = ended
    const workspace = this.#workspaces.byRowScope(attempt.backlog.workspace)
    if (!workspace) return
    const { schedule } = this.#profiles.of(attempt.interface)
    const { status, durationMs, error, retryAfterMs } = result
    const entry = { at: iso(attempt.at), status, durationMs, error }
    workspace.count(ATTEMPTS, 1)
    ended.outcome = recordAttempt(workspace, attempt.sequence, schedule, entry, retryAfterMs)
    if (status === GONE) this.#listener.receiverGone(workspace, attempt.subscription)
    recordAttemptStep(workspace, attempt, result)
    notify(workspace, 'deliveries')
  }

  #releaseNext(ended: readonly Ended[]): void {
    const finished = ended.flatMap(({ attempt, outcome }) =>
      attempt.record === null || outcome?.status === 'pending' ? [] : [attempt.sequence],
    )
    if (finished.length > 0) this.#listener.released(releaseNext(this.#database, finished))
  }

  /** Retries later. Until then the attempt counts as in flight, so that nothing is sent twice on a full disk. */
  #retryLater(ended: readonly Ended[], error: unknown): void {
    for (const one of ended) one.outcome = null
    this.#listener.failed(error)
    if (this.#stopped) {
      this.#written(ended)
      return
    }
    setTimeout(() => {
      this.#ended.push(...ended)
      this.#store()
    }, PAUSE_AFTER_FAILURE)
  }

  #written(ended: readonly Ended[]): void {
    this.#unwritten -= ended.length
    for (const one of ended) {
      const { attempt, result, outcome } = one
      if (outcome) countAttempt(this.#database, attempt.interface, result.error, outcome)
      this.#warn(one)
    }
    this.#listener.written(ended)
  }

  #warn({ attempt, result, outcome }: Ended): void {
    if (!this.#logger || !outcome || outcome.status === 'delivered') return
    const isDead = outcome.status === 'dead' && outcome.round > 0
    if (outcome.round !== 1 && !isDead) return
    const { workspace, origin } = attempt.backlog
    const facts = {
      workspace: this.#workspaces.byRowScope(workspace)?.id,
      interface: attempt.interface,
      delivery: attempt.id,
      event: attempt.event,
      // Only the origin, because the path and query of a URL can be secret.
      origin: origin.name,
      status: result.status,
      error: result.error,
      ...(attempt.traceId !== null && { traceId: attempt.traceId }),
    }
    this.#logger.warn(facts, isDead ? 'webhook failed permanently' : 'webhook failed and will be retried')
  }
}

/** Records the result in the timeline, caused by the step that created the delivery. */
export function recordAttemptStep(
  workspace: Workspace,
  { id, interface: of, event }: Pick<Attempt, 'id' | 'interface' | 'event'>,
  result: AttemptResult,
): void {
  const timeline = timelineOf(workspace)
  const summary = result.status === null ? (result.error ?? 'no answer') : `answered ${String(result.status)}`
  timeline.recordStep({
    kind: 'delivery',
    title: `${of} ${event} ${summary}`,
    ref: id,
    outcome: result.error === null ? 'succeeded' : 'failed',
    causedBy: timeline.numberOfDelivery(id),
    durationMs: result.durationMs,
  })
}
