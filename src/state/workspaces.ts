/**
 * Workspaces, their users and keys. A `Workspace` is the one handle through which records are reached: it carries
 * its number, its clock and its ids, and no finder takes a bare id.
 */
import { and, asc, eq, getTableName, sql } from 'drizzle-orm'
import { read, realDelayUntil, setTo, REAL_TIME, systemNow, type ClockSetting } from './clock.ts'
import { statement, type Database } from './database.ts'
import { append, type AppendedEvent, type Follower, type NewEvent } from './events.ts'
import { Ids } from './ids.ts'
import { earliestJob, runJobs, type JobKind } from './jobs.ts'
import { writer } from './prepared.ts'
import { refuse } from './refusal.ts'
import { inserter } from './rows.ts'
import { counters, keys, meta, users, workspaces, type Modules, type Plan } from './tables.ts'
import type { Observed, Table } from './versions.ts'

export type WorkspaceRow = typeof workspaces.$inferSelect
export type User = Omit<typeof users.$inferSelect, 'workspace'>
export type KeyRow = typeof keys.$inferSelect

/** One tenant. Its settings are read from here and changed through `Workspaces`. */
export class Workspace {
  readonly number: number
  readonly id: string
  readonly createdAt: number
  readonly database: Database
  readonly ids: Ids
  readonly registry: Workspaces

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
  #users: { readonly known: Map<string, User>; readonly version: number } | null = null
  #running = false

  constructor(registry: Workspaces, row: WorkspaceRow, seed: string | null) {
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

  /** Sets the clock; what falls due by then is left to `settle`. */
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
  settle(): void {
    if (this.nextJobAt <= this.now() && !this.#running) this.settleUntil(this.now())
  }

  /** Does what falls due at or before `instant`, in order, each at its own time. */
  settleUntil(instant: number): void {
    if (this.#running) return
    this.#running = true
    try {
      runJobs(this, instant)
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
    this.nextJobAt = earliestJob(this)
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
    return append(this, event)
  }

  user(id: string): User | undefined {
    return this.#knownUsers().get(id)
  }

  /** In the order in which they were made. */
  users(): User[] {
    return [...this.#knownUsers().values()]
  }

  #knownUsers(): Map<string, User> {
    const { version } = this.registry.usersTable
    // What a write has added and was undone since is a change of the table as well.
    if (this.#users?.version !== version) {
      const rows = usersOf(this.database).all({ workspace: this.number })
      this.#users = { known: new Map(rows.map((user) => [user.id, user])), version }
    }
    return this.#users.known
  }

  /** Adds a user; one with the id of a user there is changes that one's name and address. */
  addUser(user: { id?: string; name: string; email: string; createdAt?: number }): User {
    const { name, email, createdAt } = user
    const made = this.write(() =>
      putUser(this.database).get({
        id: user.id ?? this.#newUserId(),
        name,
        email,
        createdAt: createdAt ?? this.now(),
        changedTo: createdAt ?? null,
        workspace: this.number,
      }),
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

const usersOf = statement((orm) =>
  orm
    .select({ id: users.id, name: users.name, email: users.email, createdAt: users.createdAt })
    .from(users)
    .where(eq(users.workspace, sql.placeholder('workspace')))
    .orderBy(sql`rowid`)
    .prepare(),
)

const updateClock = writer((orm) =>
  orm
    .update(workspaces)
    .set({
      clockOffset: sql`${sql.placeholder('offset')}`,
      clockFrozenAt: sql`${sql.placeholder('frozenAt')}`,
    })
    .where(eq(workspaces.number, sql.placeholder('number'))),
)

const putUser = statement((orm) =>
  orm
    .insert(users)
    .values({
      id: sql.placeholder('id'),
      name: sql.placeholder('name'),
      email: sql.placeholder('email'),
      createdAt: sql.placeholder('createdAt'),
      workspace: sql.placeholder('workspace'),
    })
    .onConflictDoUpdate({
      target: [users.workspace, users.id],
      set: {
        name: sql`excluded.name`,
        email: sql`excluded.email`,
        createdAt: sql`coalesce(${sql.placeholder('changedTo')}, ${users.createdAt})`,
      },
    })
    .returning({ id: users.id, name: users.name, email: users.email, createdAt: users.createdAt })
    .prepare(),
)

const workspaceOfId = statement((orm) =>
  orm
    .select()
    .from(workspaces)
    .where(eq(workspaces.id, sql.placeholder('id')))
    .prepare(),
)

const workspaceOfNumber = statement((orm) =>
  orm
    .select()
    .from(workspaces)
    .where(eq(workspaces.number, sql.placeholder('number')))
    .prepare(),
)

const insertWorkspace = inserter(workspaces)

const updateSettings = writer((orm) =>
  orm
    .update(workspaces)
    .set({
      name: sql`${sql.placeholder('name')}`,
      currency: sql`${sql.placeholder('currency')}`,
      timezone: sql`${sql.placeholder('timezone')}`,
      modules: sql`${sql.placeholder('modules')}`,
      plan: sql`${sql.placeholder('plan')}`,
    })
    .where(eq(workspaces.number, sql.placeholder('number'))),
)

const insertKey = inserter(keys)

const keyRow = statement((orm) =>
  orm
    .select()
    .from(keys)
    .where(eq(keys.key, sql.placeholder('key')))
    .prepare(),
)

/** Who is calling: a key, and the workspace and user it belongs to. */
export interface Caller {
  readonly key: string
  readonly workspace: Workspace
  readonly user: User
  /** null is all. */
  readonly scopes: ReadonlySet<string> | null
  /** null is all. */
  readonly interfaces: ReadonlySet<string> | null
  readonly expiresAt: number | null
}

export interface NewWorkspace {
  readonly id?: string
  readonly name: string
  readonly currency?: string
  readonly timezone?: string
  readonly modules?: Partial<Modules>
  readonly plan?: Partial<Plan>
}

export interface NewKey {
  readonly key?: string
  readonly scopes?: readonly string[]
  readonly interfaces?: readonly string[]
  readonly userId?: string
  readonly expiresAt?: number | null
}

/** Keys that are remembered between requests; past this many the memory starts afresh. */
const REMEMBERED_CALLERS = 10_000

export interface WorkspacesOptions {
  /** Makes every id follow from it; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** What falls due in workspaces; of those that are due at one instant the first runs first. */
  readonly jobs?: readonly JobKind[]
  /** Told of every event of every workspace, in this order. */
  readonly followers?: readonly Follower[]
}

/** All workspaces of a database. */
export class Workspaces {
  readonly database: Database
  /** Seals what the server gives out and wants back unaltered; made once in the life of the file. */
  readonly secret: string
  /** Where this server is reached, without a slash at the end; what the addresses of its pages begin with. */
  publicUrl = 'http://127.0.0.1:4012'
  readonly usersTable: Table
  /** Those of which workspaces remember something. */
  readonly ownTables: readonly Table[]
  readonly jobs: readonly JobKind[]
  readonly #followers: Follower[]
  readonly #seed: string | null
  readonly #ids: Ids
  readonly #loaded = new Map<number, Workspace>()
  readonly #numbers = new Map<string, number>()
  #callers = new Map<string, Caller>()
  readonly #watchers = new Set<(workspace: Workspace) => void>()

  constructor(database: Database, { seed = null, jobs = [], followers = [] }: WorkspacesOptions = {}) {
    this.database = database
    this.jobs = jobs
    this.#followers = [...followers]
    this.usersTable = database.versions.table(getTableName(users))
    this.ownTables = [database.versions.table(getTableName(workspaces)), this.usersTable]
    this.#seed = seed
    this.#ids = new Ids(database, 0, seed)
    this.secret = database.write(() => keptSecret(database, this.#ids))
    database.onLost(() => {
      this.#forgetAll()
    })
  }

  /** In the order in which they are told of an event. */
  get followers(): readonly Follower[] {
    return this.#followers
  }

  /** `follower` is told of every event from now on, after those that are told already. */
  follow(follower: Follower): void {
    this.#followers.push(follower)
  }

  /** Calls `watcher` whenever a workspace's clock or what falls due in it may have changed. */
  watch(watcher: (workspace: Workspace) => void): void {
    this.#watchers.add(watcher)
  }

  changed(workspace: Workspace): void {
    for (const watcher of this.#watchers) watcher(workspace)
  }

  /**
   * Makes a workspace and fills it, both or neither. A refusal from `fill` (a snapshot that does not fit) leaves
   * nothing behind.
   */
  create<T>(wanted: NewWorkspace, fill: (workspace: Workspace) => T): T {
    let made: Workspace | undefined
    try {
      return this.database.write(() => {
        made = this.#insert(wanted)
        return fill(made)
      })
    } catch (error) {
      if (made) this.#forget(made)
      throw error
    }
  }

  #insert(wanted: NewWorkspace): Workspace {
    const settings = {
      name: wanted.name,
      currency: wanted.currency ?? 'USD',
      timezone: wanted.timezone ?? 'UTC',
      modules: { products: true, ...wanted.modules },
      plan: { apiAccess: true, ...wanted.plan },
    }
    const id = wanted.id ?? this.#ids.nano('workspace')
    if (this.find(id)) refuse('conflict', `There is a workspace ${id} already.`)
    const row: WorkspaceRow = {
      ...settings,
      number: this.#ids.integer('workspace'),
      id,
      clockOffset: 0,
      clockFrozenAt: null,
      createdAt: systemNow(),
      baseline: settings,
    }
    insertWorkspace(this.database, row)
    return this.#load(row)
  }

  find(id: string): Workspace | undefined {
    const number = this.#numbers.get(id)
    if (number !== undefined) return this.#loaded.get(number)
    const row = workspaceOfId(this.database).get({ id })
    return row && this.#load(row)
  }

  /** By id, or a refusal. */
  get(id: string): Workspace {
    return this.find(id) ?? refuse('not_found', `There is no workspace ${id}.`)
  }

  byNumber(number: number): Workspace | undefined {
    const loaded = this.#loaded.get(number)
    if (loaded) return loaded
    const row = workspaceOfNumber(this.database).get({ number })
    return row && this.#load(row)
  }

  /** The numbers of all workspaces, in the order in which they were made. */
  numbers(): number[] {
    return this.database.orm
      .select({ number: workspaces.number })
      .from(workspaces)
      .orderBy(asc(workspaces.number))
      .all()
      .map((row) => row.number)
  }

  change(workspace: Workspace, wanted: Partial<Omit<NewWorkspace, 'id'>>): void {
    const settings = {
      name: wanted.name ?? workspace.name,
      currency: wanted.currency ?? workspace.currency,
      timezone: wanted.timezone ?? workspace.timezone,
      modules: { ...workspace.modules, ...wanted.modules },
      plan: { ...workspace.plan, ...wanted.plan },
    }
    this.#keep(workspace, settings)
  }

  /** Gives the workspace the settings and the clock it was made with. */
  restoreSettings(workspace: Workspace): void {
    const row = workspaceOfNumber(this.database).get({ number: workspace.number })
    if (row) this.#keep(workspace, row.baseline)
    workspace.resetClock()
  }

  #keep(
    workspace: Workspace,
    settings: Pick<WorkspaceRow, 'name' | 'currency' | 'timezone' | 'modules' | 'plan'>,
  ): void {
    this.database.write(() => {
      updateSettings(this.database, {
        ...settings,
        modules: JSON.stringify(settings.modules),
        plan: JSON.stringify(settings.plan),
        number: workspace.number,
      })
    })
    workspace.name = settings.name
    workspace.currency = settings.currency
    workspace.timezone = settings.timezone
    workspace.modules = settings.modules
    workspace.plan = settings.plan
  }

  /** Starts the server's own counters afresh, once every workspace is gone: a seed then gives the same ids again. */
  restart(): void {
    this.database.write(() => this.database.orm.delete(counters).where(eq(counters.workspace, 0)).run())
  }

  /** Forgets the workspace; its rows are removed by whoever knows the tables. */
  remove(workspace: Workspace): void {
    this.database.write(() => {
      this.database.orm.delete(users).where(eq(users.workspace, workspace.number)).run()
      this.database.orm.delete(workspaces).where(eq(workspaces.number, workspace.number)).run()
    })
    this.#forget(workspace)
  }

  #forget(workspace: Workspace): void {
    workspace.era++
    this.#loaded.delete(workspace.number)
    this.#numbers.delete(workspace.id)
    this.#callers = new Map()
    this.changed(workspace)
  }

  addKey(workspace: Workspace, wanted: NewKey): KeyRow {
    const user = wanted.userId ?? workspace.users()[0]?.id
    if (user === undefined || !workspace.user(user)) {
      refuse('invalid', `The workspace has no user ${user ?? ''}.`, {
        details: [{ field: 'userId', code: 'unknown', message: 'must be a user of the workspace' }],
      })
    }
    return this.database.write(() => {
      const key = wanted.key ?? this.#ids.prefixed('sim_', 32)
      if (keyRow(this.database).get({ key })) refuse('conflict', `The key ${key} exists already.`)
      const row: KeyRow = {
        key,
        workspace: workspace.number,
        user,
        scopes: wanted.scopes ?? ['*'],
        interfaces: wanted.interfaces ?? ['*'],
        expiresAt: wanted.expiresAt ?? null,
        createdAt: workspace.now(),
      }
      insertKey(this.database, row)
      return row
    })
  }

  /** The keys of a workspace in the order in which they were made. */
  keysOf(workspace: Workspace): KeyRow[] {
    return this.database.orm
      .select()
      .from(keys)
      .where(eq(keys.workspace, workspace.number))
      .orderBy(sql`rowid`)
      .all()
  }

  /** False when there is no such key. */
  removeKey(key: string): boolean {
    this.#callers.delete(key)
    return this.database.write(
      () =>
        this.database.orm
          .delete(keys)
          .where(and(eq(keys.key, key)))
          .run().changes > 0,
    )
  }

  /** Whose key this is; undefined when it is nobody's. Whether it has expired is the caller's to ask. */
  caller(key: string): Caller | undefined {
    const known = this.#callers.get(key)
    if (known) return known
    const row = keyRow(this.database).get({ key })
    const workspace = row && this.byNumber(row.workspace)
    const user = workspace?.user(row?.user ?? '')
    if (!row || !workspace || !user) return undefined
    const caller: Caller = {
      key,
      workspace,
      user,
      scopes: setOrAll(row.scopes),
      interfaces: setOrAll(row.interfaces),
      expiresAt: row.expiresAt,
    }
    if (this.#callers.size >= REMEMBERED_CALLERS) this.#callers = new Map()
    this.#callers.set(key, caller)
    return caller
  }

  /** Forgets who called, after users were replaced. */
  forgetCallers(): void {
    this.#callers = new Map()
  }

  #forgetAll(): void {
    this.#loaded.clear()
    this.#numbers.clear()
    this.#callers = new Map()
  }

  #load(row: WorkspaceRow): Workspace {
    const workspace = new Workspace(this, row, this.#seed)
    this.#loaded.set(row.number, workspace)
    this.#numbers.set(row.id, row.number)
    return workspace
  }
}

function keptSecret(database: Database, ids: Ids): string {
  const kept = database.orm.select().from(meta).where(eq(meta.name, 'secret')).get()
  if (kept) return kept.value
  const value = ids.prefixed('secret_', 40)
  database.orm.insert(meta).values({ name: 'secret', value }).run()
  return value
}

const setOrAll = (list: readonly string[]): ReadonlySet<string> | null =>
  list.includes('*') ? null : new Set(list)
