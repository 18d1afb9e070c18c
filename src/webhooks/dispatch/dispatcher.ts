/**
 * The dispatcher: decides which delivery is sent next, and when. Backlogs with due deliveries take turns. A backlog
 * waits for the limit of its origin, the total limit, or the workspace's clock.
 */
import type { Database } from '../../state/storage/database/database.ts'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { Alarm } from '../../state/model/scheduler.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { Attempt } from './attempt.ts'
import type { Backlog } from '../backlogs/backlog.ts'
import { Backlogs } from '../backlogs/backlogs.ts'
import { cancelPending } from '../deliveries/deliveries.ts'
import { dueSequences, findDueDelivery, isAnyDue, nextDueTime } from '../deliveries/dueDeliveries.ts'
import { hasDeliveryFaults } from './faultTransport.ts'
import type { DueWaits, DueQuery } from './dueWaits.ts'
import { deliveryOf, reasonHeldBack, type NextAttempt, type Standing } from '../deliveries/heldBack.ts'
import type { WebhooksLogger } from '../logger.ts'
import type { Released } from '../deliveries/order.ts'
import type { PendingListener } from '../deliveries/pendingListener.ts'
import type { Profiles } from '../profiles/profile.ts'
import { targetPolicyOf, type TargetSettings } from '../targets/allowedTargets.ts'
import { PAUSE_AFTER_FAILURE, Results, type Ended, type ResultsListener } from './results.ts'
import { isRefusing, refuseInOrder } from './recordRefusals.ts'
import { RoundRobin } from '../backlogs/roundRobin.ts'
import { Sender } from './sender.ts'
import { REFUSED, type AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import { Slots } from './slots.ts'
import type { Subscribers } from '../subscriptions/subscribers.ts'
import { RecordLocks } from '../backlogs/recordLocks.ts'

export interface DispatcherOptions {
  /** The timeout of one attempt in ms. */
  readonly timeoutMs: number
  /** The most attempts in flight to one origin, from all workspaces together. */
  readonly perOrigin: number
  /** The most attempts in flight in total. */
  readonly overall: number
  readonly userAgent: string
  /** Ms that attempts in flight get to finish after `stop`. */
  readonly graceMs: number
  readonly logger: WebhooksLogger | null
}

export interface DispatcherParts {
  readonly workspaces: Registry
  readonly profiles: Profiles
  readonly subscribers: Subscribers
  readonly waits: Pick<DueWaits, 'has' | 'look'>
  /** Deactivates a subscription whose receiver no longer exists. Only inside a `write`. */
  readonly deactivate: (workspace: Workspace, subscription: string) => void
}

/** A response within this part of the timeout is quick. */
const QUICK_SHARE = 1 / 4

/** Attempts that start in one turn of the event loop. The server handles waiting requests before the next turn. */
const MAX_STARTS_PER_TURN = 8

export class Dispatcher implements PendingListener, ResultsListener {
  readonly receiverGone: ResultsListener['receiverGone']
  readonly #workspaces: Registry
  readonly #database: Database
  readonly #profiles: Profiles
  readonly #subscribers: Subscribers
  readonly #waits: DispatcherParts['waits']
  readonly #options: DispatcherOptions
  readonly #sender: Sender
  readonly #slots: Slots
  readonly #results: Results
  readonly #backlogs: Backlogs
  readonly #round = new RoundRobin()
  readonly #recordLocks = new RecordLocks()
  readonly #alarm = new Alarm(() => {
    this.#wakeAll()
  })

  /** Backlogs to check after the commit. */
  readonly #changed = new Set<Backlog>()
  #started = false
  #pumping = false
  #startsInTurn = 0
  #stopped = false
  #whenIdle: (() => void) | null = null

  constructor(
    { workspaces, profiles, subscribers, waits, deactivate }: DispatcherParts,
    options: DispatcherOptions,
  ) {
    this.receiverGone = deactivate
    this.#workspaces = workspaces
    this.#database = workspaces.database
    this.#profiles = profiles
    this.#subscribers = subscribers
    this.#waits = waits
    this.#options = options
    const { timeoutMs, perOrigin, overall, userAgent } = options
    const { settings: targets } = targetPolicyOf(this.#database)
    this.#sender = new Sender(profiles, {
      timeoutMs,
      perOrigin,
      userAgent,
      targets,
      listeners: subscribers.listeners,
    })
    this.#slots = new Slots(overall)
    this.#results = new Results(workspaces, profiles, options.logger, this)
    this.#backlogs = new Backlogs(this.#database, perOrigin)
  }

  /** Starts sending, including pending deliveries of an earlier process. */
  start(): void {
    this.#started = true
    this.#backlogs.recover()
    this.#wakeAll()
  }

  /** Sets the target policy. */
  setTargets(reach: TargetSettings): void {
    this.#sender.setTargets(reach)
  }

  /**
   * Starts no more attempts, and resolves when the results of those in flight are stored. Attempts that exceed the
   * grace period are cut off, which counts as a failure.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#alarm.clear()
    this.#results.stop()
    this.#sender.release()
    this.#waits.look()
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve
      this.#checkIdle()
    })
    const grace = setTimeout(() => void this.#sender.close(), this.#options.graceMs)
    await idle
    clearTimeout(grace)
    await this.#sender.close()
  }

  /** See `Sender`. */
  get msWithoutEnd(): number {
    return this.#sender.msWithoutEnd
  }

  /** Returns when the first pending delivery is or was due, on the workspace's clock; Infinity if none is pending. */
  earliestDue(workspace: Workspace, excludedOrigins?: ReadonlySet<string>): number {
    this.#backlogs.recover()
    return this.#backlogs.firstDue(workspace, excludedOrigins)?.due ?? Infinity
  }

  /** Returns the next attempt that no other delivery of its record holds back; null if none is pending. */
  nextAttempt(workspace: Workspace): NextAttempt | null {
    this.#backlogs.recover()
    const first = this.#backlogs.firstDue(workspace)
    if (!first) return null
    const { backlog, due } = first
    const [sequence] = dueSequences(workspace, backlog.origin.name, due, 1)
    if (sequence === undefined) return null
    const heldBackBy = due > workspace.now() ? null : reasonHeldBack(this.#standing(backlog, sequence))
    return { delivery: deliveryOf(workspace, sequence), due, heldBackBy }
  }

  #standing(backlog: Backlog, sequence: number): Standing {
    const { origin } = backlog
    return {
      origin: origin.name,
      isListenerAway: !this.#subscribers.listeners.canSendTo(origin.name),
      isSending: this.#mayRun(backlog),
      isInFlight: backlog.inFlight.has(sequence),
      inFlightToOrigin: origin.inFlight,
      isOriginLimitReached: !origin.hasFreeSlot,
      isThrottled: this.#slots.isThrottled(origin),
      isTotalLimitReached: this.#slots.isLimitReached,
      isBlocked: backlog.blocked > 0,
    }
  }

  /** Checks whether some of the due deliveries are pending and can still be sent. */
  hasPending({ excludedOrigins, ...due }: DueQuery): boolean {
    return this.late(due).some((origin) => excludedOrigins?.has(origin) !== true)
  }

  /** Returns the origins with pending deliveries that were due. */
  late({ workspace: number, instant, before }: Omit<DueQuery, 'excludedOrigins'>): string[] {
    const workspace = this.#database.open ? this.#workspaces.byRowScope(number) : undefined
    if (!workspace || this.#stopped) return []
    return this.#backlogs
      .of(number)
      .flatMap(({ origin }) => (isAnyDue(workspace, origin.name, instant, before) ? [origin.name] : []))
  }

  /** Sends due deliveries of a workspace, also before `start` if a caller waits for them. */
  sendDue(workspace: Workspace): void {
    this.#backlogs.recover()
    for (const backlog of this.#backlogs.of(workspace.rowScope)) {
      backlog.expect(-Infinity)
      this.#wake(backlog)
    }
    this.#pump()
    this.#waits.look()
  }

  /**
   * Records due deliveries until `until` as refused, in order, if their origin has just refused a connection; real
   * attempts would take thousands of round trips. Does one slice. Returns the due time of the last one; null if
   * others must go first.
   */
  refuseDue(workspace: Workspace, until: number, excludedOrigins?: ReadonlySet<string>): number | null {
    if (this.#stopped || hasDeliveryFaults(workspace)) return null
    const backlogs = this.#backlogs
      .of(workspace.rowScope)
      .filter(({ origin }) => excludedOrigins?.has(origin.name) !== true)
    const [refusing, others] = [backlogs.filter(isRefusing), backlogs.filter((each) => !isRefusing(each))]
    if (refusing.length === 0) return null
    const limit = Math.min(
      until,
      ...others.map(({ origin }) => nextDueTime(workspace, origin.name, -Infinity)),
    )
    const origins = refusing.map(({ origin }) => origin.name)
    const upTo = this.#database.write(() => refuseInOrder(workspace, origins, limit, this.#profiles, this))
    if (upTo !== null) this.stale(workspace)
    return upTo
  }

  pending(workspace: Workspace, origin: string, due: number, sequence: number | null): void {
    if (this.#stopped) return
    const backlog = this.#backlogs.get(workspace.rowScope, origin)
    if (sequence === null) backlog.expect(due)
    else backlog.expectFresh(sequence, due, workspace.now())
    this.#lookAfterCommit(backlog)
  }

  /** Pending deliveries may have changed: nothing is sent before the commit. */
  stale(workspace: Workspace): void {
    for (const backlog of this.#backlogs.of(workspace.rowScope)) {
      backlog.isUncommitted = true
      this.#lookAfterCommit(backlog)
    }
  }

  released(deliveries: readonly Released[]): void {
    for (const { workspace: number, origin, sequence, due } of deliveries) {
      const workspace = this.#workspaces.byRowScope(number)
      if (workspace) this.pending(workspace, origin, due, sequence)
    }
  }

  written(ended: readonly Ended[]): void {
    for (const { attempt, outcome } of ended) {
      const { backlog, sequence } = attempt
      backlog.end(sequence, attempt)
      if (outcome) backlog.expect(outcome.nextAttemptAt ?? Infinity)
    }
    for (const backlog of new Set(ended.map(({ attempt }) => attempt.backlog))) this.#wake(backlog)
    this.#pump()
    this.#waits.look()
    this.#checkIdle()
  }

  failed(error: unknown): void {
    databaseHealthOf(this.#database).report(error)
    this.#options.logger?.error({ err: error }, 'the database failed while webhooks were being sent')
    this.#alarm.noLaterThan(PAUSE_AFTER_FAILURE)
  }

  /** Checks the backlog after the commit, because an open transaction may be undone. */
  #lookAfterCommit(backlog: Backlog): void {
    this.#changed.add(backlog)
    if (this.#changed.size > 1) return
    this.#database.whenCommitted((error) => {
      const backlogs = [...this.#changed]
      this.#changed.clear()
      for (const changed of backlogs) {
        changed.settle(error === null)
        this.#wake(changed)
      }
      this.#pump()
    })
  }

  #wakeAll(): void {
    for (const backlog of this.#backlogs.all()) this.#wake(backlog)
    this.#pump()
  }

  /** Adds the backlog to the round robin if something is due, or sets the alarm. */
  #wake(backlog: Backlog): void {
    if (backlog.waiting || !this.#mayRun(backlog)) return
    const workspace = this.#workspaceOf(backlog)
    if (!workspace) {
      this.#backlogs.remove(backlog)
      return
    }
    const delay = backlog.hasReady ? 0 : workspace.clock.realDelayUntil(backlog.nextDue)
    if (delay !== null && delay <= 0) this.#round.add(backlog)
    else if (backlog.isEmpty) this.#backlogs.remove(backlog)
    else this.#alarm.noLaterThan(delay)
  }

  #mayRun({ workspace, origin }: Backlog): boolean {
    if (this.#stopped || !this.#database.open) return false
    if (!this.#subscribers.listeners.canSendTo(origin.name)) return false
    return this.#started || this.#waits.has(workspace)
  }

  /**
   * Sends while slots are free, one delivery of each backlog in turn, and continues in the next turn. Never throws.
   */
  #pump(): void {
    if (this.#pumping || this.#stopped || this.#round.isEmpty) return
    if (!this.#sender.isReady) {
      this.#load()
      return
    }
    this.#pumping = true
    while (this.#startsInTurn < MAX_STARTS_PER_TURN && !this.#slots.isLimitReached) {
      const backlog = this.#round.next()
      if (!backlog) break
      try {
        if (this.#mayRun(backlog)) this.#sendNext(backlog)
      } catch (error) {
        this.failed(error)
        backlog.expect(-Infinity)
      }
    }
    this.#pumping = false
  }

  readonly #nextTurn = (): void => {
    this.#startsInTurn = 0
    this.#pump()
  }

  /** Loads the HTTP client, and then sends. */
  #load(): void {
    this.#pumping = true
    this.#sender.load().then(
      () => {
        this.#pumping = false
        this.#pump()
      },
      (error: unknown) => {
        this.#options.logger?.error(
          { err: error },
          'the HTTP client could not be loaded; no webhooks are sent',
        )
      },
    )
  }

  /** Sends the next delivery of a backlog, or parks the backlog. */
  #sendNext(backlog: Backlog): void {
    const { origin } = backlog
    if (backlog.isUncommitted) return
    if (!origin.hasFreeSlot) {
      this.#round.waitForOrigin(backlog)
      return
    }
    if (this.#slots.isThrottled(origin)) {
      this.#round.throttle(backlog)
      return
    }
    const sequence = backlog.take() ?? this.#lookUp(backlog)
    if (sequence === undefined) return
    this.#attempt(backlog, sequence)
    this.#round.add(backlog)
  }

  /** Looks up due deliveries. Returns undefined if none is due, or if an open transaction must commit first. */
  #lookUp(backlog: Backlog): number | undefined {
    const workspace = this.#workspaceOf(backlog)
    if (!workspace || backlog.nextDue > workspace.now()) {
      this.#wake(backlog)
      return undefined
    }
    if (this.#database.sqlite.inTransaction) {
      this.#lookAfterCommit(backlog)
      return undefined
    }
    const now = workspace.now()
    const { name } = backlog.origin
    const due = dueSequences(workspace, name, now, backlog.lookupLimit)
    backlog.refill(due, () => nextDueTime(workspace, name, now))
    const sequence = backlog.take()
    if (sequence === undefined) this.#wake(backlog)
    return sequence
  }

  /** Reads the delivery again, because it may have changed since the lookup, and sends it if it is still due. */
  #attempt(backlog: Backlog, sequence: number): void {
    const workspace = this.#workspaceOf(backlog)
    // It was queued as new and found by a lookup.
    if (backlog.inFlight.has(sequence)) return
    const delivery = findDueDelivery(this.#database, sequence)
    // If its URL has changed, it belongs to another backlog.
    if (!workspace || delivery?.origin !== backlog.origin.name) return
    if (delivery.due > workspace.now()) {
      backlog.expect(delivery.due)
      return
    }
    const secret = this.#subscribers.secretOf(workspace, delivery.subscription)
    if (secret === null) {
      // A snapshot can replace subscriptions without canceling their deliveries.
      this.#database.write(() => {
        cancelPending(workspace, { id: delivery.subscription, interface: delivery.interface })
      })
      return
    }
    if (this.#startsInTurn++ === 0) setImmediate(this.#nextTurn)
    const lock =
      delivery.record === null
        ? null
        : `${String(backlog.workspace)} ${delivery.subscription} ${delivery.record}`
    if (lock !== null && !this.#recordLocks.take(lock, backlog)) return
    const attempt = new Attempt(backlog, sequence, delivery, workspace.now(), () => {
      if (lock !== null) this.#releaseLock(lock)
    })
    backlog.inFlight.set(sequence, attempt)
    this.#slots.take(attempt)
    this.#sender.send(attempt, delivery, workspace, secret, this.#end)
  }

  #releaseLock(lock: string): void {
    for (const backlog of this.#recordLocks.free(lock)) this.#lookAfterCommit(backlog)
  }

  /** Frees the slot, and stores the result at the end of the turn. */
  readonly #end = (attempt: Attempt, result: AttemptResult): void => {
    const { origin } = attempt.backlog
    this.#slots.release(attempt)
    origin.refusedAt = result.error === REFUSED ? monotonicNow() : null
    if (result.status === null) origin.wasSilent()
    else origin.answered(result.durationMs <= this.#options.timeoutMs * QUICK_SHARE)
    this.#round.release(origin)
    this.#pump()
    this.#results.add(attempt, result, this.#slots.isIdle)
  }

  #checkIdle(): void {
    if (this.#slots.isIdle && this.#results.unwritten === 0) this.#whenIdle?.()
  }

  #workspaceOf(backlog: Backlog): Workspace | undefined {
    return this.#workspaces.byRowScope(backlog.workspace)
  }
}
