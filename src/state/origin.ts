/**
 * What a workspace was made with, kept in the same tables under its number with a minus sign, and how it is put back.
 *
 * Most resets find most records as they were. So the tables are first looked at: when no record is missing, all stand
 * in their old order and few have changed, then what was added is deleted, what was changed is written over and the
 * rest is left alone. Else everything is deleted and copied, which costs the more the more indexes there are.
 */
import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'
import { counters, users } from './tables.ts'
import type { Workspace } from './workspaces.ts'

export type WorkspaceTable = SQLiteTable & { workspace: SQLiteColumn }

/** Up to this part of the records changed, writing them over costs less than copying everything. */
const FEW = 1 / 4

/** The statements of one table; `w` is the workspace's number. */
interface TableStatements {
  /** Copies the records to where they are kept. */
  readonly keep: Statement
  readonly empty: Statement
  /** Copies the records back from where they are kept. */
  readonly copyBack: Statement
  readonly countKept: Statement<{ w: number }, number>
  /** Finds a record of the start that is missing, or stands before one that it stood behind. */
  readonly findDisplaced: Statement
  readonly countChanged: Statement<{ w: number }, number>
  readonly deleteAdded: Statement
  readonly writeOverChanged: Statement
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

/** The tables in which records have changed; null when they have moved, or changed in great number. */
function fewChanges(tables: readonly TableStatements[], w: number): TableStatements[] | null {
  let kept = 0
  let changed = 0
  const touched: TableStatements[] = []
  for (const table of tables) {
    if (table.findDisplaced.get({ w }) !== undefined) return null
    const changes = table.countChanged.get({ w }) ?? 0
    if (changes > 0) touched.push(table)
    kept += table.countKept.get({ w }) ?? 0
    changed += changes
  }
  return changed <= kept * FEW ? touched : null
}

/** False, and nothing changed, when the records have to be copied back, or a rule between them demands it. */
function restoredInPlace(workspace: Workspace, tables: readonly TableStatements[]): boolean {
  const w = workspace.number
  const touched = fewChanges(tables, w)
  if (touched === null) return false
  try {
    workspace.write(() => {
      for (const table of tables.toReversed()) table.deleteAdded.run({ w })
      for (const table of touched) table.writeOverChanged.run({ w })
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
  const twin = key.map((column) => `AND o.${column} = t.${column}`).join(' ')
  const same = columns
    .filter((column) => !key.includes(column))
    .map((column) => `AND o.${column} IS t.${column}`)
    .join(' ')
  const changed = `FROM ${name} o WHERE "workspace" = -:w
    AND NOT EXISTS (SELECT 1 FROM ${name} t WHERE t."workspace" = :w ${twin} ${same})`
  const count = (sql: string) => sqlite.prepare<{ w: number }, number>(sql).pluck()
  return {
    keep: sqlite.prepare(copying(shape, '-:w', ':w')),
    empty: sqlite.prepare(`DELETE FROM ${name} WHERE "workspace" = :w`),
    copyBack: sqlite.prepare(copying(shape, ':w', '-:w')),
    countKept: count(`SELECT count(*) FROM ${name} WHERE "workspace" = -:w`),
    findDisplaced: sqlite.prepare(
      `SELECT 1 FROM (
         SELECT t.rowid AS here, lag(t.rowid) OVER (ORDER BY o.rowid) AS before
         FROM ${name} o LEFT JOIN ${name} t ON t."workspace" = :w ${twin}
         WHERE o."workspace" = -:w
       ) WHERE here IS NULL OR here < before LIMIT 1`,
    ),
    countChanged: count(`SELECT count(*) ${changed}`),
    deleteAdded: sqlite.prepare(
      `DELETE FROM ${name} AS t WHERE "workspace" = :w
       AND NOT EXISTS (SELECT 1 FROM ${name} o WHERE o."workspace" = -:w ${twin})`,
    ),
    writeOverChanged: sqlite.prepare(
      `INSERT INTO ${name} ("workspace", ${columns.join(', ')})
       SELECT :w, ${columns.join(', ')} ${changed} ORDER BY rowid ${writingOver(shape)}`,
    ),
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
