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

const [major = 0] = process.versions.node.split('.').map(Number)

/** Connections that the collector must not free, closed ones too. */
const kept: SQLite.Database[] = []

/**
 * Makes the connection hand out the same statement for the same text. Who switches a statement to another way of
 * answering (`raw`, `pluck`) does so for all who share its text.
 */
export function keepStatements(sqlite: SQLite.Database): void {
  const known = new Map<string, SQLite.Statement>()
  const prepare = sqlite.prepare.bind(sqlite)
  const keeping = (text: string): SQLite.Statement => {
    let statement = known.get(text)
    if (!statement) known.set(text, (statement = prepare(withSteadyLimit(text))))
    return statement
  }
  sqlite.prepare = keeping as typeof sqlite.prepare
  sqlite.pragma = (text, { simple = false } = {}) => {
    const statement = keeping(`PRAGMA ${text}`)
    if (!statement.reader) return statement.run()
    const rows = statement.raw(false).all() as Record<string, unknown>[]
    return simple ? Object.values(rows[0] ?? {})[0] : rows
  }
  if (major >= 24) kept.push(sqlite)
}

/** The same statement, planned once: the value of an expression is not known to the planner. */
const withSteadyLimit = (text: string): string => text.replace(/\blimit \?/g, 'limit (? + 0)')
