/**
 * What records stand under, and moving many of them in slices. All records of a workspace stand under one number, its
 * scope. To put others in their place, those are written under another scope, slice by slice, where nobody sees them; then
 * the workspace gets that scope in one small write, and what stands under its old one is deleted bit by bit.
 *
 * A scope that is nobody's, because it is not filled yet or no more in use, is written down as discarded. So one that was
 * left by a crash is deleted as well, after the next start.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { WorkspaceTable } from './baseline.ts'
import { monotonicNow } from './clock.ts'
import type { Database } from './database.ts'
import { discardAll, hashesUnder } from './fileDiscarding.ts'
import { SLICE_MS, Slices } from './slices.ts'

/** The statements of one table. */
interface OfTable {
  /** Whether no rows stand under a scope. */
  readonly isEmpty: (scope: number) => boolean
  readonly bounds: (scope: number) => Bounds
  /** Copies what stands at these places under one scope, and puts it behind all else under another. */
  readonly copy: (from: number, to: number, places: Places) => void
  /** Deletes so many of the rows of a scope; answers with how many there were. */
  readonly remove: (scope: number, limit: number) => number
}

/** The first and the last place of rows; null where there are none. */
export interface Bounds {
  readonly first: number | null
  readonly last: number | null
}

/** Beyond `after`, up to `upTo`. */
export interface Places {
  readonly after: number
  readonly upTo: number
}

/** How many rows make a step of some ms: found out while it is done, for rows may be small or large. */
export class Pace {
  rows = 16

  /** Has told how long a step with so many rows took. */
  record(ms: number): void {
    if (ms < 4) this.rows = Math.min(this.rows * 2, 4096)
    else if (ms > 8) this.rows = Math.max(1, this.rows >> 1)
  }

  /** Runs a step and is told of it. */
  measure<T>(step: (rows: number) => T): T {
    const began = monotonicNow()
    const result = step(this.rows)
    this.record(monotonicNow() - began)
    return result
  }
}

/** The places from the first to the last, a step at a time. */
export function* placesWithin({ first, last }: Bounds, pace: Pace): Generator<Places, void> {
  if (first === null || last === null) return
  for (let after = first - 1; after < last;) {
    const upTo = Math.min(after + pace.rows, last)
    yield { after, upTo }
    after = upTo
  }
}

export class Scopes {
  readonly #database: Database
  /** Parents before children. */
  readonly #tables: readonly OfTable[]
  /** 1 where more than so many rows of all tables stand under a scope. */
  readonly #holdMore: Statement<{ scope: number; rows: number }, number>
  readonly #byTable: ReadonlyMap<WorkspaceTable, OfTable>
  readonly #filling = new Set<number>()
  #isOn = false
  #sweeping: Promise<void> | null = null

  /** `tables` are those whose rows belong to workspaces, parents before children. */
  constructor(database: Database, tables: readonly WorkspaceTable[]) {
    this.#database = database
    this.#byTable = new Map(tables.map((table) => [table, statementsOf(database, table)]))
    this.#tables = [...this.#byTable.values()]
    const from = tables.map((table) => `FROM "${getTableName(table)}" WHERE "workspace" = :scope`)
    const someHolds = from.map((each) => `EXISTS (SELECT 1 ${each} LIMIT 1 OFFSET :rows)`).join(' OR ')
    const count = from.map((each) => `(SELECT count(*) ${each})`).join(' + ')
    // To count all is fastest, and is done where no table alone holds too many of them.
    this.#holdMore = database.sqlite
      .prepare<{ scope: number; rows: number }, number>(`SELECT ${someHolds} OR ${count} > :rows`)
      .pluck()
  }

  /** A scope that was never used. Until it is kept nobody has it, and once it is no more filled it is deleted. */
  open(): number {
    const scope = this.#database.nextRevision()
    this.#database.write(() => {
      this.discard(scope)
    })
    this.#filling.add(scope)
    return scope
  }

  /** What stands there is somebody's. Only inside a `write`. */
  keep(scope: number): void {
    this.#database.sqlite.prepare('DELETE FROM discarded_scopes WHERE scope = ?').run(scope)
  }

  /** What stands there is nobody's any more. Only inside a `write`; `sweep` is to follow it. */
  discard(scope: number): void {
    this.#database.sqlite.prepare('INSERT OR IGNORE INTO discarded_scopes VALUES (?)').run(scope)
  }

  isDiscarded(scope: number): boolean {
    const found = this.#database.sqlite.prepare('SELECT 1 FROM discarded_scopes WHERE scope = ?').get(scope)
    return found !== undefined
  }

  /** It is filled no more: kept, or to be deleted. */
  close(scope: number): void {
    this.#filling.delete(scope)
    this.sweep()
  }

  /** Whether more than so many rows stand under a scope. */
  holdsMoreThan(rows: number, scope: number): boolean {
    return this.#holdMore.get({ scope, rows }) === 1
  }

  /** Whether no rows of a table stand under a scope. */
  isEmpty(table: WorkspaceTable, scope: number): boolean {
    return this.#byTable.get(table)?.isEmpty(scope) ?? true
  }

  /** Where the rows of a table stand that are under a scope. */
  boundsOf(table: WorkspaceTable, scope: number): Bounds {
    return this.#byTable.get(table)?.bounds(scope) ?? { first: null, last: null }
  }

  /** Copies all that stands under one scope to another, in slices. */
  async copy(from: number, to: number, tables = this.#tables): Promise<void> {
    const slices = new Slices()
    for (const table of tables) {
      const pace = new Pace()
      for (const places of placesWithin(table.bounds(from), pace)) {
        pace.measure(() => {
          this.#database.write(() => {
            table.copy(from, to, places)
          })
        })
        if (slices.isOver) await slices.turn()
      }
    }
  }

  /** The same for these tables alone; what goes into one slice is done when it returns. */
  copyOf(tables: readonly WorkspaceTable[], from: number, to: number): Promise<void> {
    return this.copy(
      from,
      to,
      tables.flatMap((table) => this.#byTable.get(table) ?? []),
    )
  }

  /** Begins to delete what is nobody's. */
  start(): void {
    this.#isOn = true
    this.sweep()
  }

  /** Resolves when nothing is deleted any more; the rest is, after the next start. */
  async stop(): Promise<void> {
    this.#isOn = false
    await this.#sweeping
  }

  /** Deletes what is nobody's, unless that is being done. */
  sweep(): void {
    if (!this.#isOn || this.#sweeping) return
    // What fails, for want of room on the disk, is tried again the next time.
    this.#sweeping = this.#sweepAll()
      .catch(() => undefined)
      .then(() => {
        this.#sweeping = null
      })
  }

  async #sweepAll(): Promise<void> {
    const slices = new Slices()
    for (let scope = this.#nextToSweep(); scope !== undefined; scope = this.#nextToSweep()) {
      const hashes = hashesUnder(this.#database, scope)
      for (const table of this.#tables.toReversed()) {
        if (!(await this.#empty(table, scope, slices))) return
      }
      const emptied = scope
      this.#database.write(() => {
        this.keep(emptied)
      })
      await this.#database.committed()
      await discardAll(this.#database, hashes)
    }
  }

  #nextToSweep(): number | undefined {
    if (!this.#isOn) return undefined
    const scopes = this.#database.sqlite
      .prepare('SELECT scope FROM discarded_scopes ORDER BY scope')
      .all() as { readonly scope: number }[]
    return scopes.find(({ scope }) => !this.#filling.has(scope))?.scope
  }

  /** False when it was stopped before the end. */
  async #empty(table: OfTable, scope: number, slices: Slices): Promise<boolean> {
    const pace = new Pace()
    while (this.#isOn) {
      if (table.isEmpty(scope)) return true
      pace.measure((rows) => this.#database.write(() => table.remove(scope, rows)))
      if (!slices.isOver) continue
      // It is nobody's business, and so takes half of the time at most.
      await pause(SLICE_MS, undefined, { ref: false })
      await slices.turn()
    }
    return false
  }
}

/** Each is prepared when it is first needed, for most of the many tables never are. */
function statementsOf({ sqlite }: Database, table: WorkspaceTable): OfTable {
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
  // The plus sign keeps SQLite from walking through the workspace instead of going to the places.
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
    copy: (from, to, { after, upTo }) => void copy().run(to, after, upTo, from),
    remove: (scope, limit) => remove().run(scope, limit).changes,
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
