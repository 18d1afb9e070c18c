/** All workspaces of a database: made, found, changed and removed here, and the keys that open them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { asc, eq, getTableName, sql } from 'drizzle-orm'
import { because, traceOfCause } from './causes.ts'
import { systemNow } from './clock.ts'
import { statement, type Database } from './database.ts'
import { storeEvent, type EventRenderer, type Follower } from './events.ts'
import { Ids } from './ids.ts'
import { Jobs, type JobKind } from './jobs.ts'
import { Keys, type Caller, type KeyRow, type NewKey } from './keys.ts'
import { notify } from './longPoll.ts'
import { writer } from './prepared.ts'
import { refuse } from './refusal.ts'
import { inserter } from './rows.ts'
import { timelinesOf, takingBack, recordStep } from './timeline.ts'
import { counters, discarded, keys, meta, users, workspaces } from './tables.ts'
import type { Table } from './versions.ts'
import {
  Workspace,
  type AppendedEvent,
  type EventData,
  type NewEvent,
  type NewWorkspace,
  type Registry,
  type WorkspaceRow,
} from './workspace.ts'

const workspaceOfId = statement((orm) =>
  orm
    .select()
    .from(workspaces)
    .where(eq(workspaces.id, sql.placeholder('id')))
    .prepare(),
)

const workspaceOfAccount = statement((orm) =>
  orm
    .select()
    .from(workspaces)
    .where(eq(workspaces.number, sql.placeholder('account')))
    .prepare(),
)

const workspaceOfScope = statement((orm) =>
  orm
    .select()
    .from(workspaces)
    .where(
      sql`${workspaces.scope} = ${sql.placeholder('scope')} or (${workspaces.number} = ${sql.placeholder('scope')} and ${workspaces.scope} is null)`,
    )
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
      testCards: sql`${sql.placeholder('testCards')}`,
      progression: sql`${sql.placeholder('progression')}`,
    })
    .where(eq(workspaces.number, sql.placeholder('number'))),
)

const scopeDiscarded = statement((orm) =>
  orm
    .select()
    .from(discarded)
    .where(sql`${discarded.scope} in (${sql.placeholder('scope')}, ${sql.placeholder('base')})`)
    .prepare(),
)

const setScope = writer((orm) =>
  orm
    .update(workspaces)
    .set({ scope: sql`${sql.placeholder('scope')}` })
    .where(eq(workspaces.number, sql.placeholder('account'))),
)

/** What the records of a new workspace stand under already, and those it is made with. */
export interface FilledScopes {
  readonly scope: number
  readonly base: number
}

/** Workspace 0 stands for the server itself, and has no records. */
const SHADOW: Omit<WorkspaceRow, 'scope'> = {
  number: 0,
  id: '',
  name: '',
  currency: 'USD',
  timezone: 'UTC',
  modules: { products: true },
  plan: { apiAccess: true },
  testCards: true,
  progression: 'clock',
  clockOffset: 0,
  clockFrozenAt: null,
  createdAt: 0,
  baseline: {
    name: '',
    currency: 'USD',
    timezone: 'UTC',
    modules: { products: true },
    plan: { apiAccess: true },
  },
  base: null,
}

export interface WorkspacesOptions {
  /** Makes every id follow from it; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** What falls due in workspaces; of those that are due at one instant the first runs first. */
  readonly jobs?: readonly JobKind[]
  /** Told of jobs that never came to an end in a workspace, and are left undone there. */
  readonly putToRest?: (error: Error, workspace: Workspace) => void
  /** How events are shown, by interface; one of an interface that is not among them is a fault. */
  readonly renderers?: ReadonlyMap<string, EventRenderer>
  /** Told of every event of every workspace, in this order. */
  readonly followers?: readonly Follower[]
}

/** All workspaces of a database. */
export class Workspaces implements Registry {
  readonly database: Database
  /** Seals what the server gives out and wants back unaltered; made once in the life of the file. */
  readonly secret: string
  /** Where this server is reached, without a slash at the end; what the addresses of its pages begin with. */
  get publicUrl(): string {
    return this.#asked.getStore() ?? this.#publicUrl
  }

  set publicUrl(url: string) {
    this.#publicUrl = url
  }

  #publicUrl = 'http://127.0.0.1:4012'
  /** Where the server was reached by whoever is being answered; nobody says so where that is known anyway. */
  readonly #asked = new AsyncLocalStorage<string>()

  readonly usersTable: Table
  /** Those of which workspaces remember something. */
  readonly ownTables: readonly Table[]
  readonly #jobs: Jobs
  readonly #renderers: ReadonlyMap<string, EventRenderer>
  readonly #followers: Follower[]
  readonly #seed: string | null
  readonly #ids: Ids
  /** By what their records stand under. */
  readonly #loaded = new Map<number, Workspace>()
  readonly #byId = new Map<string, Workspace>()
  readonly #byAccount = new Map<number, Workspace>()
  readonly #keys: Keys
  readonly #watchers = new Set<(workspace: Workspace) => void>()

  /** Answers a request: the addresses that it is told begin with where it has reached this server. */
  reachedAt(origin: string, answer: () => void): void {
    this.#asked.run(origin, answer)
  }

  constructor(
    database: Database,
    {
      seed = null,
      jobs = [],
      putToRest = () => undefined,
      renderers = new Map(),
      followers = [],
    }: WorkspacesOptions = {},
  ) {
    this.database = database
    this.#jobs = new Jobs(jobs, putToRest)
    this.#renderers = renderers
    this.#followers = [...followers]
    this.usersTable = database.versions.table(getTableName(users))
    this.ownTables = [database.versions.table(getTableName(workspaces)), this.usersTable]
    this.#seed = seed
    this.#ids = new Ids(database, 0, seed)
    this.#keys = new Keys(database, this.#ids, (account) => this.byAccount(account))
    this.secret = database.write(() => storedSecret(database, this.#ids))
    database.onLost(() => {
      this.#forgetAll()
    })
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
  create<T>(wanted: NewWorkspace, fill: (workspace: Workspace) => T, filled?: FilledScopes): T {
    let made: Workspace | undefined
    try {
      return this.database.write(() => {
        made = this.#insert(wanted, filled)
        return fill(made)
      })
    } catch (error) {
      if (made) this.#forget(made)
      throw error
    }
  }

  #insert(wanted: NewWorkspace, filled: FilledScopes | undefined): Workspace {
    const settings = {
      name: wanted.name,
      currency: wanted.currency ?? 'USD',
      timezone: wanted.timezone ?? 'UTC',
      modules: { products: true, ...wanted.modules },
      plan: { apiAccess: true, ...wanted.plan },
      testCards: wanted.testCards ?? true,
      progression: wanted.progression ?? 'clock',
    }
    const id = wanted.id ?? this.#ids.nano('workspace')
    if (this.find(id)) refuse('conflict', `There is a workspace ${id} already.`)
    const number = this.#ids.integer('workspace')
    const row: WorkspaceRow = {
      ...settings,
      number,
      id,
      clockOffset: 0,
      clockFrozenAt: null,
      createdAt: systemNow(),
      baseline: settings,
      ...(filled ?? this.#emptyScopes(number)),
    }
    insertWorkspace(this.database, row)
    return this.#load(row)
  }

  /** Its number, unless records of one that had it before are still there. */
  #emptyScopes(number: number): Pick<WorkspaceRow, 'scope' | 'base'> {
    const found = scopeDiscarded(this.database).get({ scope: number, base: -number })
    if (!found) return { scope: null, base: null }
    const scope = this.database.nextRevision()
    return { scope, base: -scope }
  }

  /** A handle by which records are put where nobody sees them, to take the place of others one day (`moveTo`). */
  shadow(number: number): Workspace {
    return new Workspace(this, { ...SHADOW, scope: number }, this.#seed)
  }

  /** Records that stand under another number take the place of all that the workspace has. Inside a `write`. */
  moveTo(workspace: Workspace, number: number): void {
    setScope(this.database, { account: workspace.tenantId, scope: number })
  }

  /** To be called when a workspace has been moved, and so has to do with other records. */
  moved(workspace: Workspace, number: number): void {
    // First it is gone from where it was, so that what waits there to be sent is sent no more.
    this.#loaded.delete(workspace.rowScope)
    workspace.generation++
    timelinesOf(this.database).release(workspace)
    this.changed(workspace)
    workspace.rowScope = number
    this.#loaded.set(number, workspace)
    workspace.forget()
    this.#keys.forget()
  }

  find(id: string): Workspace | undefined {
    const loaded = this.#byId.get(id)
    if (loaded) return loaded
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
    const row = workspaceOfScope(this.database).get({ scope: number })
    return row && this.#load(row)
  }

  /** By what its keys, users and counters stand under. */
  byAccount(account: number): Workspace | undefined {
    const loaded = this.#byAccount.get(account)
    if (loaded) return loaded
    const row = workspaceOfAccount(this.database).get({ account })
    return row && this.#load(row)
  }

  /** The accounts of all workspaces, in the order in which they were made. */
  accounts(): number[] {
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
      testCards: wanted.testCards ?? workspace.testCards,
      progression: wanted.progression ?? workspace.progression,
    }
    this.#keep(workspace, settings)
  }

  /** Gives the workspace the settings and the clock it was made with. */
  restoreSettings(workspace: Workspace): void {
    const row = workspaceOfAccount(this.database).get({ account: workspace.tenantId })
    if (row) this.#keep(workspace, { testCards: true, progression: 'clock', ...row.baseline })
    workspace.resetClock()
  }

  #keep(
    workspace: Workspace,
    settings: Pick<
      WorkspaceRow,
      'name' | 'currency' | 'timezone' | 'modules' | 'plan' | 'testCards' | 'progression'
    >,
  ): void {
    this.database.write(() => {
      updateSettings(this.database, {
        ...settings,
        modules: JSON.stringify(settings.modules),
        plan: JSON.stringify(settings.plan),
        testCards: settings.testCards ? 1 : 0,
        number: workspace.tenantId,
      })
    })
    workspace.name = settings.name
    workspace.currency = settings.currency
    workspace.timezone = settings.timezone
    workspace.modules = settings.modules
    workspace.plan = settings.plan
    workspace.testCards = settings.testCards
    if (workspace.progression === settings.progression) return
    workspace.progression = settings.progression
    workspace.nextJobAt = -Infinity
    this.changed(workspace)
  }

  /**
   * Takes leave of all workspaces; what they hold is nobody's any more. The server's own counters start afresh: a seed then
   * gives the same ids again. Answers with those of which somebody may know. Only inside a `write`.
   */
  removeAll(): readonly Workspace[] {
    const { orm, sqlite } = this.database
    sqlite
      .prepare(
        `INSERT OR IGNORE INTO discarded_scopes SELECT coalesce("scope", "number") FROM workspaces
         UNION ALL SELECT coalesce("base", -"number") FROM workspaces
         UNION ALL SELECT "scope" FROM saved_snapshots`,
      )
      .run()
    for (const table of [keys, users, counters, workspaces]) orm.delete(table).run()
    const known = [...this.#loaded.values()]
    for (const workspace of known) this.#forget(workspace)
    return known
  }

  /** Forgets the workspace; its rows are removed by whoever knows the tables. */
  remove(workspace: Workspace): void {
    this.database.write(() => {
      this.database.orm.delete(users).where(eq(users.workspace, workspace.tenantId)).run()
      this.database.orm.delete(workspaces).where(eq(workspaces.number, workspace.tenantId)).run()
    })
    this.#forget(workspace)
  }

  #forget(workspace: Workspace): void {
    workspace.generation++
    timelinesOf(this.database).release(workspace)
    this.#loaded.delete(workspace.rowScope)
    this.#byAccount.delete(workspace.tenantId)
    this.#byId.delete(workspace.id)
    this.#keys.forget()
    this.changed(workspace)
  }

  addKey(workspace: Workspace, wanted: NewKey): KeyRow {
    return this.#keys.add(workspace, wanted)
  }

  /** The keys of a workspace in the order in which they were made. */
  keysOf(workspace: Workspace): KeyRow[] {
    return this.#keys.of(workspace)
  }

  /** False when there is no such key. */
  removeKey(key: string): boolean {
    return this.#keys.remove(key)
  }

  /** Whose key this is; undefined when it is nobody's. Whether it has expired is the caller's to ask. */
  caller(key: string): Caller | undefined {
    return this.#keys.caller(key)
  }

  /** Forgets who called, after users were replaced. */
  forgetCallers(): void {
    this.#keys.forget()
  }

  renderEvent(workspace: Workspace, event: NewEvent): EventData {
    const render = this.#renderers.get(event.interface)
    if (!render) throw new Error(`nothing says how events of ${event.interface} are shown`)
    return render(workspace, event)
  }

  /** Keeps an event as it is shown and tells the followers of it, in this transaction. */
  append(workspace: Workspace, event: NewEvent): AppendedEvent {
    const appended = storeEvent(workspace, event, this.renderEvent(workspace, event))
    const number = recordStep(workspace, {
      kind: 'event',
      title: `${event.interface} ${event.name}`,
      ref: appended.id,
    })
    const trace = traceOfCause()
    because({ numberIn: (other) => (other === workspace ? number : null), trace: () => trace }, () => {
      for (const follower of this.#followers) follower(workspace, appended)
    })
    return appended
  }

  write<T>(workspace: Workspace, change: () => T): T {
    const result = takingBack(workspace, () => this.database.write(change))
    notify(workspace, 'records')
    return result
  }

  runJobs(workspace: Workspace, until: number): Iterator<void> {
    return this.#jobs.run(workspace, until)
  }

  /** When the earliest job of any kind is due; Infinity when there is none. */
  earliestJob(workspace: Workspace): number {
    return this.#jobs.earliest(workspace)
  }

  /** The next job of each kind that is to come, the earliest first. */
  upcomingJobs(workspace: Workspace): ReturnType<Jobs['upcoming']> {
    return this.#jobs.upcoming(workspace)
  }

  #forgetAll(): void {
    this.#loaded.clear()
    this.#byAccount.clear()
    this.#byId.clear()
    this.#keys.forget()
  }

  #load(row: WorkspaceRow): Workspace {
    const workspace = new Workspace(this, row, this.#seed)
    this.#loaded.set(workspace.rowScope, workspace)
    this.#byAccount.set(workspace.tenantId, workspace)
    this.#byId.set(workspace.id, workspace)
    return workspace
  }
}

function storedSecret(database: Database, ids: Ids): string {
  const kept = database.orm.select().from(meta).where(eq(meta.name, 'secret')).get()
  if (kept) return kept.value
  const value = ids.prefixed('secret_', 40)
  database.orm.insert(meta).values({ name: 'secret', value }).run()
  return value
}
