/**
 * Statements that live as long as their connection, one for each SQL text, so that SQLite compiles and plans each
 * only once. On Node 24.19 and later, the process aborts if better-sqlite3 12 objects are garbage collected, so they
 * are retained.
 */
import type SQLite from 'better-sqlite3'

const [major = 0] = process.versions.node.split('.').map(Number)

/** Connections that must not be garbage collected, including closed ones. */
const retained: SQLite.Database[] = []

/** Compiled immediately, because they must work without free memory or disk space. */
const IS_OF_TRANSACTIONS = /^\s*(?:begin|commit|end|savepoint|release|rollback)\b/i

/**
 * Makes the connection cache statements by text. `raw` and `pluck` affect all users of a text. `beforeScript` runs before
 * each `exec`.
 */
export function cacheStatements(sqlite: SQLite.Database, beforeScript = (): void => undefined): void {
  const statements = new Map<string, SQLite.Statement>()
  const prepare = sqlite.prepare.bind(sqlite)
  const execute = sqlite.exec.bind(sqlite)
  const compile = (text: string): SQLite.Statement =>
    IS_OF_TRANSACTIONS.test(text)
      ? prepare(text)
      : compileOnFirstUse(() => prepare(withPlanIndependentLimit(text)))
  const prepareOnce = (text: string): SQLite.Statement => {
    let statement = statements.get(text)
    if (!statement) statements.set(text, (statement = compile(text)))
    return statement
  }
  sqlite.prepare = prepareOnce as typeof sqlite.prepare
  sqlite.pragma = (text, { simple = false } = {}) => {
    const statement = prepareOnce(`PRAGMA ${text}`)
    if (!statement.reader) return statement.run()
    const rows = statement.raw(false).all() as Record<string, unknown>[]
    return simple ? Object.values(rows[0] ?? {})[0] : rows
  }
  sqlite.exec = (text) => {
    beforeScript()
    return execute(text)
  }
  sqlite.transaction = () => {
    throw new Error('sqlite.transaction bypasses the shared transaction; use Database.write')
  }
  if (major >= 24) retained.push(sqlite)
}

/** The methods of a statement that this program and drizzle use. */
type UsedMethods = Pick<SQLite.Statement, 'reader' | 'run' | 'get' | 'all' | 'iterate' | 'raw' | 'pluck'>

/**
 * Returns a statement that is compiled on first use, because many prepared statements never run. After that it has
 * the methods of the compiled one, so that runs cost the same.
 */
function compileOnFirstUse(compile: () => SQLite.Statement): SQLite.Statement {
  let compiled: SQLite.Statement | null = null
  const switches: ((statement: SQLite.Statement) => void)[] = []
  const getCompiled = (): SQLite.Statement => {
    if (compiled !== null) return compiled
    const statement = compile()
    for (const change of switches) change(statement)
    lazyStatement.run = statement.run.bind(statement)
    lazyStatement.get = statement.get.bind(statement)
    lazyStatement.all = statement.all.bind(statement)
    lazyStatement.iterate = statement.iterate.bind(statement)
    return (compiled = statement)
  }
  const applySwitch = (change: (statement: SQLite.Statement) => void): SQLite.Statement => {
    if (compiled === null) switches.push(change)
    else change(compiled)
    return lazyStatement as SQLite.Statement
  }
  const lazyStatement: { -readonly [Name in keyof UsedMethods]: UsedMethods[Name] } = {
    get reader() {
      return getCompiled().reader
    },
    run: (...values) => getCompiled().run(...values),
    get: (...values) => getCompiled().get(...values),
    all: (...values) => getCompiled().all(...values),
    iterate: (...values) => getCompiled().iterate(...values),
    raw: (toggle = true) => applySwitch((statement) => statement.raw(toggle)),
    pluck: (toggle = true) => applySwitch((statement) => statement.pluck(toggle)),
  }
  return lazyStatement as SQLite.Statement
}

/**
 * Returns SQL with a limit that does not affect the query plan, because the planner can't see the value of an
 * expression.
 */
const withPlanIndependentLimit = (text: string): string => text.replace(/\blimit \?/g, 'limit (? + 0)')
