/**
 * The mark of a database whose first data are incomplete: a file beside it, while the files of --init run. If the server
 * dies before the last file, the next start begins with a new database, because nothing else was stored there.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { FileStore } from '../state/files/fileStore.ts'
import { FileLock } from '../state/storage/database/fileLock.ts'

const markOf = (db: string): string => `${db}-unfinished`

/** Marks the database; returns the function that removes the mark. */
export function markUnfinished(db: string): () => void {
  if (db === ':memory:') return () => undefined
  writeFileSync(markOf(db), '')
  return () => {
    rmSync(markOf(db), { force: true })
  }
}

/** Deletes a marked database with its stored files, unless a server uses it. Returns whether it was deleted. */
export function removeUnfinished(db: string): boolean {
  if (db === ':memory:' || !existsSync(markOf(db))) return false
  let lock: FileLock
  try {
    lock = new FileLock(db)
  } catch {
    // The start reports why it cannot use the file.
    return false
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(db + suffix, { force: true })
  new FileStore(db).remove()
  rmSync(markOf(db), { force: true })
  lock.release()
  return true
}
