/**
 * Row scopes, and moves of many records in slices. To replace the records of a workspace, the new ones are written to
 * another scope; then one small write switches to it. Scopes without an owner are recorded as discarded and deleted
 * in the background, also after a crash.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { WorkspaceTable } from './baseline.ts'
import type { Database } from '../database/database.ts'
import { FreePages } from '../database/freePages.ts'
import { Pace, rowidRanges, type Bounds, type RowidRange } from '../database/pace.ts'
import { discardAll, hashesInScope } from '../../files/fileCleanup.ts'
import { SLICE_MS, Slices } from '../../model/slices.ts'

/** The statements of one table. */
interface TableStatements {
  /** Checks whether a scope has no rows. */
  readonly isEmpty: (scope: number) => boolean
  readonly bounds: (scope: number) => Bounds
  /** Counts the rows of a scope, up to `max`. */
  readonly count: (scope: number, max: number) => number
  /** Copies a rowid range of one scope to the end of another. */
  readonly copy: (from: number, to: number, places: RowidRange) => void
  /** Deletes up to `limit` rows of a scope. Returns how many. */
  readonly remove: (scope: number, limit: number) => number
}

export class Scopes {
  readonly #database: Database
  /** Parents before children. */
  readonly #tables: readonly TableStatements[]
  /** 1 if a scope has more than `rows` rows in all tables. */
  readonly #hasMoreRows: Statement<{ scope: number; rows: number }, number>
  readonly #byTable: ReadonlyMap<WorkspaceTable, TableStatements>
  readonly #freePages: FreePages
  readonly #filling = new Set<number>()
  /** The scopes that are being read in slices, each once for each reader. */
  readonly #reading: number[] = []
  #isRunning = false
  #sweeping: Promise<void> | null = null
  /** Ends the current pause of the deletion. */
  #stopping = new AbortController()

  /** `tables` are the tables with rows of workspaces, parents before children. */
  constructor(database: Database, tables: readonly WorkspaceTable[]) {
    this.#database = database
    this.#freePages = new FreePages(database)
    this.#byTable = new Map(tables.map((table) => [table, statementsOf(database, table)]))
    this.#tables = [...this.#byTable.values()]
    const from = tables.map((table) => `FROM "${getTableName(table)}" WHERE "workspace" = :scope`)
    const someHolds = from.map((each) => `EXISTS (SELECT 1 ${each} LIMIT 1 OFFSET :rows)`).join(' OR ')
    const count = from.map((each) => `(SELECT count(*) ${each})`).join(' + ')
    // Counting is fastest, and happens only if no single table has too many rows.
    this.#hasMoreRows = database.sqlite
      .prepare<{ scope: number; rows: number }, number>(`SELECT ${someHolds} OR ${count} > :rows`)
      .pluck()
  }

  /** Returns a new scope, recorded as discarded until it is kept. After `close`, it is deleted unless it was kept. */
  open(): number {
    const scope = this.#database.nextRevision()
    this.#database.write(() => {
      this.discard(scope)
    })
    this.#filling.add(scope)
    return scope
  }

  /** Records that a scope has an owner. Only inside a `write`. */
  keep(scope: number): void {
    this.#database.sqlite.prepare('DELETE FROM discarded_scopes WHERE scope = ?').run(scope)
  }

  /** Records that a scope has no owner. Only inside a `write`; call `sweep` afterwards. */
  discard(scope: number): void {
    this.#database.sqlite.prepare('INSERT OR IGNORE INTO discarded_scopes VALUES (?)').run(scope)
  }

  isDiscarded(scope: number): boolean {
    const found = this.#database.sqlite.prepare('SELECT 1 FROM discarded_scopes WHERE scope = ?').get(scope)
    return found !== undefined
  }

  /** Keeps the rows of a scope until `close`, even while it has no owner. */
  hold(scope: number): void {
    this.#filling.add(scope)
  }

  /** Ends the filling or the hold of a scope: it has an owner, or it is deleted. */
  close(scope: number): void {
    this.#filling.delete(scope)
    this.sweep()
  }

  /** Checks whether a scope has more than `rows` rows. */
  holdsMoreThan(rows: number, scope: number): boolean {
    return this.#hasMoreRows.get({ scope, rows }) === 1
  }

  /** Returns the first and the last rowid of a scope in a table. */
  boundsOf(table: WorkspaceTable, scope: number): Bounds {
    return this.#byTable.get(table)?.bounds(scope) ?? { first: null, last: null }
  }

  /** Counts the rows of a scope in these tables, up to `max`. */
  countUpTo(tables: readonly WorkspaceTable[], scope: number, max: number): number {
    let count = 0
    for (const table of tables) {
      if (count >= max) break
      count += this.#byTable.get(table)?.count(scope, max - count) ?? 0
    }
    return count
  }

  /** Keeps the rows of a scope until the work ends, even if the scope is discarded before. */
  async whileReading<T>(scope: number, work: () => Promise<T>): Promise<T> {
    this.#reading.push(scope)
    try {
      return await work()
    } finally {
      this.#reading.splice(this.#reading.indexOf(scope), 1)
      this.sweep()
    }
  }

  /** Copies all rows of one scope to another, in slices. */
  copy(from: number, to: number, tables = this.#tables): Promise<void> {
    return this.whileReading(from, async () => {
      const slices = new Slices()
      for (const table of tables) {
        const pace = new Pace()
        for (const places of rowidRanges(table.bounds(from), pace)) {
          pace.measure(() => {
            this.#database.write(() => {
              table.copy(from, to, places)
            })
          })
          if (slices.isOver) await slices.turn()
        }
      }
    })
  }

  /** Copies the rows of these tables. If they fit into one slice, the copy is complete when the call returns. */
  copyOf(tables: readonly WorkspaceTable[], from: number, to: number): Promise<void> {
    return this.copy(
      from,
      to,
      tables.flatMap((table) => this.#byTable.get(table) ?? []),
    )
  }

  /** Starts the deletion of discarded scopes. */
  start(): void {
    this.#isRunning = true
    this.#stopping = new AbortController()
    this.sweep()
  }

  /** Stops the deletion and resolves when it has paused. The next start continues it. */
  async stop(): Promise<void> {
    this.#isRunning = false
    // Nothing else may keep the process alive until the pause is over.
    this.#stopping.abort()
    await this.#sweeping
  }

  /** Deletes discarded scopes and makes the file smaller, unless this is already running. */
  sweep(): void {
    if (!this.#isRunning || this.#sweeping) return
    // A failure, such as a full disk, is retried the next time.
    this.#sweeping = this.#sweepAll()
      .catch(() => undefined)
      .then(() => {
        this.#sweeping = null
      })
  }

  async #sweepAll(): Promise<void> {
    const slices = new Slices()
    do {
      if (!(await this.#sweepScopes(slices))) return
    } while (await this.#releasePages(slices))
  }

  /** Deletes the rows of all discarded scopes. Returns false if it was stopped before the end. */
  async #sweepScopes(slices: Slices): Promise<boolean> {
    for (let scope = this.#nextToSweep(); scope !== undefined; scope = this.#nextToSweep()) {
      const hashes = hashesInScope(this.#database, scope)
      for (const table of this.#tables.toReversed()) {
        if (!(await this.#empty(table, scope, slices))) return false
      }
      const emptied = scope
      this.#database.write(() => {
        this.keep(emptied)
      })
      await this.#database.committed()
      await discardAll(this.#database, hashes)
    }
    return this.#isRunning
  }

  /** Makes the file smaller by one step. Returns false if nothing is left to do. */
  async #releasePages(slices: Slices): Promise<boolean> {
    if (!this.#freePages.release()) return false
    await this.#pause(slices)
    return true
  }

  /** Lets other work run, because background work uses at most half of the time. */
  async #pause(slices: Slices): Promise<void> {
    const { signal } = this.#stopping
    await pause(SLICE_MS, undefined, { ref: false, signal }).catch(() => undefined)
    await slices.turn()
  }

  /** True if no rows are left that a sweep would delete. */
  get isSwept(): boolean {
    return this.#nextDiscarded() === undefined
  }

  #nextToSweep(): number | undefined {
    return this.#isRunning ? this.#nextDiscarded() : undefined
  }

  #nextDiscarded(): number | undefined {
    const scopes = this.#database.sqlite
      .prepare('SELECT scope FROM discarded_scopes ORDER BY scope')
      .all() as { readonly scope: number }[]
    return scopes.find(({ scope }) => !this.#filling.has(scope) && !this.#reading.includes(scope))?.scope
  }

  /** Returns false if it was stopped before the end. */
  async #empty(table: TableStatements, scope: number, slices: Slices): Promise<boolean> {
    const pace = new Pace()
    while (this.#isRunning) {
      if (table.isEmpty(scope)) return true
      pace.measure((rows) => this.#database.write(() => table.remove(scope, rows)))
      if (slices.isOver) await this.#pause(slices)
    }
    return false
  }
}

/** Prepares each statement on first use, because most are never used. */
function statementsOf({ sqlite }: Database, table: WorkspaceTable): TableStatements {
  const name = `"${getTableName(table)}"`
  const columns = Object.values(getTableColumns(table as SQLiteTable))
    .filter((column) => column.name !== 'workspace')
    .map((column) => `"${column.name}"`)
    .join(', ')
  const isEmpty = once(() =>
    sqlite
      .prepare<[number], number>(`SELECT NOT EXISTS (SELECT 1 FROM ${name} WHERE "workspace" = ?)`)
      .pluck(),
  )
  const bounds = once(() =>
    sqlite.prepare<[number], Bounds>(
      `SELECT min(rowid) AS first, max(rowid) AS last FROM ${name} WHERE "workspace" = ?`,
    ),
  )
  const count = once(() =>
    sqlite
      .prepare<[number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM ${name} WHERE "workspace" = ? LIMIT (? + 0))`,
      )
      .pluck(),
  )
  // The plus sign makes SQLite use the rowid instead of the index of the workspace.
  const copy = once(() =>
    sqlite.prepare(
      `INSERT INTO ${name} ("workspace", ${columns}) SELECT ?, ${columns} FROM ${name}
       WHERE rowid > ? AND rowid <= ? AND +"workspace" = ? ORDER BY rowid`,
    ),
  )
  const remove = once(() =>
    sqlite.prepare(
      `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE "workspace" = ? LIMIT (? + 0))`,
    ),
  )
  return {
    isEmpty: (scope) => isEmpty().get(scope) === 1,
    bounds: (scope) => bounds().get(scope) ?? { first: null, last: null },
    count: (scope, max) => count().get(scope, max) ?? 0,
    copy: (from, to, { after, upTo }) => void copy().run(to, after, upTo, from),
    remove: (scope, limit) => remove().run(scope, limit).changes,
  }
}

function once<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}
