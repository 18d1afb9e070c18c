/**
 * One workspace: the handle to its records, with its row scope, settings, clock and ids. No finder takes an id without
 * a workspace.
 *
 * A write goes from here to the timeline, which withdraws the steps of a failed write, and to the database.
 */
import type { NewRecords } from '../faults/lag.ts'
import { chosenIn, type ChosenReadings, type Reading } from '../model/reading.ts'
import { notify } from '../timeline/longPoll.ts'
import { RecordingGate } from '../timeline/recordings.ts'
import { announceReplacement } from '../timeline/streams.ts'
import { withdrawOnFailure } from '../timeline/timelines.ts'
import type { Database } from '../storage/database/database.ts'
import { Ids } from '../storage/database/ids.ts'
import type { IdSource, Labels, Modules, Plan, Progression, workspaces } from '../storage/tables.ts'
import { WorkspaceClock } from './clock.ts'
import { Lifetime } from '../limits/lifetime.ts'
import { LongWork } from './longWork.ts'
import { storeManagement, type Management } from '../limits/management.ts'
import type { PublicUrl } from './publicUrl.ts'
import { Quota, type QuotaRule } from '../limits/quota.ts'
import { applyChanges, firstSettings, storeSettings, type SettingChanges, type Settings } from './settings.ts'
import { Users, type NewUser, type User } from './users.ts'

export type WorkspaceRow = typeof workspaces.$inferSelect

export type EventData = Readonly<Record<string, unknown>>

export interface NewEvent {
  readonly interface: string
  /** "product.created" */
  readonly name: string
  /** The record of the event, or records and values by name, from the state. */
  readonly data: EventData
  /**
   * The id of its record; events of one record are delivered in order. null declares that the event is not about a single
   * record.
   */
  readonly record: string | null
  /** The moment of the event, in ms since the epoch; now by default. */
  readonly at?: number | undefined
}

/** An appended event, with the data that its interface renders. */
export interface AppendedEvent extends NewEvent {
  readonly id: string
  readonly at: number
}

/** What the workspaces of a database share. The registry creates it. */
export interface Shared {
  readonly database: Database
  /** The seed of all ids; null for unpredictable ids. */
  readonly seed: string | null
  /** The signing secret of values that clients must return unchanged; created once per file. */
  readonly secret: string
  readonly publicUrl: PublicUrl
  readonly quota: QuotaRule
  /** The server's choices, for workspaces without their own. */
  readonly readings: ChosenReadings
  /** See `Workspace.version`. */
  versionOf(workspace: Workspace): number
  /** Must be called after a change of settings or the clock, and after all records were replaced. */
  renewVersion(workspace: Workspace): void
  readonly events: EventService
  readonly jobs: JobService
  /** Called at each use of a workspace with a ttl. */
  readonly used: (workspace: Workspace) => void
  /** Called when the clock or due jobs of a workspace may have changed. */
  readonly changed: (workspace: Workspace) => void
}

/** The events of all workspaces: `events.ts`. */
export interface EventService {
  append(workspace: Workspace, event: NewEvent): AppendedEvent
  render(workspace: Workspace, event: NewEvent): EventData
  namesOf(of: string): readonly string[] | undefined
}

/** The due jobs of all workspaces: `jobs.ts`. */
export interface JobService {
  runDue(workspace: Workspace): Promise<void> | null
  runUntil(workspace: Workspace, instant: number): Promise<void> | null
  earliest(workspace: Workspace): number
}

/** One tenant. */
export class Workspace {
  /** The `workspace` column of its records. Changes when all records are replaced. */
  rowScope: number
  /** The `workspace` column of its keys, users and counters. Never changes. */
  readonly tenantId: number
  /** The `workspace` column of its baseline records. Changes when other records become its baseline. */
  baselineScope: number
  readonly id: string
  readonly createdAt: number
  /** The bearer token that opens its calls of the control plane; null in files of older versions. */
  readonly controlToken: string | null
  readonly database: Database
  readonly ids: Ids
  readonly clock: WorkspaceClock
  readonly longWork = new LongWork()
  readonly lifetime: Lifetime
  readonly quota: Quota
  readonly recording = new RecordingGate(this)
  /** True while the registry finds this handle: until the workspace is deleted. */
  isRegistered = false
  /** Changes when all records are replaced or deleted: by a reset, a snapshot, or a removal. */
  generation = 0
  /** The number of writes since it was loaded. */
  writes = 0
  /** Counts of automatic work since it was loaded: jobs by name, and delivery attempts. */
  readonly completedWork = new Map<string, number>()
  /** The ids of new records, while a fault can hide them from lists; null otherwise. */
  newRecords: NewRecords | null = null
  /** When the next job is due on this workspace's clock; it can be early, never late. */
  nextJobAt = -Infinity

  readonly #shared: Shared
  #settings: Settings
  #labels: Labels
  #idSource: IdSource | null
  readonly #users: Users

  constructor(shared: Shared, row: WorkspaceRow) {
    const { database, seed } = shared
    this.#shared = shared
    this.#settings = row
    this.database = database
    this.rowScope = row.scope ?? row.number
    this.tenantId = row.number
    this.baselineScope = row.base ?? -row.number
    this.id = row.id
    this.createdAt = row.createdAt
    this.controlToken = row.controlToken
    this.#labels = row.labels
    this.lifetime = new Lifetime(row.ttl, () => {
      this.#shared.used(this)
    })
    this.ids = new Ids(database, row.number, seed)
    this.#idSource = row.idSource
    this.ids.use(row.idSource)
    this.#users = new Users(database, row.number)
    this.quota = new Quota(shared.quota, this)
    const setting = { offset: row.clockOffset, frozenAt: row.clockFrozenAt }
    this.clock = new WorkspaceClock(database, row.number, setting, () => {
      this.#shared.renewVersion(this)
      this.changed()
    })
  }

  get settings(): Settings {
    return applyChanges(this.#settings, {})
  }

  get name(): string {
    return this.#settings.name
  }

  get currency(): string {
    return this.#settings.currency
  }

  get timezone(): string {
    return this.#settings.timezone
  }

  get modules(): Modules {
    return this.#settings.modules
  }

  get plan(): Plan {
    return this.#settings.plan
  }

  get testCards(): boolean {
    return this.#settings.testCards
  }

  /** Whether callers can choose the case of a fault with X-Sim-Case. */
  get cases(): boolean {
    return this.#settings.cases
  }

  get progression(): Progression {
    return this.#settings.progression
  }

  /** The readings that this workspace chose itself. */
  get chosenReadings(): ChosenReadings {
    return this.#settings.readings
  }

  /** The labels, by name. */
  get labels(): Labels {
    return this.#labels
  }

  /** Returns the alternative of a reading that applies here. */
  reading<Value extends string>(of: Reading<string, Value>): Value {
    return chosenIn(of, this.#settings.readings, this.#shared.readings)
  }

  /** What its ids are drawn from, if not from the seed of the server. */
  get idSource(): IdSource | null {
    return this.#idSource
  }

  /** Draws ids from another source from now on. The caller stores it. */
  useIds(source: IdSource | null): void {
    this.#idSource = source
    this.ids.use(source)
  }

  get secret(): string {
    return this.#shared.secret
  }

  /** The base URL of links in responses, without a slash at the end. */
  get publicUrl(): string {
    return this.#shared.publicUrl.current
  }

  /** Returns the time of this workspace's clock, in ms since the epoch. */
  now(): number {
    return this.clock.now()
  }

  /** Runs a transaction. If it fails, its timeline entries are withdrawn. */
  write<T>(change: () => T): T {
    this.writes++
    // Before the change, because callers that wait for the commit can read before `write` returns.
    this.#shared.renewVersion(this)
    const result = withdrawOnFailure(this, () => this.database.write(change))
    notify(this, 'records')
    return result
  }

  /** Runs writes in slices until one returns true, while requests wait. Returns null if that is already done. */
  writeInSlices(isLast: () => boolean): Promise<void> | null {
    return this.longWork.inSlices(this.#writes(isLast))
  }

  *#writes(isLast: () => boolean): Generator<void, void> {
    while (!this.write(isLast)) yield
  }

  /** Appends an event. Only inside a `write`. */
  append(event: NewEvent): AppendedEvent {
    return this.#shared.events.append(this, event)
  }

  /** Returns the names of the events of an interface; undefined if any name is possible. */
  eventNamesOf(of: string): readonly string[] | undefined {
    return this.#shared.events.namesOf(of)
  }

  /** Renders the data of an event for the current state. */
  renderEvent(event: NewEvent): EventData {
    return this.#shared.events.render(this, event)
  }

  /**
   * Runs due jobs; cheap if there are none. Returns null if the workspace can be read now. If they take long, or
   * other long work is running, returns a promise that resolves when it can.
   */
  runDueJobs(): Promise<void> | null {
    return this.#shared.jobs.runDue(this)
  }

  /**
   * Runs the jobs that are due at or before `instant`, in order and at their own times; in slices, like `runDueJobs`.
   */
  runJobsUntil(instant: number): Promise<void> | null {
    return this.#shared.jobs.runUntil(this, instant)
  }

  /** Returns when the earliest job is due; Infinity if none is. */
  earliestJob(): number {
    return this.#shared.jobs.earliest(this)
  }

  /** Must be called with the due time of each written row. */
  expectJob(due: number | null): void {
    if (due === null || due >= this.nextJobAt) return
    this.nextJobAt = this.progression === 'immediate' ? -Infinity : due
    this.changed()
  }

  /** Counts automatic work. */
  count(what: string, times: number): void {
    this.completedWork.set(what, (this.completedWork.get(what) ?? 0) + times)
  }

  /** Must be called after records or users were replaced. Finds the next job again. */
  forget(): void {
    this.generation++
    this.#users.forget()
    this.#shared.renewVersion(this)
    this.nextJobAt = this.earliestJob()
    this.changed()
    announceReplacement(this)
  }

  /** Must be called when the clock or due jobs may have changed. */
  changed(): void {
    this.#shared.changed(this)
  }

  /** Changes settings. */
  change(changes: SettingChanges): void {
    this.#applySettings(applyChanges(this.#settings, changes))
  }

  /** Changes labels and ttl, which a reset keeps: they belong to the server's care of the workspace, not to its state. */
  manage({ ttl = this.lifetime.ttl, labels = this.#labels }: Management): void {
    storeManagement(this.database, this.tenantId, { ttl, labels })
    this.lifetime.ttl = ttl
    this.#labels = labels
  }

  /** Restores the first settings and clock. */
  restoreSettings(): void {
    const first = firstSettings(this.database, this.tenantId)
    if (first) this.#applySettings(first.settings)
    this.clock.reset(first?.clock)
  }

  #applySettings(settings: Settings): void {
    storeSettings(this.database, this.tenantId, settings)
    const { progression } = this.#settings
    this.#settings = settings
    this.#shared.renewVersion(this)
    if (settings.progression === progression) return
    this.nextJobAt = -Infinity
    this.changed()
  }

  /**
   * Identifies the state of the workspace: a cached value is current while this number is unchanged. Inside a write,
   * each call returns another number, so that nothing is cached that may be undone.
   */
  get version(): number {
    return this.#shared.versionOf(this)
  }

  /** The users by id, in the order of creation. The same map has the same users. */
  get usersById(): ReadonlyMap<string, User> {
    return this.#users.all
  }

  user(id: string): User | undefined {
    return this.#users.all.get(id)
  }

  /** Returns the users in the order of creation. */
  users(): User[] {
    return [...this.#users.all.values()]
  }

  /** Adds a user, or updates the name and e-mail address of the user with this id. */
  addUser(user: Omit<NewUser, 'id'> & { readonly id?: string }): User {
    return this.write(() => {
      const id = user.id ?? this.#newUserId()
      this.#users.mustHaveRoomFor([id])
      return this.#putUser({ ...user, id })
    })
  }

  /** Adds or updates users, whose ids must differ, all or none. */
  addUsers(users: readonly NewUser[]): void {
    this.write(() => {
      this.#users.mustHaveRoomFor(users.map(({ id }) => id))
      for (const user of users) this.#putUser(user)
    })
  }

  #putUser({ id, name, email, createdAt }: NewUser): User {
    return this.#users.put({ id, name, email, createdAt: createdAt ?? this.now() }, createdAt ?? null)
  }

  /** A reset restarts a seeded stream, but the users created from it stay, so existing ids are skipped. */
  #newUserId(): string {
    const id = this.ids.nano('user')
    return this.user(id) ? this.#newUserId() : id
  }
}
