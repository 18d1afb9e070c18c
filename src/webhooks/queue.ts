/**
 * The durable queue of deliveries. What is owed lies in SQLite; the queue holds sequence numbers, sends what is due
 * on each workspace's clock, and writes down what came of it. An attempt that was not written down is made again:
 * at least once, never lost.
 */
import { notify } from '../state/longPoll.ts'
import { iso, type ClockSetting } from '../state/clock.ts'
import type { Database } from '../state/database.ts'
import type { Follower } from '../state/events.ts'
import { Alarm } from '../state/scheduler.ts'
import type { Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'
import { isPrompt, type Courier, type Outgoing, type Parcel, type Result } from './courier.ts'
import {
  dueTo,
  giveUp,
  isAnyDue,
  listDeliveries,
  nextDueTo,
  owedDelivery,
  owedGroups,
  recordAttempt,
  sendAgain,
  type Delivery,
  type DeliveryQuery,
  type Outcome,
  type OwedDelivery,
} from './deliveries.ts'
import { Ahead, Lane, MOST_AHEAD, Origin, type InFlight } from './lanes.ts'
import { outbox } from './outbox.ts'
import { onOwed } from './owed.ts'
import { Profiles, type DeliveryProfile } from './profile.ts'
import { ATTEMPT_TIMEOUT } from './schedule.ts'
import { Sender } from './sender.ts'
import { signatureOf } from './signature.ts'
import { forgetSubscribers, secretOf } from './subscriptions.ts'
import { ThreadedSender } from './threadedSender.ts'

/** As much of a logger as is used; neither secrets nor bodies are logged. */
export interface WebhooksLogger {
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export interface WebhooksOptions {
  /** Ms that one attempt may take in all; 10 s unless told otherwise. */
  readonly timeoutMs?: number
  /** Ms within which an origin has to answer to be given some ahead; 100 unless told otherwise. */
  readonly promptMs?: number
  /** Attempts that may be under way to one origin, from all workspaces together. */
  readonly perOrigin?: number
  /** Attempts that may be under way in all. */
  readonly overall?: number
  /** "suite-simulator/1.0.0" */
  readonly userAgent?: string
  /** The file of a thread to send from (see threadedSender.ts); without one, this thread sends. */
  readonly thread?: string
  readonly logger?: WebhooksLogger
}

/** A delivery that the courier was given. Its body is not kept: hundreds are in flight. */
class Sent implements InFlight {
  readonly lane: Lane
  readonly sequence: number
  readonly id: string
  readonly interface: string
  readonly event: string
  readonly characters: number
  /** When it was given away, on the workspace's clock. */
  readonly at: number
  /** Whether its origin had been silent before. */
  readonly toSilent: boolean
  #parcel: Parcel | null = null

  constructor(lane: Lane, sequence: number, owed: OwedDelivery, at: number) {
    this.lane = lane
    this.sequence = sequence
    this.id = owed.id
    this.interface = owed.interface
    this.event = owed.event
    this.characters = owed.body.length
    this.at = at
    this.toSilent = lane.origin.silent
  }

  go(courier: Courier, outgoing: Outgoing, ended: (sent: Sent, result: Result | null) => void): void {
    this.#parcel = courier.send(outgoing, (result) => {
      ended(this, result)
    })
  }

  recall(): boolean {
    return this.#parcel?.recall() ?? false
  }
}

/** An attempt that is over and not yet on the file. */
interface Ended {
  readonly sent: Sent
  readonly result: Result
  outcome: Outcome | null
}

/** Someone who waits until everything is sent that was due at an instant. */
interface Waiter {
  readonly workspace: number
  readonly instant: number
  /** Later deliveries are not waited for, or a busy workspace would hold its caller for ever. */
  readonly before: number
  readonly resolve: () => void
}

/** Ms after which the first of a series of attempts is written down, and how many at most share a transaction. */
const WRITING_INTERVAL = 20
const WRITTEN_AT_ONCE = 500

/** Ms until the queue tries again after the database failed. */
const PAUSE_AFTER_FAILURE = 1000

/** An answer within this part of the timeout is a quick one. */
const QUICK = 1 / 4

/** What origins that do not answer may hold of all slots together. */
const SILENT_SHARE = 1 / 4

/** Origins of which is remembered how they answer. */
const MOST_ORIGINS = 1000

export class Webhooks {
  /** To be told of all events: `workspaces.follow(webhooks.outbox)`. */
  readonly outbox: Follower

  readonly #workspaces: Workspaces
  readonly #database: Database
  readonly #profiles: Profiles
  readonly #options: Required<Omit<WebhooksOptions, 'thread' | 'logger'>>
  readonly #logger: WebhooksLogger | null
  readonly #courier: Courier
  readonly #alarm = new Alarm(() => {
    this.#wakeAll()
  })

  readonly #lanes = new Map<number, Map<string, Lane>>()
  readonly #origins = new Map<string, Origin>()
  /** Lanes that have something to send, each standing in it once. */
  readonly #line: Lane[] = []
  /** Lanes that wait until silent origins hold fewer slots. */
  #held: Lane[] = []
  /** Lanes to look into once what is being written is on the file. */
  readonly #fresh = new Set<Lane>()
  /** What the workspaces that have lanes were like when they last changed. */
  readonly #seen = new Map<number, { readonly era: number; readonly clock: ClockSetting }>()
  readonly #waiters = new Set<Waiter>()
  #ended: Ended[] = []
  #writing: NodeJS.Timeout | undefined
  /** All that the courier has, and of that what waits there for a slot of its origin. */
  #inFlight = 0
  readonly #ahead = new Ahead()
  #inFlightToSilent = 0
  #unwritten = 0

  #recovered = false
  #started = false
  #pumping = false
  #stopped: Promise<void> | null = null
  #whenIdle: (() => void) | null = null

  constructor(workspaces: Workspaces, profiles: readonly DeliveryProfile[], options: WebhooksOptions = {}) {
    const { timeoutMs = ATTEMPT_TIMEOUT, promptMs = 100, perOrigin = 50, overall = 512 } = options
    this.#workspaces = workspaces
    this.#database = workspaces.database
    this.#profiles = new Profiles(profiles)
    const userAgent = options.userAgent ?? 'suite-simulator'
    this.#options = { timeoutMs, promptMs, perOrigin, overall, userAgent }
    this.#logger = options.logger ?? null
    this.#courier = this.#makeCourier(options.thread)
    this.outbox = outbox(this.#profiles)
    onOwed(this.#database, {
      owed: (workspace, origin, due, sequence) => {
        this.#expect(workspace, origin, due, sequence)
      },
      stale: (workspace) => {
        this.#recall(workspace)
      },
    })
    workspaces.watch((workspace) => {
      this.#changed(workspace)
    })
  }

  /** Begins to send, first of all what an earlier process has left owed. */
  start(): void {
    if (this.#stopped) return
    this.#started = true
    this.#recover()
    this.#wakeAll()
  }

  /** Starts no more attempts and resolves when those under way have ended and are written down. */
  stop(): Promise<void> {
    this.#stopped ??= this.#finish()
    return this.#stopped
  }

  /** When the first delivery that the workspace owes is or was due, on its clock; Infinity when it owes none. */
  earliestDue(workspace: Workspace): number {
    this.#recover()
    let earliest = Infinity
    for (const origin of this.#lanes.get(workspace.number)?.keys() ?? []) {
      earliest = Math.min(earliest, nextDueTo(workspace, origin, -Infinity))
    }
    return earliest
  }

  /**
   * Attempts everything that is due now on the workspace's clock, also before `start`; resolves when those attempts
   * are written down.
   */
  async sendDue(workspace: Workspace): Promise<void> {
    await this.#database.committed()
    if (this.#stopped) return
    this.#recover()
    await new Promise<void>((resolve) => {
      this.#waiters.add({
        workspace: workspace.number,
        instant: workspace.now(),
        before: this.#database.nextRevision(),
        resolve,
      })
      for (const lane of this.#lanesOf(workspace.number)) {
        lane.expect(-Infinity)
        this.#wake(lane)
      }
      this.#pump()
      this.#answerWaiters()
    })
  }

  /** Sends a delivery again, from the beginning of its schedule. Refusals: not_found; conflict without a receiver. */
  redeliver(workspace: Workspace, id: string): void {
    sendAgain(workspace, id)
    notify(workspace, 'deliveries')
  }

  /** The deliveries of a workspace, newest first. */
  list(workspace: Workspace, query: DeliveryQuery): Delivery[] {
    return listDeliveries(workspace, query)
  }

  /** Learns once what the file owes from before. */
  #recover(): void {
    if (this.#recovered) return
    this.#recovered = true
    for (const { workspace, origin, due } of owedGroups(this.#database)) {
      this.#lane(workspace, origin).expect(due)
    }
  }

  #expect(workspace: Workspace, origin: string, due: number, sequence: number | null): void {
    if (this.#stopped) return
    const lane = this.#lane(workspace.number, origin)
    if (sequence === null) lane.expect(due)
    else lane.expectFresh(sequence, due, workspace.now())
    this.#lookAfterCommit(lane)
  }

  /** Nothing is sent that a transaction still open may take back. */
  #lookAfterCommit(lane: Lane): void {
    this.#fresh.add(lane)
    if (this.#fresh.size > 1) return
    this.#database.whenCommitted((error) => {
      const lanes = [...this.#fresh]
      this.#fresh.clear()
      for (const fresh of lanes) {
        fresh.settle(error === null)
        this.#wake(fresh)
      }
      this.#pump()
    })
  }

  #changed(workspace: Workspace): void {
    const { number, era, clock } = workspace
    const seen = this.#seen.get(number)
    if (seen?.era === era && seen.clock === clock) return
    if (this.#lanes.has(number)) this.#seen.set(number, { era, clock })
    // With other records come other subscriptions, and what is owed to the old ones is taken back as well.
    if (seen?.era !== era) forgetSubscribers(workspace)
    else this.#recall(workspace)
  }

  /** Takes back what is not under way yet; it is read anew, and may then have to go elsewhere, later or not at all. */
  #recall(workspace: Workspace): void {
    for (const lane of this.#lanesOf(workspace.number)) {
      lane.recall()
      this.#release(lane.origin)
      this.#lookAfterCommit(lane)
    }
  }

  #wakeAll(): void {
    for (const number of [...this.#lanes.keys()]) {
      for (const lane of this.#lanesOf(number)) this.#wake(lane)
    }
    this.#pump()
  }

  /** Puts the lane in the line when something is due, or sets the alarm for when it will be. */
  #wake(lane: Lane): void {
    if (lane.waiting || !this.#mayRun(lane)) return
    const workspace = this.#workspaceOf(lane)
    if (!workspace) {
      this.#remove(lane)
      return
    }
    const delay = lane.hasReady ? 0 : workspace.realDelayUntil(lane.nextDue)
    if (delay !== null && delay <= 0) this.#queue(lane)
    else if (lane.isEmpty) this.#remove(lane)
    else this.#alarm.noLaterThan(delay)
  }

  #queue(lane: Lane): void {
    if (lane.waiting) return
    lane.waiting = true
    this.#line.push(lane)
  }

  #mayRun({ workspace }: Lane): boolean {
    if (this.#stopped || !this.#database.open) return false
    if (this.#started) return true
    for (const waiter of this.#waiters) if (waiter.workspace === workspace) return true
    return false
  }

  /** Sends as much as there are slots for, a delivery of each lane in turn. Never throws. */
  #pump(): void {
    if (this.#pumping || this.#stopped || this.#line.length === 0) return
    if (!this.#courier.ready) {
      this.#load()
      return
    }
    this.#pumping = true
    while (this.#inFlight - this.#ahead.count < this.#options.overall) {
      const lane = this.#line.shift()
      if (!lane) break
      lane.waiting = false
      try {
        if (this.#mayRun(lane)) this.#serve(lane)
      } catch (error) {
        this.#databaseFailed(error)
        lane.expect(-Infinity)
      }
    }
    this.#pumping = false
  }

  #makeCourier(thread: string | undefined): Courier {
    const { timeoutMs, promptMs, perOrigin: connections, overall } = this.#options
    const headers = ['content-type', 'application/json', 'user-agent', this.#options.userAgent]
    const options = { timeoutMs, promptMs, headers, connections, most: overall + MOST_AHEAD }
    if (thread === undefined) return new Sender(options)
    const died = (error: unknown): void => {
      this.#logger?.error(
        { err: error },
        'the thread that sends webhooks has died; the next delivery starts another',
      )
    }
    return new ThreadedSender({ ...options, file: thread, died })
  }

  #load(): void {
    this.#pumping = true
    this.#courier.load().then(
      () => {
        this.#pumping = false
        this.#pump()
      },
      (error: unknown) => {
        this.#logger?.error({ err: error }, 'the HTTP client could not be loaded; no webhook is sent')
      },
    )
  }

  /** Sends the next delivery of a lane, or finds out why not. */
  #serve(lane: Lane): void {
    const { origin } = lane
    if (lane.unsettled) return
    if (!origin.hasRoom && !origin.hasRoomAhead) {
      lane.waiting = true
      origin.parked.push(lane)
      return
    }
    if (origin.silent && this.#inFlightToSilent >= this.#options.overall * SILENT_SHARE) {
      lane.waiting = true
      this.#held.push(lane)
      return
    }
    const sequence = lane.take() ?? this.#lookUp(lane)
    if (sequence === undefined) return
    this.#attempt(lane, sequence)
    this.#queue(lane)
  }

  /** Looks up what is due; undefined when nothing is, or when it can't be known before the next commit. */
  #lookUp(lane: Lane): number | undefined {
    const workspace = this.#workspaceOf(lane)
    if (!workspace || lane.nextDue > workspace.now()) {
      this.#wake(lane)
      return undefined
    }
    if (this.#database.sqlite.inTransaction) {
      this.#lookAfterCommit(lane)
      return undefined
    }
    const now = workspace.now()
    const { name } = lane.origin
    const due = dueTo(workspace, name, now, lane.look)
    lane.refill(due, () => nextDueTo(workspace, name, now))
    const sequence = lane.take()
    if (sequence === undefined) this.#wake(lane)
    return sequence
  }

  /** Reads the delivery anew, for much may have happened since it was looked up, and sends it if it is still due. */
  #attempt(lane: Lane, sequence: number): void {
    const workspace = this.#workspaceOf(lane)
    // It was fresh, and has been looked up as well.
    if (lane.inFlight.has(sequence)) return
    const owed = owedDelivery(this.#database, sequence)
    // Its url may have changed meanwhile; then it stands in another lane.
    if (!workspace || owed?.origin !== lane.origin.name) return
    if (owed.due > workspace.now()) {
      lane.expect(owed.due)
      return
    }
    const { url, body } = owed
    const secret = secretOf(workspace, owed.subscription)
    if (secret === null) {
      // A snapshot may bring subscriptions to an end without a word.
      this.#database.write(() => {
        giveUp(this.#database, sequence)
      })
      return
    }
    const sent = new Sent(lane, sequence, owed, workspace.now())
    lane.inFlight.set(sequence, sent)
    lane.origin.give(sent.characters)
    this.#inFlight++
    if (sent.toSilent) this.#inFlightToSilent++
    sent.go(this.#courier, { url, headers: this.#headers(owed, secret), body }, this.#end)
  }

  #headers(owed: OwedDelivery, secret: string): string[] {
    const headers = [
      // Beyond the specification, for receivers that want to tell attempts apart (assumed).
      'x-service-delivery',
      owed.id,
      'x-service-attempt',
      String(owed.attempts + 1),
      'x-service-signature',
      signatureOf(secret, owed.body),
    ]
    for (const [name, value] of Object.entries(this.#profiles.of(owed.interface).headers(owed.event))) {
      headers.push(name, value)
    }
    return headers
  }

  /** Gives the slot to the next, and has what came of it written down at the end of the turn. */
  readonly #end = (sent: Sent, result: Result | null): void => {
    const { lane, sequence } = sent
    const { origin } = lane
    this.#inFlight--
    if (sent.toSilent) this.#inFlightToSilent--
    if (result) {
      origin.free(sent.characters)
      if (result.status === null) origin.wasSilent()
      else
        origin.answered(result.durationMs <= this.#options.timeoutMs * QUICK, isPrompt(result, this.#options))
      this.#unwritten++
      this.#ended.push({ sent, result, outcome: null })
    } else if (lane.inFlight.get(sequence) === sent) {
      lane.takeBack(sequence, sent)
      this.#wake(lane)
    }
    this.#release(origin)
    this.#pump()
    if (result) this.#writeSoon()
    else this.#noteIdle()
  }

  #release(origin: Origin): void {
    if (origin.parked.length === 0 && this.#held.length === 0) return
    const lanes = [...origin.parked, ...this.#held]
    origin.parked = []
    this.#held = []
    for (const lane of lanes) {
      lane.waiting = false
      this.#queue(lane)
    }
  }

  /** What ends within a few ms shares a transaction; the last one does not wait for others. */
  #writeSoon(): void {
    if (this.#ended.length >= WRITTEN_AT_ONCE) this.#writeDown()
    else if (this.#ended.length === 1 || this.#inFlight === 0) {
      clearTimeout(this.#writing)
      this.#writing = setTimeout(
        () => {
          this.#writeDown()
        },
        this.#inFlight === 0 ? 0 : WRITING_INTERVAL,
      )
    }
  }

  #writeDown(): void {
    clearTimeout(this.#writing)
    // In the order of their rows, which lie side by side.
    const ended = this.#ended.sort((one, other) => one.sent.sequence - other.sent.sequence)
    this.#ended = []
    if (!this.#database.open) {
      this.#written(ended)
      return
    }
    try {
      this.#database.write(() => {
        for (const one of ended) this.#record(one)
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
    const { sent, result } = ended
    const { lane, sequence, at } = sent
    const workspace = this.#workspaceOf(lane)
    if (!workspace) return
    const attempt = {
      at: iso(at),
      status: result.status,
      durationMs: result.durationMs,
      error: result.error,
    }
    const { schedule } = this.#profiles.of(sent.interface)
    ended.outcome = recordAttempt(workspace, sequence, schedule, attempt)
    notify(workspace, 'deliveries')
  }

  /** Until it is written down an attempt counts as under way, so that a full disk sends nothing twice. */
  #writeAgain(ended: readonly Ended[], error: unknown): void {
    this.#databaseFailed(error)
    if (this.#stopped) {
      this.#unwritten -= ended.length
      this.#noteIdle()
      return
    }
    setTimeout(() => {
      this.#ended.push(...ended)
      this.#writeDown()
    }, PAUSE_AFTER_FAILURE)
  }

  #written(ended: readonly Ended[]): void {
    this.#unwritten -= ended.length
    for (const one of ended) {
      const { sent, outcome } = one
      const { lane, sequence } = sent
      lane.inFlight.delete(sequence)
      if (outcome) lane.expect(outcome.nextAttemptAt ?? Infinity)
      if (outcome && outcome.status !== 'delivered') this.#warn(one, outcome)
    }
    for (const lane of new Set(ended.map((one) => one.sent.lane))) this.#wake(lane)
    this.#pump()
    this.#answerWaiters()
    this.#noteIdle()
  }

  #warn({ sent, result }: Ended, outcome: Outcome): void {
    const isDead = outcome.status === 'dead' && outcome.round > 0
    if (!this.#logger || (outcome.round !== 1 && !isDead)) return
    const facts = {
      workspace: this.#workspaceOf(sent.lane)?.id,
      interface: sent.interface,
      delivery: sent.id,
      event: sent.event,
      // The path and query of a url may hold what only its owner should know.
      origin: sent.lane.origin.name,
      status: result.status,
      error: result.error,
    }
    this.#logger.warn(facts, isDead ? 'webhook given up' : 'webhook failed, will be tried again')
  }

  #databaseFailed(error: unknown): void {
    this.#logger?.error({ err: error }, 'the database failed while webhooks were sent')
    this.#alarm.noLaterThan(PAUSE_AFTER_FAILURE)
  }

  #answerWaiters(): void {
    for (const waiter of this.#waiters) {
      if (this.#isAnyDue(waiter)) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
  }

  #isAnyDue({ workspace: number, instant, before }: Waiter): boolean {
    const workspace = this.#database.open ? this.#workspaces.byNumber(number) : undefined
    if (!workspace || this.#stopped) return false
    return this.#lanesOf(number).some((lane) => isAnyDue(workspace, lane.origin.name, instant, before))
  }

  async #finish(): Promise<void> {
    this.#alarm.clear()
    for (const lanes of this.#lanes.values()) for (const lane of lanes.values()) lane.recall()
    this.#answerWaiters()
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve
      this.#noteIdle()
    })
    await this.#courier.close()
  }

  #noteIdle(): void {
    if (this.#inFlight === 0 && this.#unwritten === 0) this.#whenIdle?.()
  }

  #workspaceOf(lane: Lane): Workspace | undefined {
    return this.#workspaces.byNumber(lane.workspace)
  }

  #lanesOf(number: number): Lane[] {
    return [...(this.#lanes.get(number)?.values() ?? [])]
  }

  #lane(number: number, name: string): Lane {
    let lanes = this.#lanes.get(number)
    if (!lanes) this.#lanes.set(number, (lanes = new Map<string, Lane>()))
    let lane = lanes.get(name)
    if (!lane) lanes.set(name, (lane = new Lane(number, this.#origin(name))))
    return lane
  }

  #remove(lane: Lane): void {
    const lanes = this.#lanes.get(lane.workspace)
    if (lanes?.get(lane.origin.name) !== lane) return
    lanes.delete(lane.origin.name)
    lane.origin.lanes--
    if (lanes.size > 0) return
    this.#lanes.delete(lane.workspace)
    this.#seen.delete(lane.workspace)
  }

  #origin(name: string): Origin {
    let origin = this.#origins.get(name)
    if (!origin) {
      this.#forgetOrigins()
      this.#origins.set(
        name,
        (origin = new Origin(name, this.#options.perOrigin, this.#courier.ahead, this.#ahead)),
      )
    }
    origin.lanes++
    return origin
  }

  #forgetOrigins(): void {
    if (this.#origins.size < MOST_ORIGINS) return
    for (const [name, { lanes, given }] of this.#origins) {
      if (lanes === 0 && given === 0) this.#origins.delete(name)
    }
  }
}
