/**
 * One workspace: the handle through which its records are reached. It carries its number, its clock and its ids, and no
 * finder takes a bare id.
 */
import { eq, sql } from 'drizzle-orm'
import { read, realDelayUntil, setTo, REAL_TIME, type ClockSetting } from './clock.ts'
import type { Database } from './database.ts'
import { Ids } from './ids.ts'
import { writer } from './prepared.ts'
import { inSlices } from './slices.ts'
import { workspaces, type Modules, type Plan, type Progression } from './tables.ts'
import { Users, type User } from './users.ts'
import type { Observed, Table } from './versions.ts'

export type WorkspaceRow = typeof workspaces.$inferSelect

export interface NewWorkspace {
  readonly id?: string
  readonly name: string
  readonly currency?: string
  readonly timezone?: string
  readonly modules?: Partial<Modules>
  readonly plan?: Partial<Plan>
  readonly testCards?: boolean
  readonly progression?: Progression
}

export type EventData = Readonly<Record<string, unknown>>

export interface NewEvent {
  readonly interface: string
  /** "product.created" */
  readonly name: string
  /** The record that it tells of, or records and facts by name, as the state has them. */
  readonly data: EventData
  /** The id of the record that it tells of: what is told of one record has an order. */
  readonly record?: string | undefined
}

/** An event that has happened; its data are as its interface shows them. */
export interface AppendedEvent extends NewEvent {
  readonly id: string
  readonly at: number
}

/** What a workspace asks of whoever keeps all of them. */
export interface Registry {
  readonly database: Database
  readonly secret: string
  readonly publicUrl: string
  readonly usersTable: Table
  readonly ownTables: readonly Table[]
  find(id: string): Workspace | undefined
  /** By what its records stand under. */
  byNumber(rowScope: number): Workspace | undefined
  change(workspace: Workspace, wanted: Partial<Omit<NewWorkspace, 'id'>>): void
  /** To be told when the clock, or what falls due, may have changed. */
  changed(workspace: Workspace): void
  forgetCallers(): void
  /** What the event would tell if it happened now. */
  renderEvent(workspace: Workspace, event: NewEvent): EventData
  append(workspace: Workspace, event: NewEvent): AppendedEvent
  /** All of it happens or none, and so it is told. */
  write<T>(workspace: Workspace, change: () => T): T
  /** Step by step, each of them small. */
  runJobs(workspace: Workspace, until: number): Iterator<void>
  earliestJob(workspace: Workspace): number
}

/** One tenant. Its settings are read from here and changed through `Workspaces`. */
export class Workspace {
  /** What its records stand under. Others take its place when other records take the place of all. */
  rowScope: number
  /** What its keys, users and counters stand under, as long as it lives. */
  readonly tenantId: number
  /** What the records stand under that it was made with. */
  readonly baselineScope: number
  readonly id: string
  readonly createdAt: number
  readonly database: Database
  readonly ids: Ids
  readonly registry: Registry

  name: string
  currency: string
  timezone: string
  modules: Modules
  plan: Plan
  /** Whether pages on which people pay show the cards of tests. */
  testCards: boolean
  /** When what happens by itself happens. */
  progression: Progression
  /** Changes when others take the place of all records: by a reset, a snapshot, or the end of the workspace. */
  generation = 0
  /** How often it was written to, since it was loaded. */
  writes = 0
  /** How often what has happened by itself since it was loaded: jobs by their names, and attempts to deliver. */
  readonly completedWork = new Map<string, number>()
  /** When the next job is due on this workspace's clock; it may be early, never late. */
  nextJobAt = -Infinity

  #clock: ClockSetting
  #instant: number | null = null
  readonly #users: Users
  #running = false
  #busy: Promise<void> | null = null

  constructor(registry: Registry, row: WorkspaceRow, seed: string | null) {
    this.registry = registry
    this.database = registry.database
    this.rowScope = row.scope ?? row.number
    this.tenantId = row.number
    this.baselineScope = row.base ?? -row.number
    this.id = row.id
    this.createdAt = row.createdAt
    this.name = row.name
    this.currency = row.currency
    this.timezone = row.timezone
    this.modules = row.modules
    this.plan = row.plan
    this.testCards = row.testCards
    this.progression = row.progression
    this.#clock = { offset: row.clockOffset, frozenAt: row.clockFrozenAt }
    this.ids = new Ids(registry.database, row.number, seed)
    this.#users = new Users(registry.database, row.number, registry.usersTable)
  }

  /** The time on this workspace's clock, in ms since the epoch. */
  now(): number {
    return this.#instant ?? read(this.#clock)
  }

  get clock(): ClockSetting {
    return this.#clock
  }

  /** Runs `action` while the clock shows `instant`, as a job does that falls due while time is moved. */
  at<T>(instant: number, action: () => T): T {
    const outer = this.#instant
    this.#instant = instant
    try {
      return action()
    } finally {
      this.#instant = outer
    }
  }

  /** Sets the clock; what falls due by then is left to `runDueJobs`. */
  setClock(now: number, frozen: boolean): void {
    this.#keepClock(setTo(now, frozen))
  }

  resetClock(): void {
    this.#keepClock(REAL_TIME)
  }

  #keepClock(clock: ClockSetting): void {
    this.database.write(() => {
      updateClock(this.database, { number: this.tenantId, offset: clock.offset, frozenAt: clock.frozenAt })
    })
    this.#clock = clock
    this.registry.changed(this)
  }

  /** Real ms until the clock shows `instant`; null when it stands still before it. */
  realDelayUntil(instant: number): number | null {
    return realDelayUntil(this.#clock, instant)
  }

  /**
   * Does what has fallen due; cheap when nothing has. Null when that is done and the workspace may be looked at; where it
   * takes long, or other long work is under way that nobody should see half done, resolves when it may.
   */
  runDueJobs(): Promise<void> | null {
    if (this.#running) return null
    if (this.#busy !== null) return this.#afterwards(() => this.runDueJobs())
    return this.nextJobAt <= this.now() ? this.runJobsUntil(this.now()) : null
  }

  /** Counts what has happened by itself. */
  count(what: string, times: number): void {
    this.completedWork.set(what, (this.completedWork.get(what) ?? 0) + times)
  }

  /** Does what falls due at or before `instant`, in order, each at its own time; in slices, as `runDueJobs`. */
  runJobsUntil(instant: number): Promise<void> | null {
    if (this.#running) return null
    if (this.#busy !== null) return this.#afterwards(() => this.runJobsUntil(instant))
    const rest = inSlices(this.#whileRunning(this.registry.runJobs(this, instant)))
    if (rest === null) {
      this.registry.changed(this)
      return null
    }
    return this.keepWaiting(
      rest.then(() => {
        this.registry.changed(this)
      }),
    )
  }

  async #afterwards(then: () => Promise<void> | null): Promise<void> {
    await this.#busy
    await then()
  }

  /**
   * Does long work in slices, while all who come to the workspace wait; resolves when it is done. Null says that it is
   * already.
   */
  workInSlices(steps: Iterator<unknown>): Promise<void> | null {
    const rest = inSlices(steps)
    return rest && this.keepWaiting(rest)
  }

  /** The same of writes, until one says that it was the last. */
  writeInSlices(isLast: () => boolean): Promise<void> | null {
    return this.workInSlices(this.#writes(isLast))
  }

  *#writes(isLast: () => boolean): Generator<void, void> {
    while (!this.write(isLast)) yield
  }

  /** Has all who come to the workspace wait until the work is done, or has failed. */
  keepWaiting(work: Promise<void>): Promise<void> {
    const over = (): void => {
      if (this.#busy === busy) this.#busy = null
    }
    const busy = work.then(over, over)
    this.#busy = busy
    return work
  }

  /** Whether work is under way that nobody should see half done. */
  get isBusy(): boolean {
    return this.#busy !== null
  }

  /** Tells jobs that ask for what is due that they are at it. */
  *#whileRunning(steps: Iterator<void>): Generator<void, void> {
    for (let done = false; !done;) {
      this.#running = true
      try {
        done = steps.next().done === true
      } finally {
        this.#running = false
      }
      yield
    }
  }

  /** To be called with the due time of whatever was just written. */
  expectJob(due: number | null): void {
    if (due === null || due >= this.nextJobAt) return
    this.nextJobAt = this.progression === 'immediate' ? -Infinity : due
    this.registry.changed(this)
  }

  /** Forgets what was remembered of users and jobs, after records were replaced. */
  forget(): void {
    this.generation++
    this.nextJobAt = this.registry.earliestJob(this)
    this.registry.changed(this)
  }

  write<T>(change: () => T): T {
    this.writes++
    return this.registry.write(this, change)
  }

  /**
   * Runs `read` and tells what its value rests on. That is always the settings, the clock and the users as well, which
   * are remembered here and so need not be read.
   */
  observe<T>(read: () => T): Observed<T> {
    return this.database.versions.observe(read, this.registry.ownTables)
  }

  /** Appends an event. Only inside a `write`. */
  append(event: NewEvent): AppendedEvent {
    return this.registry.append(this, event)
  }

  user(id: string): User | undefined {
    return this.#users.all.get(id)
  }

  /** In the order in which they were made. */
  users(): User[] {
    return [...this.#users.all.values()]
  }

  /** Adds a user; one with the id of a user there is changes that one's name and address. */
  addUser(user: { id?: string; name: string; email: string; createdAt?: number }): User {
    const { name, email, createdAt } = user
    const made = this.write(() =>
      this.#users.put(
        { id: user.id ?? this.#newUserId(), name, email, createdAt: createdAt ?? this.now() },
        createdAt ?? null,
      ),
    )
    this.registry.forgetCallers()
    return made
  }

  /** A reset takes a seeded stream back to its start, but the users drawn from it stay. */
  #newUserId(): string {
    const id = this.ids.nano('user')
    return this.user(id) ? this.#newUserId() : id
  }
}

const updateClock = writer((orm) =>
  orm
    .update(workspaces)
    .set({
      clockOffset: sql`${sql.placeholder('offset')}`,
      clockFrozenAt: sql`${sql.placeholder('frozenAt')}`,
    })
    .where(eq(workspaces.number, sql.placeholder('number'))),
)
