/**
 * Stored files: a row for each file of a workspace, with the hash of its contents (`fileStore.ts`). Records refer to
 * files by id. Contents stay while a row of any workspace or baseline refers to them.
 */
import type { Readable } from 'node:stream'
import { truncate } from '../text/truncate.ts'
import { record } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { discardUnnamed, storeOf } from '../files/fileCleanup.ts'
import type { StoredBytes } from '../files/fileStore.ts'
import { MAX_FILE_NAME_LENGTH, storedFiles as table } from '../storage/tables.ts'

export type StoredFile = typeof table.$inferSelect

export const storedFiles = record(table, {
  noun: 'file',
  snapshot: { section: 'files', name: 'files' },
})

/** A file to store: its name, type and source. */
export interface IncomingFile {
  readonly name: string
  readonly contentType: string
  /** A stream, bytes, or the path of a file that is moved into the store. */
  readonly source: Readable | Uint8Array | string
}

/** Returns the name to store: a blank one would be no name in a snapshot. */
const nameOf = (name: string): string => truncate(name.trim(), MAX_FILE_NAME_LENGTH) || 'file'

/**
 * Stores files and calls `change`, which writes records that refer to them, in the transaction of their rows. If
 * either fails, nothing stays.
 */
export async function storeFiles<T>(
  workspace: Workspace,
  incoming: readonly IncomingFile[],
  change: (files: readonly StoredFile[]) => T,
): Promise<T> {
  const { database } = workspace
  const store = storeOf(database)
  const pinned: (Pick<IncomingFile, 'name' | 'contentType'> & StoredBytes)[] = []
  try {
    for (const { name, contentType, source } of incoming) {
      const bytes = await (typeof source === 'string' ? store.takeOver(source) : store.write(source))
      pinned.push({ name: nameOf(name), contentType, ...bytes })
    }
    const size = pinned.reduce((sum, file) => sum + file.size, 0)
    // A request without a length was not checked before.
    await workspace.quota.check(size)
    database.bytesWritten += size
    const result = workspace.write(() =>
      change(
        pinned.map((file) =>
          storedFiles.insert(workspace, {
            ...file,
            id: workspace.ids.nano('file'),
            createdAt: workspace.now(),
          }),
        ),
      ),
    )
    await database.committed()
    return result
  } finally {
    for (const { hash } of pinned) {
      store.unpin(hash)
      discardUnnamed(database, hash)
    }
  }
}

/**
 * Stores a file of a few KiB that the suite has created, in the write that refers to it. If the write is undone, the
 * next start deletes the contents. Only inside a `write`.
 */
export function storeSmallFile(
  workspace: Workspace,
  { name, contentType, bytes }: Pick<IncomingFile, 'name' | 'contentType'> & { readonly bytes: Uint8Array },
): StoredFile {
  const { hash, size } = storeOf(workspace.database).keep(bytes)
  workspace.database.bytesWritten += size
  return storedFiles.insert(workspace, {
    id: workspace.ids.nano('file'),
    name: nameOf(name),
    contentType,
    hash,
    size,
    createdAt: workspace.now(),
  })
}

/** Deletes a file that no record refers to, and its contents if no other file has them. Only inside a `write`. */
export function removeFile(workspace: Workspace, id: string): void {
  const { database } = workspace
  const file = storedFiles.find(workspace, id)
  if (!file) return
  storedFiles.remove(workspace, id)
  database.whenCommitted(() => {
    discardUnnamed(database, file.hash)
  })
}
