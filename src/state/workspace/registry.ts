/** All workspaces of a database: creates, finds, loads and removes them. */
import { asc, eq, sql } from 'drizzle-orm'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import type { ClockSetting } from '../model/clock.ts'
import { statement, type Database } from '../storage/database/database.ts'
import { Events, type EventRenderer, type Follower } from './events.ts'
import { Ids } from '../storage/database/ids.ts'
import { Jobs, type JobKind } from './jobs.ts'
import { Keys } from './keys.ts'
import { firstDeadline } from '../limits/lifetime.ts'
import { writer } from '../storage/database/prepared.ts'
import { labeled, type Label, type Management } from '../limits/management.ts'
import { PublicUrl } from './publicUrl.ts'
import { beforeTtl } from '../limits/ranUntil.ts'
import { QuotaRule, UNMEASURED, type Measures } from '../limits/quota.ts'
import { chosenIn, type ChosenReadings, type Reading } from '../model/reading.ts'
import { refuse } from '../model/refusal.ts'
import { inserter } from '../storage/queries/rows.ts'
import { applyChanges, DEFAULTS, type SettingChanges } from './settings.ts'
import { idPrefix, shardOfIdHint } from './shard.ts'
import { announceReplacement } from '../timeline/streams.ts'
import { timelinesOf } from '../timeline/timelines.ts'
import { counters, discarded, keys, meta, users, workspaces, type IdSource } from '../storage/tables.ts'
import { Workspace, type Shared, type WorkspaceRow } from './workspace.ts'

export interface NewWorkspace extends SettingChanges, Management {
  readonly id?: string
  readonly name: string
  /** What its ids are drawn from; the seed of the server by default. */
  readonly idSource?: IdSource | undefined
  /** Real time by default. */
  readonly clock?: ClockSetting
}

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

const workspaceOfToken = statement((orm) =>
  orm
    .select()
    .from(workspaces)
    .where(eq(workspaces.controlToken, sql.placeholder('token')))
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

/** The row of workspace 0, the server, which has no records. */
const SHADOW: Omit<WorkspaceRow, 'scope'> = {
  ...DEFAULTS,
  number: 0,
  id: '',
  clockOffset: 0,
  clockFrozenAt: null,
  createdAt: 0,
  baseline: DEFAULTS,
  base: null,
  controlToken: null,
  ttl: null,
  expiresAt: null,
  labels: {},
  idSource: null,
}

export interface RegistryOptions {
  /** The seed of all ids; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** The name of this server among several; null (the default) without one. */
  readonly shard?: string | null
  /** The readings that apply to workspaces without their own; the defaults of the readings otherwise. */
  readonly readings?: ChosenReadings
  /** The kinds of jobs. Of several that are due at one instant, the first runs first. */
  readonly jobs?: readonly JobKind[]
  /** Called with jobs that never end and are disabled in a workspace. */
  readonly onJobsDisabled?: (error: Error, workspace: Workspace) => void
  /** The event renderers by interface. An event of another interface throws. */
  readonly renderers?: ReadonlyMap<string, EventRenderer>
  /** The bytes that each workspace can have, with their measurement; unlimited otherwise. */
  readonly quota?: { readonly maxBytes: number; readonly sizes: Measures }
  /** Called with every event of every workspace, in this order. */
  readonly followers?: readonly Follower[]
}

export class Registry {
  readonly database: Database
  readonly publicUrl = new PublicUrl()
  readonly quota: QuotaRule
  /** The name of this server among several; null without one. */
  readonly shard: string | null
  readonly events: Events
  readonly jobs: Jobs
  readonly keys: Keys
  /** What the workspaces know of each other and of the server. */
  readonly #shared: Shared
  readonly #ids: Ids
  readonly #readings: ChosenReadings
  /** By row scope. */
  readonly #loaded = new Map<number, Workspace>()
  readonly #byId = new Map<string, Workspace>()
  readonly #byTenantId = new Map<number, Workspace>()
  /** The version of each loaded workspace by tenant id, because a write can come from a handle that was replaced. */
  readonly #versions = new Map<number, number>()
  /** Called at each use of a workspace with a ttl. */
  onUse: (workspace: Workspace) => void = () => undefined
  readonly #watchers = new Set<(workspace: Workspace) => void>()

  constructor(
    database: Database,
    {
      seed = null,
      shard = null,
      readings = {},
      jobs = [],
      onJobsDisabled = () => undefined,
      renderers = new Map(),
      followers = [],
      quota = { maxBytes: Infinity, sizes: UNMEASURED },
    }: RegistryOptions = {},
  ) {
    this.database = database
    this.shard = shard
    this.#readings = readings
    this.jobs = new Jobs(jobs, onJobsDisabled)
    this.events = new Events(renderers, followers)
    this.quota = new QuotaRule(database, quota.sizes, quota.maxBytes)
    this.#ids = new Ids(database, 0, seed)
    this.keys = new Keys(database, this.#ids, shard, (tenantId) => this.byTenantId(tenantId))
    this.#shared = {
      database,
      seed,
      secret: database.write(() => storedSecret(database, this.#ids)),
      publicUrl: this.publicUrl,
      quota: this.quota,
      readings,
      events: this.events,
      jobs: this.jobs,
      used: (workspace) => {
        this.onUse(workspace)
      },
      changed: (workspace) => {
        for (const watcher of this.#watchers) watcher(workspace)
      },
      versionOf: (workspace) => this.#versionOf(workspace),
      renewVersion: ({ tenantId }) => {
        if (this.#versions.has(tenantId)) this.#versions.set(tenantId, database.nextRevision())
      },
    }
    database.onLost(() => {
      this.#forgetAll()
    })
  }

  /** Calls `watcher` when the clock or due jobs of a workspace may have changed. */
  watch(watcher: (workspace: Workspace) => void): void {
    this.#watchers.add(watcher)
  }

  /** Returns the alternative of a reading for workspaces that chose none, and for calls without a workspace. */
  reading<Value extends string>(of: Reading<string, Value>): Value {
    return chosenIn(of, this.#readings)
  }

  /** See `Workspace.version`. No two states of any workspaces have the same number. */
  #versionOf({ tenantId }: Workspace): number {
    const version = this.database.isBetweenWrites ? this.#versions.get(tenantId) : undefined
    return version ?? this.database.nextRevision()
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
    const settings = applyChanges(DEFAULTS, newWorkspace)
    const { ttl = null, labels = {}, clock } = newWorkspace
    const id = newWorkspace.id ?? idPrefix(this.shard) + this.#ids.nano('workspace')
    if (this.find(id)) refuse('conflict', `There is a workspace ${id} already.`)
    const number = this.#ids.integer('workspace')
    const row: WorkspaceRow = {
      ...settings,
      number,
      id,
      clockOffset: clock?.offset ?? 0,
      clockFrozenAt: clock?.frozenAt ?? null,
      createdAt: systemNow(),
      baseline: { ...settings, ...(clock && { clock }) },
      controlToken: this.keys.newControlToken(),
      ttl,
      expiresAt: firstDeadline(ttl),
      labels,
      idSource: newWorkspace.idSource ?? null,
      ...(filled ?? this.#emptyScopes(number)),
    }
    beforeTtl(this.database, ttl)
    insertWorkspace(this.database, row)
    const workspace = this.#load(row)
    workspace.lifetime.start()
    return workspace
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
    return new Workspace(this.#shared, { ...SHADOW, scope: rowScope })
  }

  /** Switches the workspace to another row scope. Inside a `write`. */
  moveTo(workspace: Workspace, rowScope: number): void {
    setScope(this.database, { tenantId: workspace.tenantId, scope: rowScope })
  }

  /** Makes other records, and the current settings and clock, the baseline of the workspace. Inside a `write`. */
  moveBaseline({ tenantId, settings, clock }: Workspace, base: number): void {
    const baseline = { ...settings, clock: clock.setting }
    this.database.orm.update(workspaces).set({ base, baseline }).where(eq(workspaces.number, tenantId)).run()
  }

  /** Must be called after a workspace was switched to another row scope. */
  moved(workspace: Workspace, rowScope: number): void {
    // Removes the old row scope first, so that its pending deliveries are not sent.
    this.#loaded.delete(workspace.rowScope)
    workspace.generation++
    timelinesOf(this.database).release(workspace)
    workspace.changed()
    workspace.rowScope = rowScope
    this.#loaded.set(rowScope, workspace)
    workspace.forget()
    this.keys.forget()
  }

  find(id: string): Workspace | undefined {
    const loaded = this.#byId.get(id)
    if (loaded) return loaded
    const row = workspaceOfId(this.database).get({ id })
    return row && this.#load(row)
  }

  /** Finds the workspace that a control token opens. */
  byControlToken(token: string): Workspace | undefined {
    const row = workspaceOfToken(this.database).get({ token })
    return row && this.find(row.id)
  }

  /** Finds a workspace by id, or throws a refusal. */
  get(id: string): Workspace {
    return (
      this.find(id) ?? refuse('not_found', `There is no workspace ${id}.${shardOfIdHint(id, this.shard)}`)
    )
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

  /** Returns the workspaces with all these labels, in the order of creation. */
  labeled(labels: readonly Label[]): Workspace[] {
    return labeled(this.database, labels).flatMap((tenantId) => this.byTenantId(tenantId) ?? [])
  }

  /** Gives the next workspace this account. Only in a database without workspaces. */
  countFrom(accountId: number): void {
    this.database.write(() => {
      const row = { workspace: 0, kind: 'workspace', last: accountId - 1 }
      this.database.orm.insert(counters).values(row).run()
    })
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
         UNION ALL SELECT "scope" FROM saved_snapshots UNION ALL SELECT "scope" FROM recordings`,
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
    workspace.isRegistered = false
    workspace.generation++
    timelinesOf(this.database).release(workspace)
    this.#loaded.delete(workspace.rowScope)
    this.#byTenantId.delete(workspace.tenantId)
    this.#versions.delete(workspace.tenantId)
    this.#byId.delete(workspace.id)
    this.keys.forget()
    workspace.changed()
    announceReplacement(workspace)
  }

  #forgetAll(): void {
    for (const workspace of this.#loaded.values()) workspace.isRegistered = false
    this.#loaded.clear()
    this.#byTenantId.clear()
    this.#versions.clear()
    this.#byId.clear()
    this.keys.forget()
  }

  #load(row: WorkspaceRow): Workspace {
    const workspace = new Workspace(this.#shared, row)
    workspace.isRegistered = true
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
