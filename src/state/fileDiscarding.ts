/** When the bytes of stored files are deleted: when no row of any workspace names them any more. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { statement, type Database } from './database.ts'
import type { Workspace } from './workspace.ts'
import { FileStore } from './fileStore.ts'
import { storedFiles as table } from './tables.ts'

/** The bytes of the files of a database. */
export const storeOf = (database: Database): FileStore => database.own(makeStore)

const makeStore = ({ file }: Database): FileStore => new FileStore(file)

/** Deletes a database that was just made, with its files; it has been closed. */
export function removeDatabase(database: Database): void {
  storeOf(database).remove()
  database.remove()
}

/** Makes `change`, which may take away many files of a workspace at once, and deletes what nobody names afterwards. */
export function lettingFilesGo<T>({ database, rowScope, baselineScope }: Workspace, change: () => T): T {
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

/** Deletes the bytes that a crash has left without a row. For the start of a server. */
export async function sweepFiles(database: Database): Promise<void> {
  await storeOf(database).sweep((hash) => !database.open || isNamed(database, hash))
}

/** Deletes those of the bytes that no row names. */
export async function discardAll(database: Database, hashes: readonly string[]): Promise<void> {
  for (const [index, hash] of hashes.entries()) {
    if (!database.open) return
    discardUnnamed(database, hash)
    // Some fifty deletions of files take a millisecond.
    if (index % 50 === 49) await nextTurn()
  }
}

/** Deletes bytes unless a row names them, or is about to. */
export function discardUnnamed(database: Database, hash: string): void {
  const store = storeOf(database)
  if (!store.isPinned(hash) && !isNamed(database, hash)) store.discard(hash)
}

/** The hashes of the files whose rows stand under a scope. */
export const hashesUnder = (database: Database, scope: number): string[] =>
  hashesOf(database)
    .all({ one: scope, other: scope })
    .map(({ hash }) => hash)

const isNamed = (database: Database, hash: string): boolean => naming(database).get({ hash }) !== undefined

const naming = statement((orm) =>
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
