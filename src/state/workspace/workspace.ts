/**
 * One workspace: the handle to its records, with its row scope, clock and ids. No finder takes an id without a
 * workspace.
 */
import { eq, sql } from 'drizzle-orm'
import { readClock, realDelayUntil, createClock, REAL_TIME, type ClockSetting } from '../model/clock.ts'
import type { Database } from '../storage/database/database.ts'
import { Ids } from '../storage/database/ids.ts'
import { writer } from '../storage/database/prepared.ts'
import { inSlices } from '../model/slices.ts'
import { workspaces, type Modules, type Plan, type Progression } from '../storage/tables.ts'
import { Users, type User } from './users.ts'

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
  /** The record of the event, or records and values by name, from the state. */
  readonly data: EventData
  /** The id of its record; events of one record are delivered in order. */
  readonly record?: string | undefined
}

/** An appended event, with the data that its interface renders. */
export interface AppendedEvent extends NewEvent {
  readonly id: string
  readonly at: number
}

/** What a workspace needs from the registry of all workspaces. */
export interface Registry {
  readonly database: Database
  readonly secret: string
  readonly publicUrl: string
  find(id: string): Workspace | undefined
  /** Finds a workspace by its row scope. */
  byRowScope(rowScope: number): Workspace | undefined
  change(workspace: Workspace, changes: Partial<Omit<NewWorkspace, 'id'>>): void
  versionOf(workspace: Workspace): number
  /** Must be called after a change of settings or the clock, and after all records were replaced. */
  renewVersion(workspace: Workspace): void
  /** Must be called when the clock or due jobs may have changed. */
  changed(workspace: Workspace): void
  forgetCallers(): void
  /** Renders the data of an event for the current state. */
  renderEvent(workspace: Workspace, event: NewEvent): EventData
  append(workspace: Workspace, event: NewEvent): AppendedEvent
  /** Runs a transaction; if it fails, its timeline entries are withdrawn. */
  write<T>(workspace: Workspace, change: () => T): T
  /** Runs jobs in small steps. */
  runJobs(workspace: Workspace, until: number): Iterator<void>
  earliestJob(workspace: Workspace): number
}

/** One tenant. Its settings are read here and changed through `Workspaces`. */
export class Workspace {
  /** The `workspace` column of its records. Changes when all records are replaced. */
  rowScope: number
  /** The `workspace` column of its keys, users and counters. Never changes. */
  readonly tenantId: number
  /** The `workspace` column of its baseline records. */
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
  /** Whether hosted payment pages show the test cards. */
  testCards: boolean
  /** When automatic progression happens. */
  progression: Progression
  /** Changes when all records are replaced or deleted: by a reset, a snapshot, or a removal. */
  generation = 0
  /** The number of writes since it was loaded. */
  writes = 0
  /** Counts of automatic work since it was loaded: jobs by name, and delivery attempts. */
  readonly completedWork = new Map<string, number>()
  /** When the next job is due on this workspace's clock; it can be early, never late. */
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
    this.#users = new Users(registry.database, row.number)
  }

  /** Returns the time of this workspace's clock, in ms since the epoch. */
  now(): number {
    return this.#instant ?? readClock(this.#clock)
  }

  get clock(): ClockSetting {
    return this.#clock
  }

  /** Runs `action` with the clock at `instant`, as for a job that is due while time is moved. */
  at<T>(instant: number, action: () => T): T {
    const outer = this.#instant
    this.#instant = instant
    try {
      return action()
    } finally {
      this.#instant = outer
    }
  }

  /** Sets the clock. Due jobs are left to `runDueJobs`. */
  setClock(now: number, frozen: boolean): void {
    this.#storeClock(createClock(now, frozen))
  }

  resetClock(): void {
    this.#storeClock(REAL_TIME)
  }

  #storeClock(clock: ClockSetting): void {
    this.database.write(() => {
      updateClock(this.database, { number: this.tenantId, offset: clock.offset, frozenAt: clock.frozenAt })
    })
    this.#clock = clock
    this.registry.renewVersion(this)
    this.registry.changed(this)
  }

  /** Returns the real ms until the clock shows `instant`; null if it is frozen before that. */
  realDelayUntil(instant: number): number | null {
    return realDelayUntil(this.#clock, instant)
  }

  /**
   * Runs due jobs; cheap if there are none. Returns null if the workspace can be read now. If they take long, or
   * other long work is running, returns a promise that resolves when it can.
   */
  runDueJobs(): Promise<void> | null {
    if (this.#running) return null
    if (this.#busy !== null) return this.#whenIdle(() => this.runDueJobs())
    return this.nextJobAt <= this.now() ? this.runJobsUntil(this.now()) : null
  }

  /** Counts automatic work. */
  count(what: string, times: number): void {
    this.completedWork.set(what, (this.completedWork.get(what) ?? 0) + times)
  }

  /**
   * Runs the jobs that are due at or before `instant`, in order and at their own times; in slices, like `runDueJobs`.
   */
  runJobsUntil(instant: number): Promise<void> | null {
    if (this.#running) return null
    if (this.#busy !== null) return this.#whenIdle(() => this.runJobsUntil(instant))
    const rest = inSlices(this.#whileRunning(this.registry.runJobs(this, instant)))
    if (rest === null) {
      this.registry.changed(this)
      return null
    }
    return this.holdRequestsUntil(
      rest.then(() => {
        this.registry.changed(this)
      }),
    )
  }

  async #whenIdle(then: () => Promise<void> | null): Promise<void> {
    await this.#busy
    await then()
  }

  /** Runs long work in slices while requests to the workspace wait. Returns null if it is already done. */
  workInSlices(steps: Iterator<unknown>): Promise<void> | null {
    const rest = inSlices(steps)
    return rest && this.holdRequestsUntil(rest)
  }

  /** Runs writes in slices until one returns true. */
  writeInSlices(isLast: () => boolean): Promise<void> | null {
    return this.workInSlices(this.#writes(isLast))
  }

  *#writes(isLast: () => boolean): Generator<void, void> {
    while (!this.write(isLast)) yield
  }

  /** Makes requests to the workspace wait until the work has ended or failed. */
  holdRequestsUntil(work: Promise<void>): Promise<void> {
    const clearBusy = (): void => {
      if (this.#busy === busy) this.#busy = null
    }
    const busy = work.then(clearBusy, clearBusy)
    this.#busy = busy
    return work
  }

  /** True while long work is running. */
  get isBusy(): boolean {
    return this.#busy !== null
  }

  /** Marks each step, so that jobs do not start due jobs again. */
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

  /** Must be called with the due time of each written row. */
  expectJob(due: number | null): void {
    if (due === null || due >= this.nextJobAt) return
    this.nextJobAt = this.progression === 'immediate' ? -Infinity : due
    this.registry.changed(this)
  }

  /** Clears cached users and jobs after records were replaced. */
  forget(): void {
    this.generation++
    this.#users.forget()
    this.registry.renewVersion(this)
    this.nextJobAt = this.registry.earliestJob(this)
    this.registry.changed(this)
  }

  write<T>(change: () => T): T {
    this.writes++
    return this.registry.write(this, change)
  }

  /**
   * Identifies the state of the workspace: a cached value is current while this number is unchanged. Inside a write,
   * each call returns another number, so that nothing is cached that may be undone.
   */
  get version(): number {
    return this.registry.versionOf(this)
  }

  /** Appends an event. Only inside a `write`. */
  append(event: NewEvent): AppendedEvent {
    return this.registry.append(this, event)
  }

  user(id: string): User | undefined {
    return this.#users.all.get(id)
  }

  /** Returns the users in the order of creation. */
  users(): User[] {
    return [...this.#users.all.values()]
  }

  /** The users by id, in the order of creation. The same map has the same users. */
  get usersById(): ReadonlyMap<string, User> {
    return this.#users.all
  }

  /** Adds a user, or updates the name and e-mail address of the user with this id. */
  addUser(user: { id?: string; name: string; email: string; createdAt?: number }): User {
    const { name, email, createdAt } = user
    const saved = this.write(() =>
      this.#users.put(
        { id: user.id ?? this.#newUserId(), name, email, createdAt: createdAt ?? this.now() },
        createdAt ?? null,
      ),
    )
    this.registry.forgetCallers()
    return saved
  }

  /** A reset restarts a seeded stream, but the users created from it stay, so existing ids are skipped. */
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
