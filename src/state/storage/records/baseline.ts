/**
 * The baseline of a workspace: its first records, in the same tables under the baseline scope, and their restoration.
 *
 * A reset compares each table by revision, or row by row if it has none, deletes rows that differ, and copies missing
 * rows at their old distances, so that cursors stay valid.
 */
import type { Statement } from 'better-sqlite3'
import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../database/database.ts'
import { counters, users } from '../tables.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type WorkspaceTable = SQLiteTable & { workspace: SQLiteColumn }

/** The statements of one table. `w` is the row scope of the workspace, `b` its baseline scope. */
interface TableStatements {
  readonly name: string
  /** The tables that its foreign keys refer to. */
  readonly parents: readonly string[]
  readonly empty: Statement
  /** 1 if the records or their order differ from the baseline. */
  readonly differs: Statement<Sides, number>
  /** The rowid distance from the first baseline record to the first record; null if one of the two is missing. */
  readonly apart: Statement<Sides, number | null>
  /** 1 if other workspaces have rows at that distance from the baseline rows. */
  readonly isTaken: Statement<Places, number>
  /** Deletes rows that differ from the baseline row at that distance. */
  readonly deleteChanged: Statement<Places>
  /** Copies baseline rows that have no row at that distance. */
  readonly copyMissing: Statement<Places>
}

interface Sides {
  readonly w: number
  readonly b: number
}

/** If `apart` is null, no row is at its old position, and copies are added at the end. */
interface Places extends Sides {
  readonly apart: number | null
}

export class Baseline {
  readonly #prepare: (database: Database) => readonly TableStatements[]
  /** Separate, because a start needs only these. */
  readonly #prepareOthers = prepareOthers

  /** `tables` are the record tables, parents before children. */
  constructor(tables: readonly WorkspaceTable[]) {
    this.#prepare = (database) => prepare(database, tables)
  }

  /** Saves the current users and counters as their baseline. */
  keepOthers({ database, tenantId }: Workspace): void {
    const { keepUsers, keepCounters } = database.own(this.#prepareOthers)
    keepUsers.run({ w: tenantId, b: -tenantId })
    keepCounters.run({ w: tenantId, b: -tenantId })
  }

  /** Restores the baseline. Users added since then stay. Only inside a `write`. */
  restore(workspace: Workspace): void {
    const { database, rowScope: w, baselineScope: b } = workspace
    const sides = { w, b }
    const tables = database.own(this.#prepare)
    const changed = changedOf(tables, sides)
    for (const { table, places, refers } of changed.toReversed()) {
      if (refers) table.empty.run({ w })
      else table.deleteChanged.run(places)
    }
    for (const { table, places } of changed) table.copyMissing.run(places)
    database.deletions++
    this.restoreOthers(workspace)
  }

  /** Restores only users and counters. */
  restoreOthers({ database, tenantId }: Workspace): void {
    const { restoreUsers, emptyCounters, restoreCounters } = database.own(this.#prepareOthers)
    const sides = { w: tenantId, b: -tenantId }
    restoreUsers.run(sides)
    emptyCounters.run({ w: tenantId })
    restoreCounters.run(sides)
  }
}

interface Changed {
  readonly table: TableStatements
  readonly places: Places
  /** True if this table has foreign keys into a table that changed, or into itself. */
  readonly refers: boolean
}

/** Returns the tables that changed, and the tables that refer to them. */
function changedOf(tables: readonly TableStatements[], sides: Sides): readonly Changed[] {
  const changed: Changed[] = []
  for (const table of tables) {
    const refers = changed.some(({ table: { name } }) => table.parents.includes(name))
    if (!refers && table.differs.get(sides) !== 1) continue
    changed.push({
      table,
      places: placesOf(table, sides),
      refers: refers || table.parents.includes(table.name),
    })
  }
  return changed
}

function placesOf({ apart, isTaken }: TableStatements, sides: Sides): Places {
  const places = { ...sides, apart: apart.get(sides) ?? null }
  return isTaken.get(places) === 1 ? { ...sides, apart: null } : places
}

/** The statements for users and counters. */
interface PreparedOthers {
  readonly keepUsers: Statement
  readonly restoreUsers: Statement
  readonly keepCounters: Statement
  readonly emptyCounters: Statement
  readonly restoreCounters: Statement
}

const prepare = (database: Database, tables: readonly WorkspaceTable[]): readonly TableStatements[] =>
  tables.map((table) => statementsOf(database, shapeOf(database, table)))

function prepareOthers(database: Database): PreparedOthers {
  const { sqlite } = database
  const userShape = shapeOf(database, users)
  const counterShape = shapeOf(database, counters)
  return {
    keepUsers: sqlite.prepare(copying(userShape, ':b', ':w')),
    // An upsert leaves a row at its rowid.
    restoreUsers: sqlite.prepare(`${copying(userShape, ':w', ':b')} ON CONFLICT ("workspace", "id")
      DO UPDATE SET ${userShape.columns.map((column) => `${column} = excluded.${column}`).join(', ')}`),
    keepCounters: sqlite.prepare(copying(counterShape, ':b', ':w')),
    emptyCounters: sqlite.prepare(`DELETE FROM ${counterShape.name} WHERE "workspace" = :w`),
    restoreCounters: sqlite.prepare(copying(counterShape, ':w', ':b')),
  }
}

/** A table as SQL names, with all columns except the workspace. */
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

function statementsOf({ sqlite }: Database, shape: TableShape): TableStatements {
  const { name, parents, columns } = shape
  const hasRevision = columns.includes('"revision"')
  const of = (what: string, w: string): string => `(SELECT ${what} FROM ${name} WHERE "workspace" = ${w})`
  const numberedRows = (w: string): string =>
    `SELECT row_number() OVER (ORDER BY rowid), ${columns.join(', ')} FROM ${name} WHERE "workspace" = ${w}`
  const differs = hasRevision
    ? `${of('count(*), max("revision")', ':w')} IS NOT ${of('count(*), max("revision")', ':b')}`
    : `${of('count(*)', ':w')} <> ${of('count(*)', ':b')} OR EXISTS (${numberedRows(':w')} EXCEPT ${numberedRows(':b')})`
  const shiftedRowid = (end: string): string => `${of(`${end}(rowid)`, ':b')} + :apart`
  const all = (side: string): string => columns.map((column) => `${side}.${column}`).join(', ')
  // The plus signs make SQLite use the rowid instead of the index of the workspace.
  const isSame = hasRevision ? '+kept."revision" = t."revision"' : `(${all('kept')}) IS (${all('t')})`
  return {
    name,
    parents,
    empty: sqlite.prepare(`DELETE FROM ${name} WHERE "workspace" = :w`),
    differs: sqlite.prepare<Sides, number>(`SELECT ${differs}`).pluck(),
    apart: sqlite
      .prepare<Sides, number | null>(`SELECT ${of('min(rowid)', ':w')} - ${of('min(rowid)', ':b')}`)
      .pluck(),
    isTaken: sqlite
      .prepare<Places, number>(
        `SELECT EXISTS (SELECT 1 FROM ${name} WHERE rowid BETWEEN ${shiftedRowid('min')} AND ${shiftedRowid('max')} AND +"workspace" <> :w)`,
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

/** SQL that copies rows between scopes. Without `place`, the copies are added at the end. */
const copying = (
  { name, columns }: TableShape,
  to: string,
  from: string,
  { place = 'NULL', where = 'true' } = {},
): string =>
  `INSERT INTO ${name} (rowid, "workspace", ${columns.join(', ')})
   SELECT ${place}, ${to}, ${columns.join(', ')} FROM ${name} WHERE "workspace" = ${from} AND ${where} ORDER BY rowid`
