/** The folders of the database file: created if missing, and removed if the start fails. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseFileError, toDatabaseFileError } from './databaseFileError.ts'

/** Creates the folder of a file; a failure removes what it created. Returns the outermost folder that it created. */
export function createFolder(file: string): string | undefined {
  const missing = listMissingFolders(resolve(dirname(file)))
  const created: string[] = []
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      throw new DatabaseFileError(`cannot use ${file}: there is a folder at that path`)
    }
    // One by one, because Node's `recursive` option does not return in kernel folders, where it can't create any.
    for (const folder of missing) {
      mkdirSync(folder)
      created.push(folder)
    }
    return created[0]
  } catch (error) {
    for (const folder of created.reverse()) rmdirSync(folder)
    throw toDatabaseFileError(file, error)
  }
}

/**
 * Creates the file of a database for this user alone, because it has the keys of all workspaces; SQLite gives the files
 * beside it the same mode. Closes existing files, as older versions have created them, to the other users.
 */
export function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const suffix of ['', '-wal', '-shm']) closeToOthers(file + suffix)
}

/** Leaves a file or folder that everyone may use to its owner. Other modes stay: a group may be allowed on purpose. */
export function closeToOthers(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o007) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch {
    // It belongs to another user, who decides.
  }
}

/** Returns the missing folders of a path, the outermost first. */
const listMissingFolders = (folder: string): string[] =>
  existsSync(folder) ? [] : [...listMissingFolders(dirname(folder)), folder]

/** Removes the empty folders from `innermost` up to `outermost`. */
export function removeEmptyFolders(innermost: string, outermost: string): void {
  try {
    for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder))
      rmdirSync(folder)
  } catch {
    // A folder is no longer empty.
  }
}
