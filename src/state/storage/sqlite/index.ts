/**
 * The layer between the program and its SQLite connection. Only `database.ts` imports it, and only from this file.
 *
 * It compiles each SQL text once (`statements.ts`), syncs the log early (`writeAhead.ts`) and fills new databases
 * (`images.ts`).
 */
export { cacheStatements } from './statements.ts'
export { copyImage, insertImage } from './images.ts'
export { WriteAheadLog } from './writeAhead.ts'
