/** All workspaces of a database: creation, lookup, changes, removal, and their keys. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { asc, eq, sql } from 'drizzle-orm'
import { withCause, traceOfCause } from '../timeline/causes.ts'
import { systemNow } from '../model/clock.ts'
import { statement, type Database } from '../storage/database/database.ts'
import { storeEvent, type EventRenderer, type Follower } from './events.ts'
import { Ids } from '../storage/database/ids.ts'
import { Jobs, type JobKind } from './jobs.ts'
import { Keys, type Caller, type KeyRow, type NewKey } from './keys.ts'
import { notify } from '../timeline/longPoll.ts'
import { writer } from '../storage/database/prepared.ts'
import { refuse } from '../model/refusal.ts'
import { inserter } from '../storage/queries/rows.ts'
import { timelinesOf, withdrawOnFailure, recordStep } from '../timeline/timeline.ts'
import { counters, discarded, keys, meta, users, workspaces } from '../storage/tables.ts'
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

const workspaceOfTenantId = statement((orm) =>
  orm
    .select()
    .from(workspaces)
    .where(eq(workspaces.number, sql.placeholder('tenantId')))
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
    .where(eq(workspaces.number, sql.placeholder('tenantId'))),
)

/** The row scopes of existing records and baseline for a new workspace. */
export interface FilledScopes {
  readonly scope: number
  readonly base: number
}

/** The settings of workspace 0, the server, which has no records. */
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
  /** The seed of all ids; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** The kinds of jobs. Of several that are due at one instant, the first runs first. */
  readonly jobs?: readonly JobKind[]
  /** Called with jobs that never end and are disabled in a workspace. */
  readonly onJobsDisabled?: (error: Error, workspace: Workspace) => void
  /** The event renderers by interface. An event of another interface throws. */
  readonly renderers?: ReadonlyMap<string, EventRenderer>
  /** Called with every event of every workspace, in this order. */
  readonly followers?: readonly Follower[]
}

/** All workspaces of a database. */
export class Workspaces implements Registry {
  readonly database: Database
  /** The signing secret of values that clients must return unchanged; created once per file. */
  readonly secret: string
  /** The base URL of links in responses, without a slash at the end. */
  get publicUrl(): string {
    return this.#requestOrigin.getStore() ?? this.#publicUrl
  }

  set publicUrl(url: string) {
    this.#publicUrl = url
  }

  #publicUrl = 'http://127.0.0.1:4012'
  /** The base URL of the current request, if it differs from the configured one. */
  readonly #requestOrigin = new AsyncLocalStorage<string>()

  readonly #jobs: Jobs
  readonly #renderers: ReadonlyMap<string, EventRenderer>
  readonly #followers: Follower[]
  readonly #seed: string | null
  readonly #ids: Ids
  /** By row scope. */
  readonly #loaded = new Map<number, Workspace>()
  readonly #byId = new Map<string, Workspace>()
  readonly #byTenantId = new Map<number, Workspace>()
  /** The version of each loaded workspace by tenant id, because a write can come from a handle that was replaced. */
  readonly #versions = new Map<number, number>()
  readonly #keys: Keys
  readonly #watchers = new Set<(workspace: Workspace) => void>()

  /** Handles a request with `origin` as the base URL of links. */
  reachedAt(origin: string, answer: () => void): void {
    this.#requestOrigin.run(origin, answer)
  }

  constructor(
    database: Database,
    {
      seed = null,
      jobs = [],
      onJobsDisabled: onJobsDisabled = () => undefined,
      renderers = new Map(),
      followers = [],
    }: WorkspacesOptions = {},
  ) {
    this.database = database
    this.#jobs = new Jobs(jobs, onJobsDisabled)
    this.#renderers = renderers
    this.#followers = [...followers]
    this.#seed = seed
    this.#ids = new Ids(database, 0, seed)
    this.#keys = new Keys(database, this.#ids, (tenantId) => this.byTenantId(tenantId))
    this.secret = database.write(() => storedSecret(database, this.#ids))
    database.onLost(() => {
      this.#forgetAll()
    })
  }

  /** Adds a follower, which is called with every event after the existing ones. */
  follow(follower: Follower): void {
    this.#followers.push(follower)
  }

  /** Calls `watcher` when the clock or due jobs of a workspace may have changed. */
  watch(watcher: (workspace: Workspace) => void): void {
    this.#watchers.add(watcher)
  }

  /** See `Workspace.version`. No two states of any workspaces have the same number. */
  versionOf({ tenantId }: Workspace): number {
    const version = this.database.isBetweenWrites ? this.#versions.get(tenantId) : undefined
    return version ?? this.database.nextRevision()
  }

  renewVersion({ tenantId }: Workspace): void {
    if (this.#versions.has(tenantId)) this.#versions.set(tenantId, this.database.nextRevision())
  }

  changed(workspace: Workspace): void {
    for (const watcher of this.#watchers) watcher(workspace)
  }

  /**
   * Creates and fills a workspace, both or neither. A refusal from `fill` (an invalid snapshot) leaves nothing
   * behind.
   */
  create<T>(newWorkspace: NewWorkspace, fill: (workspace: Workspace) => T, filled?: FilledScopes): T {
    let workspace: Workspace | undefined
    try {
      return this.database.write(() => {
        workspace = this.#insert(newWorkspace, filled)
        return fill(workspace)
      })
    } catch (error) {
      if (workspace) this.#forget(workspace)
      throw error
    }
  }

  #insert(newWorkspace: NewWorkspace, filled: FilledScopes | undefined): Workspace {
    const settings = {
      name: newWorkspace.name,
      currency: newWorkspace.currency ?? 'USD',
      timezone: newWorkspace.timezone ?? 'UTC',
      modules: { products: true, ...newWorkspace.modules },
      plan: { apiAccess: true, ...newWorkspace.plan },
      testCards: newWorkspace.testCards ?? true,
      progression: newWorkspace.progression ?? 'clock',
    }
    const id = newWorkspace.id ?? this.#ids.nano('workspace')
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

  /** Returns the default scopes, or new ones if discarded records still use them. */
  #emptyScopes(number: number): Pick<WorkspaceRow, 'scope' | 'base'> {
    const found = scopeDiscarded(this.database).get({ scope: number, base: -number })
    if (!found) return { scope: null, base: null }
    const scope = this.database.nextRevision()
    return { scope, base: -scope }
  }

  /** Returns a handle for writing records to a row scope that is not in use yet (`moveTo`). */
  shadow(rowScope: number): Workspace {
    return new Workspace(this, { ...SHADOW, scope: rowScope }, this.#seed)
  }

  /** Switches the workspace to another row scope. Inside a `write`. */
  moveTo(workspace: Workspace, rowScope: number): void {
    setScope(this.database, { tenantId: workspace.tenantId, scope: rowScope })
  }

  /** Must be called after a workspace was switched to another row scope. */
  moved(workspace: Workspace, rowScope: number): void {
    // Removes the old row scope first, so that its pending deliveries are not sent.
    this.#loaded.delete(workspace.rowScope)
    workspace.generation++
    timelinesOf(this.database).release(workspace)
    this.changed(workspace)
    workspace.rowScope = rowScope
    this.#loaded.set(rowScope, workspace)
    workspace.forget()
    this.#keys.forget()
  }

  find(id: string): Workspace | undefined {
    const loaded = this.#byId.get(id)
    if (loaded) return loaded
    const row = workspaceOfId(this.database).get({ id })
    return row && this.#load(row)
  }

  /** Finds a workspace by id, or throws a refusal. */
  get(id: string): Workspace {
    return this.find(id) ?? refuse('not_found', `There is no workspace ${id}.`)
  }

  byRowScope(rowScope: number): Workspace | undefined {
    const loaded = this.#loaded.get(rowScope)
    if (loaded) return loaded
    const row = workspaceOfScope(this.database).get({ scope: rowScope })
    return row && this.#load(row)
  }

  /** Finds a workspace by its tenant id. */
  byTenantId(tenantId: number): Workspace | undefined {
    const loaded = this.#byTenantId.get(tenantId)
    if (loaded) return loaded
    const row = workspaceOfTenantId(this.database).get({ tenantId })
    return row && this.#load(row)
  }

  /** Returns the tenant ids of all workspaces, in the order of creation. */
  tenantIds(): number[] {
    return this.database.orm
      .select({ number: workspaces.number })
      .from(workspaces)
      .orderBy(asc(workspaces.number))
      .all()
      .map((row) => row.number)
  }

  change(workspace: Workspace, changes: Partial<Omit<NewWorkspace, 'id'>>): void {
    const settings = {
      name: changes.name ?? workspace.name,
      currency: changes.currency ?? workspace.currency,
      timezone: changes.timezone ?? workspace.timezone,
      modules: { ...workspace.modules, ...changes.modules },
      plan: { ...workspace.plan, ...changes.plan },
      testCards: changes.testCards ?? workspace.testCards,
      progression: changes.progression ?? workspace.progression,
    }
    this.#applySettings(workspace, settings)
  }

  /** Restores the first settings and clock of the workspace. */
  restoreSettings(workspace: Workspace): void {
    const row = workspaceOfTenantId(this.database).get({ tenantId: workspace.tenantId })
    if (row) this.#applySettings(workspace, { testCards: true, progression: 'clock', ...row.baseline })
    workspace.resetClock()
  }

  #applySettings(
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
    this.renewVersion(workspace)
    if (workspace.progression === settings.progression) return
    workspace.progression = settings.progression
    workspace.nextJobAt = -Infinity
    this.changed(workspace)
  }

  /**
   * Removes all workspaces and discards their records. The server's counters restart, so that a seed gives the same
   * ids again. Returns the loaded workspaces. Only inside a `write`.
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
    const loaded = [...this.#loaded.values()]
    for (const workspace of loaded) this.#forget(workspace)
    return loaded
  }

  /** Removes the workspace. `Records.remove` deletes its rows. */
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
    this.#byTenantId.delete(workspace.tenantId)
    this.#versions.delete(workspace.tenantId)
    this.#byId.delete(workspace.id)
    this.#keys.forget()
    this.changed(workspace)
  }

  addKey(workspace: Workspace, newKey: NewKey): KeyRow {
    return this.#keys.add(workspace, newKey)
  }

  /** Returns the keys of a workspace in the order of creation. */
  keysOf(workspace: Workspace): KeyRow[] {
    return this.#keys.of(workspace)
  }

  /** Removes a key. Returns false if it does not exist. */
  removeKey(key: string): boolean {
    return this.#keys.remove(key)
  }

  /** Returns the caller of a key; undefined if the key does not exist. Does not check whether it has expired. */
  caller(key: string): Caller | undefined {
    return this.#keys.caller(key)
  }

  /** Clears cached callers after users were replaced. */
  forgetCallers(): void {
    this.#keys.forget()
  }

  renderEvent(workspace: Workspace, event: NewEvent): EventData {
    const render = this.#renderers.get(event.interface)
    if (!render) throw new Error(`the events of ${event.interface} have no renderer`)
    return render(workspace, event)
  }

  /** Stores a rendered event and calls the followers, in this transaction. */
  append(workspace: Workspace, event: NewEvent): AppendedEvent {
    const appended = storeEvent(workspace, event, this.renderEvent(workspace, event))
    const number = recordStep(workspace, {
      kind: 'event',
      title: `${event.interface} ${event.name}`,
      ref: appended.id,
    })
    const trace = traceOfCause()
    withCause({ numberIn: (other) => (other === workspace ? number : null), trace: () => trace }, () => {
      for (const follower of this.#followers) follower(workspace, appended)
    })
    return appended
  }

  write<T>(workspace: Workspace, change: () => T): T {
    // Before the change, because callers that wait for the commit can read before `write` returns.
    this.renewVersion(workspace)
    const result = withdrawOnFailure(workspace, () => this.database.write(change))
    notify(workspace, 'records')
    return result
  }

  runJobs(workspace: Workspace, until: number): Iterator<void> {
    return this.#jobs.run(workspace, until)
  }

  /** Returns when the earliest job is due; Infinity if none is. */
  earliestJob(workspace: Workspace): number {
    return this.#jobs.earliest(workspace)
  }

  /** Returns the next job of each kind, the earliest first. */
  upcomingJobs(workspace: Workspace): ReturnType<Jobs['upcoming']> {
    return this.#jobs.upcoming(workspace)
  }

  #forgetAll(): void {
    this.#loaded.clear()
    this.#byTenantId.clear()
    this.#versions.clear()
    this.#byId.clear()
    this.#keys.forget()
  }

  #load(row: WorkspaceRow): Workspace {
    const workspace = new Workspace(this, row, this.#seed)
    this.#loaded.set(workspace.rowScope, workspace)
    this.#byTenantId.set(workspace.tenantId, workspace)
    this.#versions.set(workspace.tenantId, this.database.nextRevision())
    this.#byId.set(workspace.id, workspace)
    return workspace
  }
}

function storedSecret(database: Database, ids: Ids): string {
  const stored = database.orm.select().from(meta).where(eq(meta.name, 'secret')).get()
  if (stored) return stored.value
  const value = ids.prefixed('secret_', 40)
  database.orm.insert(meta).values({ name: 'secret', value }).run()
  return value
}
