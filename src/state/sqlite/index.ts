/**
 * What stands between this program and its connection to SQLite; nobody outside of this folder imports anything else of
 * it, and of the rest of `state` only `database.ts` imports this.
 *
 * It promises that a text is compiled once (`statements.ts`), that each run tells what it reads and writes
 * (`watching.ts`), that a write can be undone alone among those that share its transaction (`replay.ts`), that nothing is
 * asked of SQLite which the clock and the ids are there for (`guards.ts`), and that little of the log is left to wait for
 * at a checkpoint (`writeAhead.ts`).
 *
 * Without it each query of the builder would be compiled at each run, nobody would know when a remembered answer has
 * become untrue, each write would need a savepoint, and each checkpoint would hold the server for some 30 ms more
 * (docs/decisions/0001, 0002, 0007, 0008).
 */
export { keepStatements } from './statements.ts'
export type { Replay } from './replay.ts'
export type { StatementObservers } from './watching.ts'
export { WriteAheadLog } from './writeAhead.ts'
