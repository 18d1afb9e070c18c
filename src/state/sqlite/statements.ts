/**
 * Statements that live as long as their connection, one for each text.
 *
 * The queries of the query builder would otherwise be compiled at each run, as would every statement whose limit is a
 * bare parameter: SQLite plans by its value, and so plans anew whenever one is bound. And on Node 24.19 and later the process is
 * aborted when the garbage collector frees a statement or a connection of better-sqlite3 12, which is the last that
 * runs on Node 20: its destructor asks for an environment that the collector does not have. So nothing of it is ever
 * left to the collector there.
 */
import type SQLite from 'better-sqlite3'
import { Versions } from '../versions.ts'
import { refuseTimeAndChance } from './guards.ts'
import { Replay } from './replay.ts'
import { isOfTransactions, schemaOf, watched, type StatementObservers } from './watching.ts'

const [major = 0] = process.versions.node.split('.').map(Number)

/** Connections that the collector must not free, closed ones too. */
const kept: SQLite.Database[] = []

/**
 * Makes the connection hand out the same statement for the same text, and tell of each run. Who switches a statement to
 * another way of answering (`raw`, `pluck`) does so for all who share its text.
 *
 * `beforeScript` is called before `exec` runs one, which tells nothing of what it writes.
 */
export function keepStatements(
  sqlite: SQLite.Database,
  beforeScript = (): void => undefined,
): StatementObservers {
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
  const told: StatementObservers = { versions, replay: new Replay() }
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

/** The same statement, planned once: the value of an expression is not known to the planner. */
const withSteadyLimit = (text: string): string => text.replace(/\blimit \?/g, 'limit (? + 0)')
