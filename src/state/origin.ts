/**
 * What a workspace was made with, kept in the same tables under its number with a minus sign, and how it is put back.
 *
 * Most resets find most records as they were. So every record is first looked at: when none is missing and all stand in
 * their old order, then what was changed gets back the columns that differ, what was added is deleted, and the rest is
 * left alone. Else everything is deleted and copied, which costs the more the more indexes there are.
 */
import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'
import { counters, users } from './tables.ts'
import type { Workspace } from './workspaces.ts'

export type WorkspaceTable = SQLiteTable & { workspace: SQLiteColumn }

/** A record of the start beside the one that now stands in its place. */
type Compared = [
  /** Where it is kept. */
  origin: number,
  /** Where it stands now; null when it is missing. */
  place: number | null,
  /** A bit for each column in which they differ. */
  difference: number,
]

/** The statements of one table; `w` is the workspace's number. */
interface TableStatements {
  /** Copies the records to where they are kept. */
  readonly keep: Statement
  readonly empty: Statement
  /** Copies the records back from where they are kept. */
  readonly copyBack: Statement
  /** All records of the start, in their order. */
  readonly compare: Statement<{ w: number }, Compared>
  /** Where all records stand. */
  readonly places: Statement<{ w: number }, number>
  readonly deleteAt: Statement<[place: number]>
  /** Gives the record at a place the columns of its origin, those of which `difference` holds the bits. */
  restoreAt(difference: number): Statement<[origin: number, place: number]>
}

export class Origins {
  /** Parents before children. */
  readonly #tables: readonly WorkspaceTable[]
  readonly #prepared = new WeakMap<Database, Prepared>()

  constructor(tables: readonly WorkspaceTable[]) {
    this.#tables = tables
  }

  /** Remembers the records, users and counters as they are now. */
  keep({ database, number: w }: Workspace): void {
    const { tables, keepUsers, keepCounters } = this.#statements(database)
    for (const table of tables) table.keep.run({ w })
    keepUsers.run({ w })
    keepCounters.run({ w })
  }

  /** Puts them back. Users that have come since stay. Only inside a `write`. */
  restore(workspace: Workspace): void {
    const { database, number: w } = workspace
    const { tables, restoreUsers, emptyCounters, restoreCounters } = this.#statements(database)
    if (!restoredInPlace(workspace, tables)) copyAllBack(tables, w)
    restoreUsers.run({ w })
    emptyCounters.run({ w })
    restoreCounters.run({ w })
  }

  /** Deletes the records of a workspace, or with the number negated what was kept of them. Only inside a `write`. */
  empty(database: Database, w: number): void {
    for (const table of this.#statements(database).tables.toReversed()) table.empty.run({ w })
  }

  #statements(database: Database): Prepared {
    let prepared = this.#prepared.get(database)
    if (!prepared) this.#prepared.set(database, (prepared = prepare(database, this.#tables)))
    return prepared
  }
}

/** What has to be done in a table so that its records are again what they were. */
interface Repair {
  readonly table: TableStatements
  readonly changed: readonly {
    readonly origin: number
    readonly place: number
    readonly difference: number
  }[]
  readonly added: readonly number[]
}

/** null when a record is missing or stands before one that it stood behind. */
function repairOf(table: TableStatements, w: number): Repair | null {
  const changed: { origin: number; place: number; difference: number }[] = []
  const ofTheStart = new Set<number>()
  let before = 0
  for (const [origin, place, difference] of table.compare.all({ w })) {
    if (place === null || place < before) return null
    before = place
    ofTheStart.add(place)
    if (difference !== 0) changed.push({ origin, place, difference })
  }
  const added = table.places.all({ w }).filter((place) => !ofTheStart.has(place))
  return { table, changed, added }
}

/** False, and nothing changed, when the records have to be copied back, or a rule between them demands it. */
function restoredInPlace(workspace: Workspace, tables: readonly TableStatements[]): boolean {
  const repairs: Repair[] = []
  for (const table of tables) {
    const repair = repairOf(table, workspace.number)
    if (repair === null) return false
    repairs.push(repair)
  }
  try {
    workspace.write(() => {
      // First of all, for what is deleted takes with it what refers to it.
      for (const { table, changed } of repairs) {
        for (const { origin, place, difference } of changed) table.restoreAt(difference).run(origin, place)
      }
      for (const { table, added } of repairs.toReversed())
        for (const place of added) table.deleteAt.run(place)
    })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('SQLITE_CONSTRAINT')) return false
    throw error
  }
}

function copyAllBack(tables: readonly TableStatements[], w: number): void {
  for (const table of tables.toReversed()) table.empty.run({ w })
  for (const table of tables) table.copyBack.run({ w })
}

interface Prepared {
  readonly tables: readonly TableStatements[]
  readonly keepUsers: Statement
  readonly restoreUsers: Statement
  readonly keepCounters: Statement
  readonly emptyCounters: Statement
  readonly restoreCounters: Statement
}

function prepare(database: Database, tables: readonly WorkspaceTable[]): Prepared {
  const { sqlite } = database
  const ofUsers = shapeOf(database, users)
  const ofCounters = shapeOf(database, counters)
  return {
    tables: tables.map((table) => statementsOf(database, shapeOf(database, table))),
    keepUsers: sqlite.prepare(copying(ofUsers, '-:w', ':w')),
    restoreUsers: sqlite.prepare(`${copying(ofUsers, ':w', '-:w')} ${writingOver(ofUsers)}`),
    keepCounters: sqlite.prepare(copying(ofCounters, '-:w', ':w')),
    emptyCounters: sqlite.prepare(`DELETE FROM ${ofCounters.name} WHERE "workspace" = :w`),
    restoreCounters: sqlite.prepare(copying(ofCounters, ':w', '-:w')),
  }
}

/** A table in the words of SQL; all columns but the workspace, which stands beside the others in each key. */
interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

function shapeOf({ sqlite }: Database, table: WorkspaceTable): TableShape {
  const name = getTableName(table)
  const known = new Set(Object.values(getTableColumns(table)).map((column) => column.name))
  const columns = (sqlite.pragma(`table_info("${name}")`) as { name: string; pk: number }[]).filter(
    (column) => column.name !== 'workspace' && known.has(column.name),
  )
  return {
    name: `"${name}"`,
    columns: columns.map((column) => `"${column.name}"`),
    key: columns.filter(({ pk }) => pk > 0).map((column) => `"${column.name}"`),
  }
}

function statementsOf({ sqlite }: Database, shape: TableShape): TableStatements {
  const { name, columns, key } = shape
  const twin = key.map((column) => `AND t.${column} = o.${column}`).join(' ')
  const others = columns.filter((column) => !key.includes(column))
  const difference = others.map(
    (column, index) => `(t.${column} IS NOT o.${column}) * ${String(bitOf(index))}`,
  )
  return {
    keep: sqlite.prepare(copying(shape, '-:w', ':w')),
    empty: sqlite.prepare(`DELETE FROM ${name} WHERE "workspace" = :w`),
    copyBack: sqlite.prepare(copying(shape, ':w', '-:w')),
    compare: sqlite
      .prepare<{ w: number }, Compared>(
        `SELECT o.rowid, t.rowid, ${others.length === 0 ? '0' : ifAny(others, difference.join(' | '))}
         FROM ${name} o LEFT JOIN ${name} t ON t."workspace" = :w ${twin}
         WHERE o."workspace" = -:w ORDER BY o.rowid`,
      )
      .raw(),
    places: sqlite.prepare<{ w: number }, number>(`SELECT rowid FROM ${name} WHERE "workspace" = :w`).pluck(),
    deleteAt: sqlite.prepare(`DELETE FROM ${name} WHERE rowid = ?`),
    restoreAt: restoring(sqlite, name, others),
  }
}

/** Most records differ in nothing, and that is told faster of all columns at once. */
const ifAny = (columns: readonly string[], difference: string): string => {
  const of = (side: string): string => columns.map((column) => `${side}.${column}`).join(', ')
  return `CASE WHEN (${of('t')}) IS (${of('o')}) THEN 0 ELSE ${difference} END`
}

/** As many as an integer of JavaScript holds; in a table with more columns some share a bit. */
const BITS = 52

const bitOf = (column: number): number => 2 ** (column % BITS)

/** Statements that are kept for a table; a column that is not named costs less, but so many combinations are enough. */
const MOST_COMBINATIONS = 50

/** Naming only the columns that differ leaves alone the indexes of the others. */
function restoring(sqlite: Database['sqlite'], name: string, columns: readonly string[]) {
  const prepared = new Map<number, Statement<[origin: number, place: number]>>()
  const all = 2 ** Math.min(columns.length, BITS) - 1
  return (difference: number): Statement<[origin: number, place: number]> => {
    const wanted = prepared.has(difference) || prepared.size < MOST_COMBINATIONS ? difference : all
    let found = prepared.get(wanted)
    if (!found) {
      const named = columns.filter((_column, index) => Math.floor(wanted / bitOf(index)) % 2 === 1).join(', ')
      found = sqlite.prepare(
        `UPDATE ${name} SET (${named}) = (SELECT ${named} FROM ${name} WHERE rowid = ?) WHERE rowid = ?`,
      )
      prepared.set(wanted, found)
    }
    return found
  }
}

const copying = ({ name, columns }: TableShape, to: string, from: string): string =>
  `INSERT INTO ${name} ("workspace", ${columns.join(', ')})
   SELECT ${to}, ${columns.join(', ')} FROM ${name} WHERE "workspace" = ${from} ORDER BY rowid`

/** Writing over a row leaves it where it stands among the others. */
function writingOver({ columns, key }: TableShape): string {
  const others = columns.filter((column) => !key.includes(column))
  const then =
    others.length === 0
      ? 'NOTHING'
      : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`
  return `ON CONFLICT ("workspace", ${key.join(', ')}) DO ${then}`
}
