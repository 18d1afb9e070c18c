/**
 * Indexes that a list gets when it is first asked for, in a workspace large enough to need them, in an order or with a
 * filter that they serve.
 *
 * Each index takes part in every write to its table: six of them cost a create more than everything else that it
 * writes. Most workspaces are small, and most records are never asked for in most of the ways they could be.
 */
import { getTableName, type SQL } from 'drizzle-orm'
import { SQLiteSyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement, type Database } from './database.ts'
import type { Workspace } from './workspace.ts'

/** Columns after the workspace, by the name of the order or filter that they serve. */
export type WantedIndexes = Readonly<Record<string, readonly SQLiteColumn[]>>

/** Rows of a workspace that are walked through sooner than an index is made. */
export const ROWS_WITHOUT_INDEX = 1000

/** Makes, of the indexes with these names, those that are needed and not there yet. */
export type Indexer = (workspace: Workspace, names: readonly string[]) => void

/** `where` holds for every row that a list shows. */
export function indexer(table: SQLiteTable, where: SQL | undefined, wanted: WantedIndexes): Indexer {
  const missing = statement(() => new Map(Object.entries(wanted)))
  const isLarge = largeWorkspaces(table)
  return (workspace, names) => {
    const { database } = workspace
    const notThere = missing(database)
    for (const name of names) {
      const columns = notThere.get(name)
      if (!columns || !isLarge(workspace) || !database.isBetweenWrites) continue
      make(database, definitionOf(table, columns, where))
      notThere.delete(name)
    }
  }
}

/** Named after its columns, so that two filters of one column share it. */
function definitionOf(table: SQLiteTable, columns: readonly SQLiteColumn[], where: SQL | undefined): string {
  const of = getTableName(table)
  const names = columns.map(({ name }) => name)
  const keys = ['workspace', ...names].map((name) => `"${name}"`).join(', ')
  const rows = where ? ` WHERE ${new SQLiteSyncDialect().sqlToQuery(where).sql}` : ''
  return `CREATE INDEX IF NOT EXISTS "${of}_by_${names.join('_')}" ON "${of}" (${keys})${rows}`
}

/**
 * Where the disk has no room for an index, or fails, the list is slower, and right all the same. Answers whether it was
 * made.
 */
export function make({ sqlite }: Database, definition: string): boolean {
  try {
    sqlite.exec(definition)
    return true
  } catch (error) {
    if (!isOfTheDisk(error)) throw error
    return false
  }
}

const isOfTheDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(?:FULL|IOERR)/.test(String(error.code))

/**
 * Tells whether a workspace has so many rows. They are counted seldom: each row that is added takes a revision, so
 * there can't be enough of them before that many have been given out.
 */
export function largeWorkspaces(table: SQLiteTable): (workspace: Workspace) => boolean {
  const notBefore = new WeakMap<Workspace, number>()
  const countRows = statement((_orm, { sqlite }) =>
    sqlite
      .prepare<[number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM "${getTableName(table)}" WHERE "workspace" = ? LIMIT ?)`,
      )
      .pluck(),
  )
  return (workspace) => {
    const { database, rowScope } = workspace
    const revision = database.nextRevision()
    if (revision < (notBefore.get(workspace) ?? 0)) return false
    const rows = countRows(database).get(rowScope, ROWS_WITHOUT_INDEX) ?? 0
    notBefore.set(workspace, revision + ROWS_WITHOUT_INDEX - rows)
    return rows >= ROWS_WITHOUT_INDEX
  }
}
