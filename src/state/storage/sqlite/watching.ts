/**
 * Statements that report each run: the tables that they read or write, for caches (`versions.ts`), and the statement
 * itself if it writes, for replays (`replay.ts`). So readers and writers need not name dependencies.
 */
import type SQLite from 'better-sqlite3'
import type { Schema, Table, Versions } from './versions.ts'
import type { Replay } from './replay.ts'

/** The receivers of the reports of a connection. */
export interface StatementObservers {
  readonly versions: Versions
  readonly replay: Replay
}

const BEGINS_OR_ENDS = /^\s*(?:begin|commit|end|savepoint|release)\b/i
const UNDOES = /^\s*rollback\b/i
/** Compiled immediately, because they must work without free memory or disk space. */
export const isOfTransactions = (text: string): boolean => BEGINS_OR_ENDS.test(text) || UNDOES.test(text)

const WRITES_ROWS = /^\s*(?:insert|update|delete|replace|with)\b/i

/** Makes the statement report each run before it starts, so that a run that fails halfway is reported too. */
export function watched(
  statement: SQLite.Statement,
  text: string,
  { versions, replay }: StatementObservers,
): SQLite.Statement {
  if (BEGINS_OR_ENDS.test(text)) return statement
  if (statement.readonly && !UNDOES.test(text)) return readingStatement(statement, text, versions)
  return writingStatement(
    statement,
    changeReporter(text, versions),
    versions,
    WRITES_ROWS.test(text) ? replay : null,
  )
}

function changeReporter(text: string, versions: Versions): () => void {
  if (UNDOES.test(text)) {
    return () => {
      versions.allChanged()
    }
  }
  if (!WRITES_ROWS.test(text)) {
    return () => {
      versions.schemaChanged()
    }
  }
  // Determined on first run, because most statements do not run at the start.
  let tables: readonly Table[] | null | undefined
  return () => {
    tables ??= versions.writtenBy(text)
    if (tables === null) versions.allChanged()
    else versions.changed(tables)
  }
}

function writingStatement(
  statement: SQLite.Statement,
  report: () => void,
  versions: Versions,
  replay: Replay | null,
): SQLite.Statement {
  const withReport =
    <Result>(method: (...values: unknown[]) => Result) =>
    (...values: unknown[]): Result => {
      report()
      try {
        const result = method(...values)
        replay?.ran(method, values)
        return result
      } catch (error) {
        // On a full disk, SQLite may have undone the whole transaction.
        versions.allChanged()
        throw error
      }
    }
  statement.run = withReport(statement.run.bind(statement))
  statement.get = withReport(statement.get.bind(statement))
  statement.all = withReport(statement.all.bind(statement))
  // A real iterator would write at its first step, after the report.
  statement.iterate = (...values) => statement.all(...values)[Symbol.iterator]()
  return statement
}

function readingStatement(statement: SQLite.Statement, text: string, versions: Versions): SQLite.Statement {
  const get = statement.get.bind(statement)
  const all = statement.all.bind(statement)
  const iterate = statement.iterate.bind(statement)
  let tables: readonly Table[] | null = null
  const report = (): void => {
    if (versions.isReading) versions.note((tables ??= versions.readBy(text)))
  }
  statement.get = (...values) => {
    report()
    return get(...values)
  }
  statement.all = (...values) => {
    report()
    return all(...values)
  }
  statement.iterate = (...values) => {
    report()
    return iterate(...values)
  }
  return statement
}

/** Reads the schema. `all` runs an unwatched statement. */
export function schemaOf(all: (text: string) => unknown[]): Schema {
  const entries = all('SELECT type, name, sql FROM sqlite_master') as {
    readonly type: string
    readonly name: string
    readonly sql: string | null
  }[]
  const references = all(
    `SELECT t.name AS child, r."table" AS parent, r.on_delete AS "delete", r.on_update AS "update"
     FROM sqlite_master t, pragma_foreign_key_list(t.name) r WHERE t.type = 'table'`,
  ) as Schema['references']
  return {
    tables: entries.filter(({ type }) => type === 'table').map(({ name }) => name),
    references,
    changesUnnamed: entries.some(
      ({ type, sql }) => type === 'trigger' || type === 'view' || /\bon\s+conflict\b/i.test(sql ?? ''),
    ),
  }
}
