/**
 * One workspace: the handle through which its records are reached. It carries its number, its clock and its ids, and no
 * finder takes a bare id.
 */
import { eq, sql } from 'drizzle-orm'
import { read, realDelayUntil, setTo, REAL_TIME, type ClockSetting } from './clock.ts'
import type { Database } from './database.ts'
import { Ids } from './ids.ts'
import { writer } from './prepared.ts'
import { workspaces, type Modules, type Plan } from './tables.ts'
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
  byNumber(number: number): Workspace | undefined
  change(workspace: Workspace, wanted: Partial<Omit<NewWorkspace, 'id'>>): void
  /** To be told when the clock, or what falls due, may have changed. */
  changed(workspace: Workspace): void
  forgetCallers(): void
  /** What the event would tell if it happened now. */
  shownOf(workspace: Workspace, event: NewEvent): EventData
  append(workspace: Workspace, event: NewEvent): AppendedEvent
  runJobs(workspace: Workspace, until: number): void
  earliestJob(workspace: Workspace): number
}

/** One tenant. Its settings are read from here and changed through `Workspaces`. */
export class Workspace {
  readonly number: number
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
  /** Changes when others take the place of all records: by a reset, a snapshot, or the end of the workspace. */
  era = 0
  /** When the next job is due on this workspace's clock; it may be early, never late. */
  nextJobAt = -Infinity

  #clock: ClockSetting
  #instant: number | null = null
  readonly #users: Users
  #running = false

  constructor(registry: Registry, row: WorkspaceRow, seed: string | null) {
    this.registry = registry
    this.database = registry.database
    this.number = row.number
    this.id = row.id
    this.createdAt = row.createdAt
    this.name = row.name
    this.currency = row.currency
    this.timezone = row.timezone
    this.modules = row.modules
    this.plan = row.plan
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
      updateClock(this.database, { number: this.number, offset: clock.offset, frozenAt: clock.frozenAt })
    })
    this.#clock = clock
    this.registry.changed(this)
  }

  /** Real ms until the clock shows `instant`; null when it stands still before it. */
  realDelayUntil(instant: number): number | null {
    return realDelayUntil(this.#clock, instant)
  }

  /** Does what has fallen due. Cheap when nothing has. */
  runDueJobs(): void {
    if (this.nextJobAt <= this.now() && !this.#running) this.runJobsUntil(this.now())
  }

  /** Does what falls due at or before `instant`, in order, each at its own time. */
  runJobsUntil(instant: number): void {
    if (this.#running) return
    this.#running = true
    try {
      this.registry.runJobs(this, instant)
    } finally {
      this.#running = false
    }
    this.registry.changed(this)
  }

  /** To be called with the due time of whatever was just written. */
  expectJob(due: number | null): void {
    if (due === null || due >= this.nextJobAt) return
    this.nextJobAt = due
    this.registry.changed(this)
  }

  /** Forgets what was remembered of users and jobs, after records were replaced. */
  forget(): void {
    this.era++
    this.nextJobAt = this.registry.earliestJob(this)
    this.registry.changed(this)
  }

  write<T>(change: () => T): T {
    return this.database.write(change)
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
