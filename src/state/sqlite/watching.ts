/**
 * Statements that tell of each run: which tables they read or write, so that what was remembered of those can be held
 * against them (`versions.ts`), and which statement it was when it wrote, so that it can be run again (`replay.ts`).
 * Without it, whoever writes would have to name what is no longer true, and whoever reads what an answer rests on.
 */
import type SQLite from 'better-sqlite3'
import type { Schema, Table, Versions } from '../versions.ts'
import type { Replay } from './replay.ts'

/** What the statements of a connection tell. */
export interface StatementObservers {
  readonly versions: Versions
  readonly replay: Replay
}

const BEGINS_OR_ENDS = /^\s*(?:begin|commit|end|savepoint|release)\b/i
const UNDOES = /^\s*rollback\b/i
/** They are compiled at once, for they have to work when memory or disk has run out. */
export const isOfTransactions = (text: string): boolean => BEGINS_OR_ENDS.test(text) || UNDOES.test(text)

const WRITES_ROWS = /^\s*(?:insert|update|delete|replace|with)\b/i

/** Lets the statement tell of each run before it happens, so that one that fails half-way has told as well. */
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
  // Most statements that are prepared at the start are not run for a while.
  let tables: readonly Table[] | null | undefined
  return () => {
    tables ??= versions.writtenBy(text)
    if (tables === null) versions.allChanged()
    else versions.changed(tables)
  }
}

function writingStatement(
  statement: SQLite.Statement,
  tell: () => void,
  versions: Versions,
  replay: Replay | null,
): SQLite.Statement {
  const reporting =
    <Result>(method: (...values: unknown[]) => Result) =>
    (...values: unknown[]): Result => {
      tell()
      try {
        const result = method(...values)
        replay?.ran(method, values)
        return result
      } catch (error) {
        // On a full disk SQLite may have undone all of the transaction.
        versions.allChanged()
        throw error
      }
    }
  statement.run = reporting(statement.run.bind(statement))
  statement.get = reporting(statement.get.bind(statement))
  statement.all = reporting(statement.all.bind(statement))
  // A walk through the rows would write at its first step only, after it was told of.
  statement.iterate = (...values) => statement.all(...values)[Symbol.iterator]()
  return statement
}

function readingStatement(statement: SQLite.Statement, text: string, versions: Versions): SQLite.Statement {
  const get = statement.get.bind(statement)
  const all = statement.all.bind(statement)
  const iterate = statement.iterate.bind(statement)
  let tables: readonly Table[] | null = null
  const tell = (): void => {
    if (versions.isReading) versions.note((tables ??= versions.readBy(text)))
  }
  statement.get = (...values) => {
    tell()
    return get(...values)
  }
  statement.all = (...values) => {
    tell()
    return all(...values)
  }
  statement.iterate = (...values) => {
    tell()
    return iterate(...values)
  }
  return statement
}

/** What there is to name in a statement; `all` runs one that is not watched itself. */
export function schemaOf(all: (text: string) => unknown[]): Schema {
  const named = all('SELECT type, name, sql FROM sqlite_master') as {
    readonly type: string
    readonly name: string
    readonly sql: string | null
  }[]
  const references = all(
    `SELECT t.name AS child, r."table" AS parent, r.on_delete AS "delete", r.on_update AS "update"
     FROM sqlite_master t, pragma_foreign_key_list(t.name) r WHERE t.type = 'table'`,
  ) as Schema['references']
  return {
    tables: named.filter(({ type }) => type === 'table').map(({ name }) => name),
    references,
    changesUnnamed: named.some(
      ({ type, sql }) => type === 'trigger' || type === 'view' || /\bon\s+conflict\b/i.test(sql ?? ''),
    ),
  }
}
