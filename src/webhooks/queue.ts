/**
 * The durable queue of deliveries, stored in SQLite: at least once, never lost. The outbox turns events into
 * deliveries, the dispatcher sends them, `results.ts` stores the outcomes, and callers can wait for due deliveries.
 * An attempt without a stored result is made again.
 */
import { notify } from '../state/timeline/longPoll.ts'
import type { ClockSetting } from '../state/model/clock.ts'
import type { Follower } from '../state/workspace/events.ts'
import type { Workspace } from '../state/workspace/workspace.ts'
import type { Registry } from '../state/workspace/registry.ts'
import { cancelPending, type Delivery } from './deliveries/deliveries.ts'
import { countDead, listDeliveries, type DeliveryQuery } from './deliveries/deliveryLog.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { countDue } from './deliveries/dueDeliveries.ts'
import { DueWaits } from './dispatch/dueWaits.ts'
import { firstHeldBack, type NextAttempt } from './deliveries/heldBack.ts'
import { inboxesOf } from './deliveries/inbox.ts'
import { Listeners } from './listeners/listeners.ts'
import type { OwnSubscription } from './listeners/session.ts'
import type { WebhooksLogger } from './logger.ts'
import {
  retryDelivery,
  retryMatching,
  type RedeliveryFilter,
  type RetriedDelivery,
} from './deliveries/redelivering.ts'
import { outbox } from './outbox.ts'
import { Profiles, type DeliveryProfile } from './profiles/profile.ts'
import {
  TargetPolicy,
  targetPolicyOf,
  setTargetPolicy,
  WITHIN_THIS_MACHINE,
  type TargetSettings,
} from './targets/allowedTargets.ts'
import { ATTEMPT_TIMEOUT, STOP_GRACE_MS } from './profiles/schedule.ts'
import { Subscribers } from './subscriptions/subscribers.ts'
import { Subscriptions } from './subscriptions/subscribing.ts'

export interface WebhooksOptions {
  /** The timeout of one attempt in ms; 10 s by default. */
  readonly timeoutMs?: number
  /** The most attempts in flight to one origin, from all workspaces together. */
  readonly perOrigin?: number
  /** The most attempts in flight in total. */
  readonly overall?: number
  /** "suite-simulator/1.0.0" */
  readonly userAgent?: string
  /** Ms that attempts in flight get to finish after `stop`; 5 s by default. */
  readonly graceMs?: number
  /** Ms in which a listener that has lost its connection can connect again. */
  readonly listenerGraceMs?: number
  /** The allowed targets; by default, plain HTTP only to this machine. */
  readonly targets?: TargetSettings
  readonly logger?: WebhooksLogger
}

/** Multiples of the timeout without any ended attempt, after which sending counts as stuck. */
const STUCK_TIMEOUTS = 3

export class Webhooks {
  /** Must receive all events: `workspaces.events.follow(webhooks.outbox)`. */
  readonly outbox: Follower
  readonly subscriptions: Subscriptions
  readonly listeners: Listeners

  readonly #workspaces: Registry
  readonly #dispatcher: Dispatcher
  readonly #timeoutMs: number
  readonly #waits = new DueWaits((due) => this.#dispatcher.hasPending(due))
  /** The generation and clock of each workspace at its last change. */
  readonly #lastSeen = new WeakMap<Workspace, { readonly generation: number; readonly clock: ClockSetting }>()
  #stopped: Promise<void> | null = null

  constructor(workspaces: Registry, profileList: readonly DeliveryProfile[], options: WebhooksOptions = {}) {
    const profiles = new Profiles(profileList)
    this.#workspaces = workspaces
    setTargetPolicy(workspaces.database, new TargetPolicy(options.targets ?? WITHIN_THIS_MACHINE))
    this.#timeoutMs = options.timeoutMs ?? ATTEMPT_TIMEOUT
    this.listeners = this.#createListeners(options)
    const subscribers = new Subscribers(this.listeners)
    this.#dispatcher = new Dispatcher(
      {
        workspaces,
        profiles,
        subscribers,
        waits: this.#waits,
        deactivate: (workspace, id) => {
          this.subscriptions.deactivate(workspace, id)
        },
      },
      {
        timeoutMs: this.#timeoutMs,
        perOrigin: options.perOrigin ?? 50,
        overall: options.overall ?? 512,
        userAgent: options.userAgent ?? 'suite-simulator',
        graceMs: options.graceMs ?? STOP_GRACE_MS,
        logger: options.logger ?? null,
      },
    )
    this.outbox = outbox(profiles, subscribers, this.#dispatcher)
    this.subscriptions = new Subscriptions(subscribers, this.#dispatcher)
    workspaces.watch((workspace) => {
      this.#changed(workspace)
    })
  }

  /** Sets the port and reachability of the server, which limit the targets. */
  listensAt(where: Pick<TargetSettings, 'isOpen' | 'ownPort'>): void {
    const { database } = this.#workspaces
    const settings = { ...targetPolicyOf(database).settings, ...where }
    setTargetPolicy(database, new TargetPolicy(settings))
    this.#dispatcher.setTargets(settings)
  }

  /** Starts sending, including pending deliveries of an earlier process. */
  start(): void {
    if (this.#stopped) return
    this.listeners.start()
    this.#dispatcher.start()
  }

  /**
   * Starts no more attempts, and resolves when those in flight have ended or were cut off, and their results are
   * stored.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#dispatcher.stop().then(() => {
      this.listeners.close()
    })
    return this.#stopped
  }

  /** Ms without progress although attempts are in flight; 0 while they end in time. */
  get stuckForMs(): number {
    const ms = this.#dispatcher.msWithoutEnd
    return ms > STUCK_TIMEOUTS * this.#timeoutMs ? ms : 0
  }

  /** Returns when the first pending delivery is or was due, on the workspace's clock; Infinity if none is pending. */
  earliestDue(workspace: Workspace, excludedOrigins?: ReadonlySet<string>): number {
    return this.#dispatcher.earliestDue(workspace, excludedOrigins)
  }

  /**
   * Returns the next attempt, preceded by the first overdue one that another delivery of its record holds back; at
   * most one of each.
   */
  nextAttempts(workspace: Workspace): NextAttempt[] {
    return [firstHeldBack(workspace), this.#dispatcher.nextAttempt(workspace)].filter((each) => each !== null)
  }

  /** See `Dispatcher.refuseDue`. */
  refuseDue(workspace: Workspace, until: number, excludedOrigins?: ReadonlySet<string>): number | null {
    return this.#dispatcher.refuseDue(workspace, until, excludedOrigins)
  }

  /** Returns the origins with deliveries that are due now on the workspace's clock. */
  late(workspace: Workspace): string[] {
    const { database } = this.#workspaces
    const before = database.nextRevision()
    return this.#dispatcher.late({ workspace: workspace.rowScope, instant: workspace.now(), before })
  }

  /** Counts the deliveries that are due now on the workspace's clock, including those in flight. */
  countDue(workspace: Workspace): number {
    return countDue(workspace, workspace.now())
  }

  /**
   * Sends all deliveries that are due now on the workspace's clock, also before `start`. Resolves when the results
   * are stored. Does not wait for held-back deliveries or for `excludedOrigins`.
   */
  async sendDue(workspace: Workspace, excludedOrigins?: ReadonlySet<string>): Promise<void> {
    const { database } = this.#workspaces
    await database.committed()
    if (this.#stopped) return
    const sent = this.#waits.until({
      workspace: workspace.rowScope,
      instant: workspace.now(),
      before: database.nextRevision(),
      ...(excludedOrigins && { excludedOrigins }),
    })
    this.#dispatcher.sendDue(workspace)
    await sent
  }

  /** Sends a delivery again with a new schedule. Refusals: not_found; conflict without an active subscription. */
  redeliver(workspace: Workspace, id: string): void {
    workspace.write(() => {
      this.#retried(workspace, retryDelivery(workspace, id, this.listeners))
    })
    notify(workspace, 'deliveries')
  }

  /**
   * Sends all deliveries that match again, in the order of their events, each with a new schedule. Returns their number
   * when all are pending. Ignores those without an active subscription.
   */
  async redeliverAll(workspace: Workspace, filter: RedeliveryFilter): Promise<number> {
    const count = await retryMatching(workspace, filter, this.listeners, (delivery) => {
      this.#retried(workspace, delivery)
    })
    if (count > 0) notify(workspace, 'deliveries')
    return count
  }

  #retried(workspace: Workspace, { origin, due, holdsBack }: RetriedDelivery): void {
    if (holdsBack) this.#dispatcher.stale(workspace)
    this.#dispatcher.pending(workspace, origin, due, null)
  }

  /** Counts the dead deliveries of a workspace, up to `max`. */
  countDead(workspace: Workspace, max: number): number {
    return countDead(workspace, max)
  }

  /** Returns the deliveries of a workspace, newest first. */
  list(workspace: Workspace, query: DeliveryQuery): Delivery[] {
    return listDeliveries(workspace, query)
  }

  #createListeners({ listenerGraceMs }: WebhooksOptions): Listeners {
    return new Listeners({
      timeoutMs: this.#timeoutMs,
      ...(listenerGraceMs !== undefined && { graceMs: listenerGraceMs }),
      changed: (workspace) => {
        this.#dispatcher.sendDue(workspace)
      },
      ended: (workspace, subscriptions) => {
        this.#cancel(workspace, subscriptions)
      },
      graceOver: () => {
        if (!this.#stopped) this.#dispatcher.start()
      },
    })
  }

  /** Cancels the pending deliveries of a listener that has ended. */
  #cancel(workspace: Workspace, subscriptions: readonly OwnSubscription[]): void {
    if (this.#stopped || !this.#workspaces.database.open) return
    workspace.write(() => {
      for (const each of subscriptions) cancelPending(workspace, each)
      this.#dispatcher.stale(workspace)
    })
    notify(workspace, 'deliveries')
  }

  #changed(workspace: Workspace): void {
    const { generation } = workspace
    const clock = workspace.clock.setting
    const lastSeen = this.#lastSeen.get(workspace)
    if (lastSeen?.generation === generation && lastSeen.clock === clock) return
    this.#lastSeen.set(workspace, { generation, clock })
    inboxesOf(workspace.database).changed(workspace)
    this.listeners.changed(workspace)
    // New records have new subscriptions, and the pending deliveries of the old ones are canceled.
    if (lastSeen?.generation !== generation) this.subscriptions.changed(workspace)
    else this.#dispatcher.stale(workspace)
  }
}
