/**
 * The durable queue of deliveries. What is owed lies in SQLite; the queue sends what is due on each workspace's clock,
 * and writes down what came of it. An attempt that was not written down is made again: at least once, never lost.
 *
 * Its parts: the outbox turns events into deliveries, the dispatcher hands them to the transport, the results write down
 * what came of them, and whoever asks waits for what is due.
 */
import { notify } from '../state/longPoll.ts'
import type { ClockSetting } from '../state/clock.ts'
import type { Follower } from '../state/events.ts'
import type { Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'
import { countDue, listDeliveries, oweAgain, type Delivery, type DeliveryQuery } from './deliveries.ts'
import { Dispatcher } from './dispatcher.ts'
import { DueWaits } from './dueWaits.ts'
import { firstHeldBack, type NextAttempt } from './heldBack.ts'
import type { WebhooksLogger } from './logger.ts'
import { outbox } from './outbox.ts'
import { Profiles, type DeliveryProfile } from './profile.ts'
import {
  TargetPolicy,
  targetPolicyOf,
  setTargetPolicy,
  WITHIN_THIS_MACHINE,
  type TargetSettings,
} from './allowedTargets.ts'
import { ATTEMPT_TIMEOUT, STOP_GRACE_MS } from './schedule.ts'
import { Subscribers } from './subscribers.ts'
import { Subscriptions } from './subscribing.ts'

export interface WebhooksOptions {
  /** Ms that one attempt may take in all; 10 s unless told otherwise. */
  readonly timeoutMs?: number
  /** Attempts that may be under way to one origin, from all workspaces together. */
  readonly perOrigin?: number
  /** Attempts that may be under way in all. */
  readonly overall?: number
  /** "suite-simulator/1.0.0" */
  readonly userAgent?: string
  /** Ms that attempts under way may still take when it is stopped; 5 s unless told otherwise. */
  readonly graceMs?: number
  /** Where webhooks may lead; within this machine by plain http, unless told otherwise. */
  readonly reach?: TargetSettings
  readonly logger?: WebhooksLogger
}

/** Times that an attempt may take; when none has ended for longer, nobody sends. */
const TIMES_TOO_LONG = 3

export class Webhooks {
  /** To be told of all events: `workspaces.follow(webhooks.outbox)`. */
  readonly outbox: Follower
  readonly subscriptions: Subscriptions

  readonly #workspaces: Workspaces
  readonly #dispatcher: Dispatcher
  readonly #timeoutMs: number
  readonly #waits = new DueWaits((due) => this.#dispatcher.hasPending(due))
  /** What each workspace was like when it last changed. */
  readonly #seen = new WeakMap<Workspace, { readonly era: number; readonly clock: ClockSetting }>()
  #stopped: Promise<void> | null = null

  constructor(workspaces: Workspaces, known: readonly DeliveryProfile[], options: WebhooksOptions = {}) {
    const profiles = new Profiles(known)
    const subscribers = new Subscribers()
    this.#workspaces = workspaces
    setTargetPolicy(workspaces.database, new TargetPolicy(options.reach ?? WITHIN_THIS_MACHINE))
    this.#timeoutMs = options.timeoutMs ?? ATTEMPT_TIMEOUT
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

  /** Says where the server listens, and so where webhooks may not lead. */
  listensAt(where: Pick<TargetSettings, 'isOpen' | 'ownPort'>): void {
    const { database } = this.#workspaces
    const settings = { ...targetPolicyOf(database).settings, ...where }
    setTargetPolicy(database, new TargetPolicy(settings))
    this.#dispatcher.heed(settings)
  }

  /** Begins to send, first of all what an earlier process has left owed. */
  start(): void {
    if (!this.#stopped) this.#dispatcher.start()
  }

  /** Starts no more attempts, and resolves when those under way have ended, or were cut off, and are written down. */
  stop(): Promise<void> {
    this.#stopped ??= this.#dispatcher.stop()
    return this.#stopped
  }

  /** For how many ms nothing has been sent although attempts are under way; 0 while they end in time. */
  get stuckForMs(): number {
    const ms = this.#dispatcher.msWithoutEnd
    return ms > TIMES_TOO_LONG * this.#timeoutMs ? ms : 0
  }

  /** When the first delivery that the workspace owes is or was due, on its clock; Infinity when it owes none. */
  earliestDue(workspace: Workspace, apart?: ReadonlySet<string>): number {
    return this.#dispatcher.earliestDue(workspace, apart)
  }

  /**
   * The next attempt, and before it the first in the past that another delivery of the same record holds back: one of
   * each at most.
   */
  nextAttempts(workspace: Workspace): NextAttempt[] {
    return [firstHeldBack(workspace), this.#dispatcher.nextAttempt(workspace)].filter((each) => each !== null)
  }

  /** See `Dispatcher.refuseDue`. */
  refuseDue(workspace: Workspace, until: number, apart?: ReadonlySet<string>): number | null {
    return this.#dispatcher.refuseDue(workspace, until, apart)
  }

  /** The origins to which something is owed that is due now on the workspace's clock. */
  late(workspace: Workspace): string[] {
    const { database } = this.#workspaces
    const before = database.nextRevision()
    return this.#dispatcher.late({ workspace: workspace.rowScope, instant: workspace.now(), before })
  }

  /** How many deliveries are due now on the workspace's clock, under way or not. */
  countDue(workspace: Workspace): number {
    return countDue(workspace, workspace.now())
  }

  /**
   * Attempts everything that is due now on the workspace's clock, also before `start`; resolves when those attempts
   * are written down. What is held back by a delivery that is due later is not waited for, nor are origins `apart`.
   */
  async sendDue(workspace: Workspace, apart?: ReadonlySet<string>): Promise<void> {
    const { database } = this.#workspaces
    await database.committed()
    if (this.#stopped) return
    const sent = this.#waits.until({
      workspace: workspace.rowScope,
      instant: workspace.now(),
      before: database.nextRevision(),
      ...(apart && { apart }),
    })
    this.#dispatcher.sendDue(workspace)
    await sent
  }

  /** Sends a delivery again, from the beginning of its schedule. Refusals: not_found; conflict without a receiver. */
  redeliver(workspace: Workspace, id: string): void {
    workspace.write(() => {
      const { origin, due, holdsBack } = oweAgain(workspace, id)
      if (holdsBack) this.#dispatcher.stale(workspace)
      this.#dispatcher.pending(workspace, origin, due, null)
    })
    notify(workspace, 'deliveries')
  }

  /** The deliveries of a workspace, newest first. */
  list(workspace: Workspace, query: DeliveryQuery): Delivery[] {
    return listDeliveries(workspace, query)
  }

  #changed(workspace: Workspace): void {
    const { generation, clock } = workspace
    const seen = this.#seen.get(workspace)
    if (seen?.era === generation && seen.clock === clock) return
    this.#seen.set(workspace, { era: generation, clock })
    // With other records come other subscriptions, and what is owed to the old ones is taken back as well.
    if (seen?.era !== generation) this.subscriptions.changed(workspace)
    else this.#dispatcher.stale(workspace)
  }
}
