/**
 * Indexes that are created on first use, when a large workspace lists records in an order or with a filter that needs
 * one. Each index slows down every write to its table (six cost more than the rest of an insert), and most workspaces
 * are small.
 */
import { getTableName, type SQL } from 'drizzle-orm'
import { SQLiteSyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement, type Database, type ScopedDatabase } from '../database/database.ts'

/** The columns after the workspace, by the sort or filter that needs the index. */
export type WantedIndexes = Readonly<Record<string, readonly SQLiteColumn[]>>

/** The number of rows from which a workspace gets indexes. */
export const ROWS_WITHOUT_INDEX = 1000

/** Creates those of the named indexes that are needed and do not exist yet; inside a `write`, after its commit. */
export type Indexer = (workspace: ScopedDatabase, names: readonly string[]) => void

/** Prepares the indexes of a table. `where` is true for every row of the list. */
export function indexer(table: SQLiteTable, where: SQL | undefined, columnsByName: WantedIndexes): Indexer {
  const missingIndexes = statement(() => new Map(Object.entries(columnsByName)))
  const isLarge = largeWorkspaces(table)
  return (workspace, names) => {
    const { database } = workspace
    const missingHere = missingIndexes(database)
    for (const name of names) {
      const columns = missingHere.get(name)
      if (!columns || !isLarge(workspace)) continue
      const create = (): void => {
        createIndex(database, definitionOf(table, columns, where))
        missingHere.delete(name)
      }
      if (database.isBetweenWrites) create()
      else
        database.whenCommitted((error) => {
          if (!error) create()
        })
    }
  }
}

/** Returns the SQL of an index. Its name has its columns, so that two filters of one column share it. */
function definitionOf(table: SQLiteTable, columns: readonly SQLiteColumn[], where: SQL | undefined): string {
  const of = getTableName(table)
  const names = columns.map(({ name }) => name)
  const keys = ['workspace', ...names].map((name) => `"${name}"`).join(', ')
  const rows = where ? ` WHERE ${new SQLiteSyncDialect().sqlToQuery(where).sql}` : ''
  return `CREATE INDEX IF NOT EXISTS "${of}_by_${names.join('_')}" ON "${of}" (${keys})${rows}`
}

/** Creates an index and returns true. Returns false if the disk is full or fails; the list then works without it. */
export function createIndex({ sqlite }: Database, definition: string): boolean {
  try {
    sqlite.exec(definition)
    return true
  } catch (error) {
    if (!isDiskError(error)) throw error
    return false
  }
}

const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(?:FULL|IOERR)/.test(String(error.code))

/**
 * Returns a function that checks whether a workspace has many rows. It counts rarely: each new row takes a revision,
 * so the limit can't be reached before as many revisions were used.
 */
export function largeWorkspaces(table: SQLiteTable): (workspace: ScopedDatabase) => boolean {
  const nextCheckAt = new WeakMap<ScopedDatabase, number>()
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
    if (revision < (nextCheckAt.get(workspace) ?? 0)) return false
    const rows = countRows(database).get(rowScope, ROWS_WITHOUT_INDEX) ?? 0
    nextCheckAt.set(workspace, revision + ROWS_WITHOUT_INDEX - rows)
    return rows >= ROWS_WITHOUT_INDEX
  }
}
