/**
 * Statements that live as long as their connection, one for each text.
 *
 * The queries of the query builder would otherwise be compiled at each run, as would every statement whose limit is a
 * bare parameter: SQLite plans by its value, and so plans anew whenever one is bound. And on Node 24.19 and later the process is
 * aborted when the garbage collector frees a statement or a connection of better-sqlite3 12, which is the last that
 * runs on Node 20: its destructor asks for an environment that the collector does not have. So nothing of it is ever
 * left to the collector there.
 *
 * Each tells which tables it reads or writes whenever it runs, so that what was remembered of them can be held against
 * them (`versions.ts`), and which it was when it wrote, so that it can be run again (`redo.ts`).
 */
import type SQLite from 'better-sqlite3'
import { Redo } from './redo.ts'
import { refuseTimeAndChance } from './sqlite/guards.ts'
import { Versions, type Schema, type Table } from './versions.ts'

const [major = 0] = process.versions.node.split('.').map(Number)

/** Connections that the collector must not free, closed ones too. */
const kept: SQLite.Database[] = []

/** What the statements of a connection tell. */
export interface Told {
  readonly versions: Versions
  readonly redo: Redo
}

/**
 * Makes the connection hand out the same statement for the same text, and tell of each run. Who switches a statement to
 * another way of answering (`raw`, `pluck`) does so for all who share its text.
 *
 * `beforeScript` is called before `exec` runs one, which tells nothing of what it writes.
 */
export function keepStatements(sqlite: SQLite.Database, beforeScript = (): void => undefined): Told {
  const known = new Map<string, SQLite.Statement>()
  const prepare = sqlite.prepare.bind(sqlite)
  const execute = sqlite.exec.bind(sqlite)
  const once = (text: string, compile: (text: string) => SQLite.Statement): SQLite.Statement => {
    let statement = known.get(text)
    if (!statement) known.set(text, (statement = compile(text)))
    return statement
  }
  // What the schema is read with is not watched: it is read to find out what a statement reads.
  const versions = new Versions(() => schemaOf((text) => once(text, (of) => prepare(of)).all()))
  const told: Told = { versions, redo: new Redo() }
  const keeping = (text: string): SQLite.Statement =>
    once(text, () => {
      refuseTimeAndChance(text)
      return isOfTransactions(text)
        ? watched(prepare(text), text, told)
        : whenUsed(() => watched(prepare(withSteadyLimit(text)), text, told))
    })
  sqlite.prepare = keeping as typeof sqlite.prepare
  sqlite.pragma = (text, { simple = false } = {}) => {
    const statement = keeping(`PRAGMA ${text}`)
    if (!statement.reader) return statement.run()
    const rows = statement.raw(false).all() as Record<string, unknown>[]
    return simple ? Object.values(rows[0] ?? {})[0] : rows
  }
  sqlite.exec = (text) => {
    refuseTimeAndChance(text)
    beforeScript()
    versions.schemaChanged()
    return execute(text)
  }
  sqlite.transaction = () => {
    throw new Error('what it undoes would stay remembered; use Database.write')
  }
  if (major >= 24) kept.push(sqlite)
  return told
}

const BEGINS_OR_ENDS = /^\s*(?:begin|commit|end|savepoint|release)\b/i
const UNDOES = /^\s*rollback\b/i
/** They are compiled at once, for they have to work when memory or disk has run out. */
const isOfTransactions = (text: string): boolean => BEGINS_OR_ENDS.test(text) || UNDOES.test(text)

const WRITES_ROWS = /^\s*(?:insert|update|delete|replace|with)\b/i

/** What this program and the query builder use of a statement. */
type Used = Pick<SQLite.Statement, 'reader' | 'run' | 'get' | 'all' | 'iterate' | 'raw' | 'pluck'>

/**
 * A statement that is compiled when it is first used, which many that are prepared together never are. It then has the
 * methods of the compiled one, so that a run costs no more.
 */
function whenUsed(compile: () => SQLite.Statement): SQLite.Statement {
  let compiled: SQLite.Statement | null = null
  const switches: ((statement: SQLite.Statement) => void)[] = []
  const used = (): SQLite.Statement => {
    if (compiled !== null) return compiled
    const statement = compile()
    for (const change of switches) change(statement)
    standIn.run = statement.run.bind(statement)
    standIn.get = statement.get.bind(statement)
    standIn.all = statement.all.bind(statement)
    standIn.iterate = statement.iterate.bind(statement)
    return (compiled = statement)
  }
  const switched = (change: (statement: SQLite.Statement) => void): SQLite.Statement => {
    if (compiled === null) switches.push(change)
    else change(compiled)
    return standIn as SQLite.Statement
  }
  const standIn: { -readonly [Name in keyof Used]: Used[Name] } = {
    get reader() {
      return used().reader
    },
    run: (...values) => used().run(...values),
    get: (...values) => used().get(...values),
    all: (...values) => used().all(...values),
    iterate: (...values) => used().iterate(...values),
    raw: (toggle = true) => switched((statement) => statement.raw(toggle)),
    pluck: (toggle = true) => switched((statement) => statement.pluck(toggle)),
  }
  return standIn as SQLite.Statement
}

/** Lets the statement tell of each run before it happens, so that one that fails half-way has told as well. */
function watched(statement: SQLite.Statement, text: string, { versions, redo }: Told): SQLite.Statement {
  if (BEGINS_OR_ENDS.test(text)) return statement
  if (statement.readonly && !UNDOES.test(text)) return readingStatement(statement, text, versions)
  return writingStatement(statement, tellerOf(text, versions), versions, WRITES_ROWS.test(text) ? redo : null)
}

function tellerOf(text: string, versions: Versions): () => void {
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
  redo: Redo | null,
): SQLite.Statement {
  const telling =
    <Result>(method: (...values: unknown[]) => Result) =>
    (...values: unknown[]): Result => {
      tell()
      try {
        const result = method(...values)
        redo?.ran(method, values)
        return result
      } catch (error) {
        // On a full disk SQLite may have undone all of the transaction.
        versions.allChanged()
        throw error
      }
    }
  statement.run = telling(statement.run.bind(statement))
  statement.get = telling(statement.get.bind(statement))
  statement.all = telling(statement.all.bind(statement))
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

function schemaOf(all: (text: string) => unknown[]): Schema {
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

/** The same statement, planned once: the value of an expression is not known to the planner. */
const withSteadyLimit = (text: string): string => text.replace(/\blimit \?/g, 'limit (? + 0)')
