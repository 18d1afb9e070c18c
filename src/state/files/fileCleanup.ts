/** Deletes the contents of stored files after the last row that refers to them, in any workspace. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { statement, type Database } from '../storage/database/database.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { FileStore } from './fileStore.ts'
import { storedFiles as table } from '../storage/tables.ts'

/** Returns the file store of a database. */
export const storeOf = (database: Database): FileStore => database.own(makeStore)

const makeStore = ({ file }: Database): FileStore => new FileStore(file)

/** Deletes a new, closed database with its files. */
export function removeDatabase(database: Database): void {
  storeOf(database).remove()
  database.remove()
}

/** Runs `change`, which can delete many file rows of a workspace, and then deletes the contents without a row. */
export function discardFilesAfter<T>({ database, rowScope, baselineScope }: Workspace, change: () => T): T {
  const hashes = hashesOf(database).all({ one: rowScope, other: baselineScope })
  const result = change()
  if (hashes.length > 0) {
    database.whenCommitted(() => {
      void discardAll(
        database,
        hashes.map(({ hash }) => hash),
      )
    })
  }
  return result
}

/** Deletes contents that a crash has left without a row. For the start of a server. */
export async function sweepFiles(database: Database): Promise<void> {
  await storeOf(database).sweep((hash) => !database.open || isNamed(database, hash))
}

/** Deletes those of the contents that no row refers to. */
export async function discardAll(database: Database, hashes: readonly string[]): Promise<void> {
  for (const [index, hash] of hashes.entries()) {
    if (!database.open) return
    discardUnnamed(database, hash)
    // About fifty file deletions take a millisecond.
    if (index % 50 === 49) await nextTurn()
  }
}

/** Returns the result of `work`; no contents are deleted until then. */
export async function holdingFiles<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const store = storeOf(database)
  store.hold()
  try {
    return await work()
  } finally {
    await discardAll(database, store.release())
  }
}

/** Deletes contents unless a row refers to them or is being written. */
export function discardUnnamed(database: Database, hash: string): void {
  const store = storeOf(database)
  if (!store.isPinned(hash) && !isNamed(database, hash)) store.discard(hash)
}

/** Returns the hashes of the files in a row scope. */
export const hashesInScope = (database: Database, scope: number): string[] =>
  hashesOf(database)
    .all({ one: scope, other: scope })
    .map(({ hash }) => hash)

const isNamed = (database: Database, hash: string): boolean =>
  findRowOfHash(database).get({ hash }) !== undefined

const findRowOfHash = statement((orm) =>
  orm
    .select({ id: table.id })
    .from(table)
    .where(eq(table.hash, sql.placeholder('hash')))
    .limit(1)
    .prepare(),
)

const hashesOf = statement((orm) =>
  orm
    .selectDistinct({ hash: table.hash })
    .from(table)
    .where(inArray(table.workspace, [sql.placeholder('one'), sql.placeholder('other')]))
    .prepare(),
)
