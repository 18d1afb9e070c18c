/**
 * The layer between the program and its SQLite connection. Only `database.ts` imports it, and only from this file.
 *
 * It compiles each SQL text once (`statements.ts`), reports what each run reads and writes (`watching.ts`), undoes
 * single writes (`replay.ts`), refuses time and chance (`guards.ts`) and syncs the log early (`writeAhead.ts`).
 */
export { cacheStatements } from './statements.ts'
export type { Replay } from './replay.ts'
export type { Basis, Observed, Table, Versions } from './versions.ts'
export type { StatementObservers } from './watching.ts'
export { WriteAheadLog } from './writeAhead.ts'
