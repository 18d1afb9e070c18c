/** Records the statements that calls run in SQLite. The files of a process share its modules, so they share the recording. */
import { AsyncLocalStorage } from 'node:async_hooks'
import SQLite from 'better-sqlite3'

export interface Statement {
  readonly source: string
  readonly database: SQLite.Database
}

/** The statements of the current call; other work of the server has none. */
const current = new AsyncLocalStorage<Statement[]>()

type Run = (this: Statement, ...values: unknown[]) => unknown
const methods = Object.getPrototypeOf(new SQLite(':memory:').prepare('SELECT 1')) as Record<string, Run>
for (const name of ['run', 'get', 'all', 'iterate']) {
  const original = methods[name]
  methods[name] = function (...values) {
    current.getStore()?.push(this)
    return original && Reflect.apply(original, this, values)
  }
}

/** Returns the result of a call with the statements that it ran. */
export async function withStatements<T>(
  call: () => Promise<T>,
): Promise<{ readonly result: T; readonly statements: readonly Statement[] }> {
  const statements: Statement[] = []
  const result = await current.run(statements, call)
  // What continues after the response is not of the call.
  return { result, statements: [...statements] }
}
