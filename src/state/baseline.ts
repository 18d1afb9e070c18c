/**
 * What a workspace was made with, kept in the same tables under a number of its own, and how it is put back.
 *
 * Most resets find most tables as they were. A table that nobody has written to since the last one is not looked at. One
 * whose records have revisions is as it was when it has as many of them and none that is later (docs/decisions/0002); others
 * are compared. Of those that have changed all is deleted that is not what it was, of those that refer to them everything,
 * and what is missing then is copied from where it is kept.
 *
 * Records are kept in the order and at the distances at which they stand. So one that is put back stands where it stood,
 * and the cursors that callers hold go on leading there.
 */
import type { Statement } from 'better-sqlite3'
import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'
import { counters, users } from './tables.ts'
import type { Table } from './versions.ts'
import type { Workspace } from './workspace.ts'

export type WorkspaceTable = SQLiteTable & { workspace: SQLiteColumn }

/** The statements of one table; `w` is what the records of the workspace stand under, `b` what is kept. */
interface TableStatements {
  readonly name: string
  /** Tells by its version whether anybody has written to it. */
  readonly watched: Table
  /** The tables that its records refer to. */
  readonly parents: readonly string[]
  readonly keep: Statement
  readonly empty: Statement
  /** 1 when the records are not those of the baseline, or stand in another order. */
  readonly differs: Statement<Sides, number>
  /** How far the first record stands from where the first one is kept; null where one of the two is missing. */
  readonly apart: Statement<Sides, number | null>
  /** 1 when records of others stand that far from where these are kept. */
  readonly isTaken: Statement<Places, number>
  /** Deletes what is not the same as what is kept that far away. */
  readonly deleteChanged: Statement<Places>
  /** Copies what nothing stands for that far from where it is kept. */
  readonly copyMissing: Statement<Places>
}

interface Sides {
  readonly w: number
  readonly b: number
}

/** For null nothing stands where it should, and all copies are put behind all others. */
interface Places extends Sides {
  readonly apart: number | null
}

/** The versions that all tables had when the records were put back. */
interface Restored extends Sides {
  readonly versions: readonly number[]
}

export class Baseline {
  readonly #prepare: (database: Database) => Prepared
  /** Apart, for a start needs these alone. */
  readonly #prepareOthers = prepareOthers
  readonly #restored = new WeakMap<Workspace, Restored>()

  /** `tables` are those of the records, parents before children. */
  constructor(tables: readonly WorkspaceTable[]) {
    this.#prepare = (database) => prepare(database, tables)
  }

  /** Remembers the records, users and counters as they are now. */
  keep(workspace: Workspace): void {
    const { database, rowScope: w, baselineScope: b } = workspace
    const { tables, hold } = database.own(this.#prepare)
    const held = hold.get({ w }) ?? []
    tables.forEach((table, index) => {
      if (held[index] === 1) table.keep.run({ w, b })
    })
    this.keepOthers(workspace)
  }

  /** The same for users and counters alone. */
  keepOthers({ database, tenantId }: Workspace): void {
    const { keepUsers, keepCounters } = database.own(this.#prepareOthers)
    keepUsers.run({ w: tenantId, b: -tenantId })
    keepCounters.run({ w: tenantId, b: -tenantId })
  }

  /** Puts them back. Users that have come since stay. Only inside a `write`. */
  restore(workspace: Workspace): void {
    const { database, rowScope: w, baselineScope: b } = workspace
    const sides = { w, b }
    const { tables } = database.own(this.#prepare)
    const last = this.#restored.get(workspace)
    const changed = changedOf(tables, sides, last?.w === w && last.b === b ? last.versions : [])
    for (const { table, places, refers } of changed.toReversed()) {
      if (refers) table.empty.run({ w })
      else table.deleteChanged.run(places)
    }
    for (const { table, places } of changed) table.copyMissing.run(places)
    // Where this write is undone all tables get new versions.
    this.#restored.set(workspace, { ...sides, versions: tables.map(({ watched }) => watched.version) })
    this.restoreOthers(workspace)
  }

  /** The same for users and counters alone. */
  restoreOthers({ database, tenantId }: Workspace): void {
    const { restoreUsers, emptyCounters, restoreCounters } = database.own(this.#prepareOthers)
    const sides = { w: tenantId, b: -tenantId }
    restoreUsers.run(sides)
    emptyCounters.run({ w: tenantId })
    restoreCounters.run(sides)
  }

  /** Deletes what stands under a number. Only inside a `write`. */
  empty(database: Database, w: number): void {
    for (const table of database.own(this.#prepare).tables.toReversed()) table.empty.run({ w })
  }
}

interface Changed {
  readonly table: TableStatements
  readonly places: Places
  /** Whether its records refer to some that may have to be deleted. */
  readonly refers: boolean
}

/** The tables that have changed, and those that refer to them; not those whose versions are still what they were. */
function changedOf(
  tables: readonly TableStatements[],
  sides: Sides,
  versions: readonly number[],
): readonly Changed[] {
  const changed: Changed[] = []
  tables.forEach((table, index) => {
    const refers = changed.some(({ table: { name } }) => table.parents.includes(name))
    const isAsItWas = (): boolean =>
      table.watched.version === versions[index] || table.differs.get(sides) !== 1
    if (!refers && isAsItWas()) return
    changed.push({
      table,
      places: placesOf(table, sides),
      refers: refers || table.parents.includes(table.name),
    })
  })
  return changed
}

function placesOf({ apart, isTaken }: TableStatements, sides: Sides): Places {
  const places = { ...sides, apart: apart.get(sides) ?? null }
  return isTaken.get(places) === 1 ? { ...sides, apart: null } : places
}

interface Prepared {
  readonly tables: readonly TableStatements[]
  /** For each table whether the workspace has records in it: 1 or 0. */
  readonly hold: Statement<{ w: number }, number[]>
}

/** The statements for users and counters. */
interface PreparedOthers {
  readonly keepUsers: Statement
  readonly restoreUsers: Statement
  readonly keepCounters: Statement
  readonly emptyCounters: Statement
  readonly restoreCounters: Statement
}

function prepare(database: Database, tables: readonly WorkspaceTable[]): Prepared {
  const { sqlite } = database
  const shapes = tables.map((table) => shapeOf(database, table))
  const holding = shapes.map(({ name }) => `EXISTS (SELECT 1 FROM ${name} WHERE "workspace" = :w)`)
  return {
    tables: shapes.map((shape) => statementsOf(database, shape)),
    hold: sqlite.prepare<{ w: number }, number[]>(`SELECT ${holding.join(', ')}`).raw(),
  }
}

function prepareOthers(database: Database): PreparedOthers {
  const { sqlite } = database
  const ofUsers = shapeOf(database, users)
  const ofCounters = shapeOf(database, counters)
  return {
    keepUsers: sqlite.prepare(copying(ofUsers, ':b', ':w')),
    // Writing over a row leaves it where it stands among the others.
    restoreUsers: sqlite.prepare(`${copying(ofUsers, ':w', ':b')} ON CONFLICT ("workspace", "id")
      DO UPDATE SET ${ofUsers.columns.map((column) => `${column} = excluded.${column}`).join(', ')}`),
    keepCounters: sqlite.prepare(copying(ofCounters, ':b', ':w')),
    emptyCounters: sqlite.prepare(`DELETE FROM ${ofCounters.name} WHERE "workspace" = :w`),
    restoreCounters: sqlite.prepare(copying(ofCounters, ':w', ':b')),
  }
}

/** A table in the words of SQL, with all columns but the workspace. */
interface TableShape {
  readonly name: string
  readonly parents: readonly string[]
  readonly columns: readonly string[]
}

function shapeOf({ sqlite }: Database, table: WorkspaceTable): TableShape {
  const name = `"${getTableName(table)}"`
  const columns = sqlite.pragma(`table_info(${name})`) as { name: string }[]
  const references = sqlite.pragma(`foreign_key_list(${name})`) as { table: string }[]
  return {
    name,
    parents: references.map((reference) => `"${reference.table}"`),
    columns: columns.map((column) => `"${column.name}"`).filter((column) => column !== '"workspace"'),
  }
}

function statementsOf({ sqlite, versions }: Database, shape: TableShape): TableStatements {
  const { name, parents, columns } = shape
  const hasRevision = columns.includes('"revision"')
  const of = (what: string, w: string): string => `(SELECT ${what} FROM ${name} WHERE "workspace" = ${w})`
  const placed = (w: string): string =>
    `SELECT row_number() OVER (ORDER BY rowid), ${columns.join(', ')} FROM ${name} WHERE "workspace" = ${w}`
  const differs = hasRevision
    ? `${of('count(*), max("revision")', ':w')} IS NOT ${of('count(*), max("revision")', ':b')}`
    : `${of('count(*)', ':w')} <> ${of('count(*)', ':b')} OR EXISTS (${placed(':w')} EXCEPT ${placed(':b')})`
  const kept = (end: string): string => `${of(`${end}(rowid)`, ':b')} + :apart`
  const all = (side: string): string => columns.map((column) => `${side}.${column}`).join(', ')
  // The plus signs keep SQLite from walking through the workspace instead of going to the place.
  const isSame = hasRevision ? '+kept."revision" = t."revision"' : `(${all('kept')}) IS (${all('t')})`
  return {
    name,
    watched: versions.table(name.slice(1, -1)),
    parents,
    keep: sqlite.prepare(copying(shape, ':b', ':w')),
    empty: sqlite.prepare(`DELETE FROM ${name} WHERE "workspace" = :w`),
    differs: sqlite.prepare<Sides, number>(`SELECT ${differs}`).pluck(),
    apart: sqlite
      .prepare<Sides, number | null>(`SELECT ${of('min(rowid)', ':w')} - ${of('min(rowid)', ':b')}`)
      .pluck(),
    isTaken: sqlite
      .prepare<Places, number>(
        `SELECT EXISTS (SELECT 1 FROM ${name} WHERE rowid BETWEEN ${kept('min')} AND ${kept('max')} AND +"workspace" <> :w)`,
      )
      .pluck(),
    deleteChanged: sqlite.prepare(
      `DELETE FROM ${name} AS t WHERE "workspace" = :w AND NOT EXISTS (SELECT 1 FROM ${name} kept
         WHERE kept.rowid = t.rowid - :apart AND +kept."workspace" = :b AND ${isSame})`,
    ),
    copyMissing: sqlite.prepare(
      copying(shape, ':w', ':b', {
        place: 'rowid + :apart',
        where: `NOT EXISTS (SELECT 1 FROM ${name} t WHERE t.rowid = ${name}.rowid + :apart)`,
      }),
    ),
  }
}

/** Without a place the copies are put behind all others. */
const copying = (
  { name, columns }: TableShape,
  to: string,
  from: string,
  { place = 'NULL', where = 'true' } = {},
): string =>
  `INSERT INTO ${name} (rowid, "workspace", ${columns.join(', ')})
   SELECT ${place}, ${to}, ${columns.join(', ')} FROM ${name} WHERE "workspace" = ${from} AND ${where} ORDER BY rowid`
