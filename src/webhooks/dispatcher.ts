/**
 * Dispatching: which delivery goes out next, and when. Each backlog that has something to send has its turn; what holds
 * it up is the bound on its origin, the bound on all, or that nothing of it is due on its workspace's clock.
 */
import type { Database } from '../state/database.ts'
import { monotonicNow } from '../state/clock.ts'
import { listFaults, meetFault, type Fault } from '../state/faults.ts'
import { Alarm } from '../state/scheduler.ts'
import { databaseHealthOf } from '../state/databaseHealth.ts'
import type { Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'
import { Attempt } from './attempt.ts'
import type { Backlog } from './backlog.ts'
import { Backlogs } from './backlogs.ts'
import {
  cancelPending,
  dueTo,
  isAnyDue,
  nextDueTo,
  findDueDelivery,
  pendingGroups,
  type DueDelivery,
} from './deliveries.ts'
import { FaultTransport } from './faultTransport.ts'
import type { DueWaits, WhatIsDue } from './dueWaits.ts'
import { ATTEMPT, DELIVERY, SIGNATURE } from './headers.ts'
import { deliveryOf, whatHolds, type NextAttempt, type Standing } from './heldBack.ts'
import type { WebhooksLogger } from './logger.ts'
import type { Released } from './order.ts'
import type { PendingListener } from './pendingListener.ts'
import type { Profiles } from './profile.ts'
import { targetPolicyOf, type TargetSettings } from './allowedTargets.ts'
import { PAUSE_AFTER_FAILURE, Results, type Ended, type ResultsListener } from './results.ts'
import { refuseInOrder } from './refusing.ts'
import { RoundRobin } from './roundRobin.ts'
import { HttpTransport, REFUSED, type Result } from './sending/index.ts'
import { signatureOf } from './signature.ts'
import type { Subscribers } from './subscribers.ts'
import { RecordLocks } from './recordLocks.ts'

export interface DispatcherOptions {
  /** Ms that one attempt may take in all. */
  readonly timeoutMs: number
  /** Attempts that may be under way to one origin, from all workspaces together. */
  readonly perOrigin: number
  /** Attempts that may be under way in all. */
  readonly overall: number
  readonly userAgent: string
  /** Ms that attempts under way may still take when it is stopped. */
  readonly graceMs: number
  readonly logger: WebhooksLogger | null
}

export interface DispatcherParts {
  readonly workspaces: Workspaces
  readonly profiles: Profiles
  readonly subscribers: Subscribers
  readonly waits: Pick<DueWaits, 'has' | 'look'>
  /** Ends a subscription whose receiver wants nothing more. Only inside a `write`. */
  readonly deactivate: (workspace: Workspace, subscription: string) => void
}

/** An answer within this part of the timeout is a quick one. */
const QUICK = 1 / 4

/** Attempts that begin in one turn of the event loop. The server answers waiting requests before the next turn. */
const BEGUN_IN_A_TURN = 8

/** What origins that do not answer may hold of all slots together. */
const SILENT_SHARE = 1 / 4

export class Dispatcher implements PendingListener, ResultsListener {
  readonly gone: ResultsListener['gone']
  readonly #workspaces: Workspaces
  readonly #database: Database
  readonly #profiles: Profiles
  readonly #subscribers: Subscribers
  readonly #waits: DispatcherParts['waits']
  readonly #options: DispatcherOptions
  readonly #transport: HttpTransport
  readonly #faulty: FaultTransport
  readonly #results: Results
  readonly #backlogs: Backlogs
  readonly #round = new RoundRobin()
  readonly #turns = new RecordLocks()
  readonly #alarm = new Alarm(() => {
    this.#wakeAll()
  })

  /** Backlogs to look into once what is being written is on the file. */
  readonly #fresh = new Set<Backlog>()
  /** All that is under way, or held up by a fault. */
  #inFlight = 0
  #inFlightToSilent = 0
  /** What is really sent, and not held up by a fault; and when the last of it ended, or the first of it began. */
  #sending = 0
  #progressAt = 0

  #recovered = false
  #started = false
  #pumping = false
  #begunInTurn = 0
  #stopped = false
  #whenIdle: (() => void) | null = null

  constructor(
    { workspaces, profiles, subscribers, waits, deactivate }: DispatcherParts,
    options: DispatcherOptions,
  ) {
    this.gone = deactivate
    this.#workspaces = workspaces
    this.#database = workspaces.database
    this.#profiles = profiles
    this.#subscribers = subscribers
    this.#waits = waits
    this.#options = options
    const { timeoutMs, perOrigin, userAgent } = options
    this.#transport = new HttpTransport({
      timeoutMs,
      headers: ['content-type', 'application/json', 'user-agent', userAgent],
      connections: perOrigin,
      reach: targetPolicyOf(this.#database).settings,
    })
    this.#faulty = new FaultTransport(this.#transport)
    this.#results = new Results(workspaces, profiles, options.logger, this)
    this.#backlogs = new Backlogs(perOrigin)
  }

  /** Begins to send, first of all what an earlier process has left owed. */
  start(): void {
    this.#started = true
    this.#recover()
    this.#wakeAll()
  }

  /** Says where deliveries may lead from now on. */
  heed(reach: TargetSettings): void {
    this.#transport.heed(reach)
  }

  /**
   * Starts no more attempts, and resolves when those under way have ended and are written down. Those that have not when
   * the grace is over are cut off, which counts as a failed attempt.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#alarm.clear()
    this.#results.stop()
    this.#faulty.release()
    this.#waits.look()
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve
      this.#noteIdle()
    })
    const grace = setTimeout(() => void this.#transport.close(), this.#options.graceMs)
    await idle
    clearTimeout(grace)
    await this.#transport.close()
  }

  /**
   * For how many ms attempts have been under way of which none has ended; 0 when none is. Each ends when its time is over,
   * so that much more than that means that nobody sends.
   */
  get msWithoutEnd(): number {
    return this.#sending === 0 ? 0 : monotonicNow() - this.#progressAt
  }

  /** When the first delivery that the workspace owes is or was due, on its clock; Infinity when it owes none. */
  earliestDue(workspace: Workspace, apart?: ReadonlySet<string>): number {
    this.#recover()
    const dues = this.#backlogs
      .of(workspace.rowScope)
      .filter(({ origin }) => apart?.has(origin.name) !== true)
      .map(({ origin }) => nextDueTo(workspace, origin.name, -Infinity))
    return Math.min(...dues, Infinity)
  }

  /** The first attempt that no other delivery of its record holds back; null when none is owed. */
  nextAttempt(workspace: Workspace): NextAttempt | null {
    this.#recover()
    let first: { readonly backlog: Backlog; readonly due: number } | null = null
    for (const backlog of this.#backlogs.of(workspace.rowScope)) {
      const due = nextDueTo(workspace, backlog.origin.name, -Infinity)
      if (due < (first?.due ?? Infinity)) first = { backlog, due }
    }
    if (!first) return null
    const { backlog, due } = first
    const [sequence] = dueTo(workspace, backlog.origin.name, due, 1)
    if (sequence === undefined) return null
    const heldBackBy = due > workspace.now() ? null : whatHolds(this.#standing(backlog, sequence))
    return { delivery: deliveryOf(workspace, sequence), due, heldBackBy }
  }

  #standing(backlog: Backlog, sequence: number): Standing {
    const { origin } = backlog
    const { overall } = this.#options
    return {
      origin: origin.name,
      isSending: this.#mayRun(backlog),
      isUnderWay: backlog.inFlight.has(sequence),
      given: origin.given,
      isFull: !origin.hasRoom,
      isThrottled: origin.silent && this.#inFlightToSilent >= overall * SILENT_SHARE,
      isOverallFull: this.#inFlight >= overall,
      isBlocked: backlog.blocked > 0,
    }
  }

  /** Whether something of what was due is still owed, and neither stopped nor gone with its workspace. */
  hasPending({ apart, ...due }: WhatIsDue): boolean {
    return this.late(due).some((origin) => apart?.has(origin) !== true)
  }

  /** The origins to which something of what was due is still owed. */
  late({ workspace: number, instant, before }: Omit<WhatIsDue, 'apart'>): string[] {
    const workspace = this.#database.open ? this.#workspaces.byNumber(number) : undefined
    if (!workspace || this.#stopped) return []
    return this.#backlogs
      .of(number)
      .flatMap(({ origin }) => (isAnyDue(workspace, origin.name, instant, before) ? [origin.name] : []))
  }

  /** Sends what is due in a workspace, also before `start` while somebody waits for it. */
  sendDue(workspace: Workspace): void {
    this.#recover()
    for (const backlog of this.#backlogs.of(workspace.rowScope)) {
      backlog.expect(-Infinity)
      this.#wake(backlog)
    }
    this.#pump()
    this.#waits.look()
  }

  /**
   * Takes what falls due by `until` to origins that have refused a connection a moment ago to be refused as well, in the
   * order in which it falls due: to ask again for each of thousands of retries would take as many round trips. Does a
   * slice of it; answers with when the last of it was due, null where it is for others to be sent first.
   */
  refuseDue(workspace: Workspace, until: number, apart?: ReadonlySet<string>): number | null {
    if (this.#stopped || meetsFaults(workspace)) return null
    const backlogs = this.#backlogs
      .of(workspace.rowScope)
      .filter(({ origin }) => apart?.has(origin.name) !== true)
    const [refusing, others] = [backlogs.filter(isRefusing), backlogs.filter((each) => !isRefusing(each))]
    if (refusing.length === 0) return null
    const limit = Math.min(until, ...others.map(({ origin }) => nextDueTo(workspace, origin.name, -Infinity)))
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

  /** What is owed may have to go elsewhere, later or not at all: nothing is sent before that is on the file. */
  stale(workspace: Workspace): void {
    for (const backlog of this.#backlogs.of(workspace.rowScope)) {
      backlog.unsettled = true
      this.#lookAfterCommit(backlog)
    }
  }

  released(deliveries: readonly Released[]): void {
    for (const { workspace: number, origin, sequence, due } of deliveries) {
      const workspace = this.#workspaces.byNumber(number)
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
    this.#noteIdle()
  }

  failed(error: unknown): void {
    databaseHealthOf(this.#database).report(error)
    this.#options.logger?.error({ err: error }, 'the database failed while webhooks were sent')
    this.#alarm.noLaterThan(PAUSE_AFTER_FAILURE)
  }

  /** Learns once what the file owes from before. */
  #recover(): void {
    if (this.#recovered) return
    this.#recovered = true
    for (const { workspace, origin, due } of pendingGroups(this.#database)) {
      this.#backlogs.get(workspace, origin).expect(due)
    }
  }

  /** Nothing is sent that a transaction still open may take back. */
  #lookAfterCommit(backlog: Backlog): void {
    this.#fresh.add(backlog)
    if (this.#fresh.size > 1) return
    this.#database.whenCommitted((error) => {
      const backlogs = [...this.#fresh]
      this.#fresh.clear()
      for (const fresh of backlogs) {
        fresh.settle(error === null)
        this.#wake(fresh)
      }
      this.#pump()
    })
  }

  #wakeAll(): void {
    for (const backlog of this.#backlogs.all()) this.#wake(backlog)
    this.#pump()
  }

  /** Lets the backlog take its turn when something is due, or sets the alarm for when it will be. */
  #wake(backlog: Backlog): void {
    if (backlog.waiting || !this.#mayRun(backlog)) return
    const workspace = this.#workspaceOf(backlog)
    if (!workspace) {
      this.#backlogs.remove(backlog)
      return
    }
    const delay = backlog.hasReady ? 0 : workspace.realDelayUntil(backlog.nextDue)
    if (delay !== null && delay <= 0) this.#round.add(backlog)
    else if (backlog.isEmpty) this.#backlogs.remove(backlog)
    else this.#alarm.noLaterThan(delay)
  }

  #mayRun({ workspace }: Backlog): boolean {
    if (this.#stopped || !this.#database.open) return false
    return this.#started || this.#waits.has(workspace)
  }

  /** Sends as much as there are slots for, a delivery of each backlog in turn, and goes on in the next turn. Never throws. */
  #pump(): void {
    if (this.#pumping || this.#stopped || this.#round.isEmpty) return
    if (!this.#transport.ready) {
      this.#load()
      return
    }
    this.#pumping = true
    while (this.#begunInTurn < BEGUN_IN_A_TURN && this.#inFlight < this.#options.overall) {
      const backlog = this.#round.next()
      if (!backlog) break
      try {
        if (this.#mayRun(backlog)) this.#serve(backlog)
      } catch (error) {
        this.failed(error)
        backlog.expect(-Infinity)
      }
    }
    this.#pumping = false
  }

  readonly #nextTurn = (): void => {
    this.#begunInTurn = 0
    this.#pump()
  }

  /** Until it is loaded nothing is sent, which counts as an attempt that does not end. */
  #load(): void {
    this.#pumping = true
    this.#noteBegin()
    this.#transport.load().then(
      () => {
        this.#noteEnd()
        this.#pumping = false
        this.#pump()
      },
      (error: unknown) => {
        this.#options.logger?.error({ err: error }, 'the HTTP client could not be loaded; no webhook is sent')
      },
    )
  }

  /** Sends the next delivery of a backlog, or finds out why not. */
  #serve(backlog: Backlog): void {
    const { origin } = backlog
    if (backlog.unsettled) return
    if (!origin.hasRoom) {
      this.#round.park(backlog)
      return
    }
    if (origin.silent && this.#inFlightToSilent >= this.#options.overall * SILENT_SHARE) {
      this.#round.throttle(backlog)
      return
    }
    const sequence = backlog.take() ?? this.#lookUp(backlog)
    if (sequence === undefined) return
    this.#attempt(backlog, sequence)
    this.#round.add(backlog)
  }

  /** Looks up what is due; undefined when nothing is, or when it can't be known before the next commit. */
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
    const due = dueTo(workspace, name, now, backlog.look)
    backlog.refill(due, () => nextDueTo(workspace, name, now))
    const sequence = backlog.take()
    if (sequence === undefined) this.#wake(backlog)
    return sequence
  }

  /** Reads the delivery anew, for much may have happened since it was looked up, and sends it if it is still due. */
  #attempt(backlog: Backlog, sequence: number): void {
    const workspace = this.#workspaceOf(backlog)
    // It was fresh, and has been looked up as well.
    if (backlog.inFlight.has(sequence)) return
    const owed = findDueDelivery(this.#database, sequence)
    // Its url may have changed meanwhile; then it stands in another backlog.
    if (!workspace || owed?.origin !== backlog.origin.name) return
    if (owed.due > workspace.now()) {
      backlog.expect(owed.due)
      return
    }
    const secret = this.#subscribers.secretOf(workspace, owed.subscription)
    if (secret === null) {
      // A snapshot may bring subscriptions to an end without a word.
      this.#database.write(() => {
        cancelPending(workspace, owed.subscription)
      })
      return
    }
    if (this.#begunInTurn++ === 0) setImmediate(this.#nextTurn)
    const turn =
      owed.record === null ? null : `${String(backlog.workspace)} ${owed.subscription} ${owed.record}`
    if (turn !== null && !this.#turns.take(turn, backlog)) return
    const attempt = new Attempt(backlog, sequence, owed, workspace.now(), () => {
      if (turn !== null) this.#freeTurn(turn)
    })
    backlog.inFlight.set(sequence, attempt)
    backlog.origin.give()
    this.#inFlight++
    if (attempt.toSilent) this.#inFlightToSilent++
    const { url, body } = owed
    const outgoing = { url, headers: this.#headers(owed, secret), body }
    const fault = faultOf(workspace, owed)
    if (fault) {
      const { eventTime } = this.#profiles.of(owed.interface)
      const meddled = { fault, secret, eventTime, at: workspace.now() }
      attempt.go(this.#faulty.for(meddled), outgoing, this.#end)
    } else {
      this.#noteBegin()
      attempt.go(this.#transport, outgoing, this.#sent)
      this.#faulty.passed()
    }
  }

  #freeTurn(turn: string): void {
    for (const backlog of this.#turns.free(turn)) this.#lookAfterCommit(backlog)
  }

  #headers(owed: DueDelivery, secret: string): string[] {
    const headers = [
      DELIVERY,
      owed.id,
      ATTEMPT,
      String(owed.attempts + 1),
      SIGNATURE,
      signatureOf(secret, owed.body),
    ]
    for (const [name, value] of Object.entries(this.#profiles.of(owed.interface).headers(owed.event))) {
      headers.push(name, value)
    }
    if (owed.trace) {
      const { traceparent, tracestate } = owed.trace
      headers.push('traceparent', traceparent)
      if (tracestate !== null) headers.push('tracestate', tracestate)
    }
    return headers
  }

  readonly #sent = (attempt: Attempt, result: Result): void => {
    this.#noteEnd()
    this.#end(attempt, result)
  }

  #noteBegin(): void {
    if (this.#sending++ === 0) this.#progressAt = monotonicNow()
  }

  #noteEnd(): void {
    this.#sending--
    this.#progressAt = monotonicNow()
  }

  /** Gives the slot to the next, and has what came of it written down at the end of the turn. */
  readonly #end = (attempt: Attempt, result: Result): void => {
    const { origin } = attempt.backlog
    this.#inFlight--
    if (attempt.toSilent) this.#inFlightToSilent--
    origin.free()
    origin.refusedAt = result.error === REFUSED ? monotonicNow() : null
    if (result.status === null) origin.wasSilent()
    else origin.answered(result.durationMs <= this.#options.timeoutMs * QUICK)
    this.#round.release(origin)
    this.#pump()
    this.#results.add(attempt, result, this.#inFlight === 0)
  }

  #noteIdle(): void {
    if (this.#inFlight === 0 && this.#results.unwritten === 0) this.#whenIdle?.()
  }

  #workspaceOf(backlog: Backlog): Workspace | undefined {
    return this.#workspaces.byNumber(backlog.workspace)
  }
}

/** For so long whoever has refused a connection is taken to go on refusing, in ms. */
const REFUSAL_LASTS = 1000

const isRefusing = ({ origin, inFlight }: Backlog): boolean =>
  origin.refusedAt !== null && monotonicNow() - origin.refusedAt < REFUSAL_LASTS && inFlight.size === 0

/** Whether deliveries of the workspace may go otherwise than they do. */
const meetsFaults = (workspace: Workspace): boolean =>
  listFaults(workspace).some(({ delivery }) => delivery !== undefined)

/** The fault that a delivery meets; null for almost all. */
const faultOf = (workspace: Workspace, { interface: of, event }: DueDelivery): Fault | null =>
  meetFault(
    workspace,
    (fault) =>
      fault.delivery !== undefined && (fault.interface ?? of) === of && (fault.event ?? event) === event,
  )
