/** API keys and their callers. */
import { eq, sql } from 'drizzle-orm'
import { statement, type Database } from '../storage/database/database.ts'
import { randomCredential, type Ids } from '../storage/database/ids.ts'
import { refuse } from '../model/refusal.ts'
import { inserter } from '../storage/queries/rows.ts'
import { keys } from '../storage/tables.ts'
import { keyPrefix } from './shard.ts'
import type { User } from './users.ts'
import type { Workspace } from './workspace.ts'

export type KeyRow = typeof keys.$inferSelect

/** The caller of a request: a key with its workspace and user. */
export interface Caller {
  readonly key: string
  readonly workspace: Workspace
  readonly user: User
  /** null means all. */
  readonly scopes: ReadonlySet<string> | null
  /** null means all. */
  readonly interfaces: ReadonlySet<string> | null
  readonly expiresAt: number | null
  /** The direction of lists that callers cannot sort, in place of their own. */
  readonly direction?: 'asc' | 'desc'
}

export interface NewKey {
  readonly key?: string
  readonly scopes?: readonly string[]
  readonly interfaces?: readonly string[]
  readonly userId?: string
  readonly expiresAt?: number | null
}

/** The number of random characters after the prefix. */
const RANDOM_CHARACTERS = 32

/** The most keys of a workspace. */
export const MAX_KEYS = 10_000

const lastAllowedKey = statement((orm) =>
  orm
    .select({ key: keys.key })
    .from(keys)
    .where(eq(keys.workspace, sql.placeholder('workspace')))
    .limit(1)
    .offset(MAX_KEYS - 1)
    .prepare(),
)

/** Callers in the cache. Beyond this number, the cache is cleared. */
const MAX_CACHED_CALLERS = 10_000

/** The API keys of all workspaces. */
export class Keys {
  readonly #database: Database
  readonly #ids: Ids
  readonly #shard: string | null
  readonly #workspace: (number: number) => Workspace | undefined
  #callers = new Map<string, Caller>()
  #texts = new WeakMap<Workspace, readonly string[]>()

  /** `ids` and `shard` are those of the server. `workspace` finds a workspace by its tenant id. */
  constructor(
    database: Database,
    ids: Ids,
    shard: string | null,
    workspace: (number: number) => Workspace | undefined,
  ) {
    this.#database = database
    this.#ids = ids
    this.#shard = shard
    this.#workspace = workspace
  }

  add(workspace: Workspace, newKey: NewKey): KeyRow {
    const user = newKey.userId ?? workspace.users()[0]?.id
    if (user === undefined || !workspace.user(user)) {
      refuse('invalid', `The workspace has no user ${user ?? ''}.`, {
        details: [{ field: 'userId', code: 'unknown', message: 'must be a user of the workspace' }],
      })
    }
    return this.#database.write(() => {
      const key = newKey.key ?? this.#ids.prefixed(keyPrefix('sim', this.#shard), RANDOM_CHARACTERS)
      if (keyRow(this.#database).get({ key })) refuse('conflict', `The key ${key} exists already.`)
      if (lastAllowedKey(this.#database).get({ workspace: workspace.tenantId }))
        refuse('invalid', `A workspace has at most ${String(MAX_KEYS)} keys. Delete some first.`)
      const row: KeyRow = {
        key,
        workspace: workspace.tenantId,
        user,
        scopes: newKey.scopes ?? ['*'],
        interfaces: newKey.interfaces ?? ['*'],
        expiresAt: newKey.expiresAt ?? null,
        createdAt: workspace.now(),
      }
      insertKey(this.#database, row)
      this.#texts.delete(workspace)
      return row
    })
  }

  /** Returns a new control token, unpredictable also with a seed: a repeated one would open another workspace. */
  newControlToken(): string {
    return randomCredential(keyPrefix('simctl', this.#shard))
  }

  /** Returns the keys in the order of creation. */
  of(workspace: Workspace): KeyRow[] {
    return this.#database.orm
      .select()
      .from(keys)
      .where(eq(keys.workspace, workspace.tenantId))
      .orderBy(sql`rowid`)
      .all()
  }

  /**
   * Returns the keys that files of a workspace must not contain: the same list until they change. A key that is part of
   * the id of the workspace is no secret.
   */
  secretTexts(workspace: Workspace): readonly string[] {
    const known = this.#texts.get(workspace)
    if (known) return known
    const texts = this.of(workspace).flatMap(({ key }) => (workspace.id.includes(key) ? [] : [key]))
    this.#texts.set(workspace, texts)
    return texts
  }

  /** Returns the workspace of a key; undefined if the key does not exist. */
  ownerOf(key: string): Workspace | undefined {
    const row = keyRow(this.#database).get({ key })
    return row && this.#workspace(row.workspace)
  }

  /** Removes a key. Returns false if it does not exist. */
  remove(key: string): boolean {
    this.#callers.delete(key)
    this.#texts = new WeakMap()
    return this.#database.write(
      () => this.#database.orm.delete(keys).where(eq(keys.key, key)).run().changes > 0,
    )
  }

  /** Returns the caller of a key; undefined if the key does not exist. */
  caller(key: string): Caller | undefined {
    const cached = this.#callers.get(key)
    // A changed user is a new object.
    if (cached && cached.workspace.user(cached.user.id) === cached.user) return cached
    const row = keyRow(this.#database).get({ key })
    const workspace = row && this.#workspace(row.workspace)
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
    if (this.#callers.size >= MAX_CACHED_CALLERS) this.forget()
    this.#callers.set(key, caller)
    return caller
  }

  /** Clears the caches. */
  forget(): void {
    this.#callers = new Map()
    this.#texts = new WeakMap()
  }
}

const insertKey = inserter(keys)

const keyRow = statement((orm) =>
  orm
    .select()
    .from(keys)
    .where(eq(keys.key, sql.placeholder('key')))
    .prepare(),
)

const setOrAll = (list: readonly string[]): ReadonlySet<string> | null =>
  list.includes('*') ? null : new Set(list)
