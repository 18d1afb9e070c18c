/** Credentials, and who calls with them. */
import { eq, sql } from 'drizzle-orm'
import { statement, type Database } from './database.ts'
import type { Ids } from './ids.ts'
import { refuse } from './refusal.ts'
import { inserter } from './rows.ts'
import { keys } from './tables.ts'
import type { User } from './users.ts'
import type { Workspace } from './workspace.ts'

export type KeyRow = typeof keys.$inferSelect

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

export interface NewKey {
  readonly key?: string
  readonly scopes?: readonly string[]
  readonly interfaces?: readonly string[]
  readonly userId?: string
  readonly expiresAt?: number | null
}

/** Keys that are remembered between requests; past this many the memory starts afresh. */
const REMEMBERED_CALLERS = 10_000

/** The keys of all workspaces. */
export class Keys {
  readonly #database: Database
  readonly #ids: Ids
  readonly #workspace: (number: number) => Workspace | undefined
  #callers = new Map<string, Caller>()

  /** `ids` are the server's own; `workspace` finds one by its account. */
  constructor(database: Database, ids: Ids, workspace: (number: number) => Workspace | undefined) {
    this.#database = database
    this.#ids = ids
    this.#workspace = workspace
  }

  add(workspace: Workspace, wanted: NewKey): KeyRow {
    const user = wanted.userId ?? workspace.users()[0]?.id
    if (user === undefined || !workspace.user(user)) {
      refuse('invalid', `The workspace has no user ${user ?? ''}.`, {
        details: [{ field: 'userId', code: 'unknown', message: 'must be a user of the workspace' }],
      })
    }
    return this.#database.write(() => {
      const key = wanted.key ?? this.#ids.prefixed('sim_', 32)
      if (keyRow(this.#database).get({ key })) refuse('conflict', `The key ${key} exists already.`)
      const row: KeyRow = {
        key,
        workspace: workspace.tenantId,
        user,
        scopes: wanted.scopes ?? ['*'],
        interfaces: wanted.interfaces ?? ['*'],
        expiresAt: wanted.expiresAt ?? null,
        createdAt: workspace.now(),
      }
      insertKey(this.#database, row)
      return row
    })
  }

  /** In the order in which they were made. */
  of(workspace: Workspace): KeyRow[] {
    return this.#database.orm
      .select()
      .from(keys)
      .where(eq(keys.workspace, workspace.tenantId))
      .orderBy(sql`rowid`)
      .all()
  }

  /** False when there is no such key. */
  remove(key: string): boolean {
    this.#callers.delete(key)
    return this.#database.write(
      () => this.#database.orm.delete(keys).where(eq(keys.key, key)).run().changes > 0,
    )
  }

  /** Whose key this is; undefined when it is nobody's. */
  caller(key: string): Caller | undefined {
    const known = this.#callers.get(key)
    if (known) return known
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
    if (this.#callers.size >= REMEMBERED_CALLERS) this.forget()
    this.#callers.set(key, caller)
    return caller
  }

  /** Forgets who called. */
  forget(): void {
    this.#callers = new Map()
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
