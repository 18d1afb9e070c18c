/**
 * Backups: a directory with the database and its stored files of one instant, in the form in which a server can use
 * them.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import SQLite from 'better-sqlite3'
import { DATA_FORMAT, formatOf, type Database } from '../storage/database/database.ts'
import {
  DatabaseFileError,
  isHeldByAnother,
  toDatabaseFileError,
} from '../storage/database/databaseFileError.ts'
import { FileLock, realPathOf } from '../storage/database/fileLock.ts'
import { createFolder, removeEmptyFolders } from '../storage/database/folders.ts'
import { refuse } from '../model/refusal.ts'
import { holdingFiles, storeOf } from './fileCleanup.ts'
import type { DatabaseCopy } from './databaseCopy.ts'
import { FileStore } from './fileStore.ts'

/** The database in a backup. Its stored files are beside it, as those of any database. */
const DATABASE = 'suite.sqlite'
/** Its name until the backup is complete. */
const PARTIAL = `${DATABASE}.partial`

const FILES_AT_ONCE = 8

export interface Backup {
  /** Of the database and the stored files. */
  readonly bytes: number
  /** How many stored files. */
  readonly files: number
}

/** Backs up a database into an empty or a new directory. `copy` is `copyDatabase`, perhaps in a thread. */
export async function backUp(
  database: Database,
  directory: string,
  copy: (copying: DatabaseCopy) => Promise<string[]>,
): Promise<Backup> {
  mustBeOutside(storeOf(database), directory)
  const isNew = !existsSync(directory)
  // It has the keys of all workspaces, so only the user of the server may read it.
  if (isNew) {
    createFolder(join(directory, DATABASE))
    chmodSync(directory, 0o700)
  } else mustBeEmpty(directory)
  try {
    return await holdingFiles(database, async () => {
      const partial = join(directory, PARTIAL)
      const hashes = await copy({ from: database.file, to: partial })
      const target = new FileStore(join(directory, DATABASE))
      const bytes = await copyFiles(hashes, storeOf(database), target)
      const size = statSync(partial).size
      chmodSync(partial, 0o600)
      renameSync(partial, join(directory, DATABASE))
      return { bytes: bytes + size, files: hashes.length }
    })
  } catch (error) {
    if (isNew) rmSync(directory, { recursive: true, force: true })
    else removeLeftovers(directory)
    throw error
  }
}

/** What a backup that was cut off leaves. */
const LEFTOVERS = [PARTIAL, `${PARTIAL}-journal`, 'files']

/** The files in the folder of the stored files are all stored files. */
function mustBeOutside(store: FileStore, directory: string): void {
  const { root } = store.locationOf('0'.repeat(64))
  const path = relative(root, resolve(directory))
  if (!path.startsWith('..') && !isAbsolute(path)) {
    refuse('conflict', `${directory} is in the folder of the stored files. Choose another directory.`)
  }
}

function removeLeftovers(directory: string): void {
  for (const name of LEFTOVERS) rmSync(join(directory, name), { recursive: true, force: true })
}

function mustBeEmpty(directory: string): void {
  if (!statSync(directory).isDirectory()) refuse('conflict', `${directory} is a file.`)
  const names = readdirSync(directory)
  if (names.includes(DATABASE))
    refuse('conflict', `${directory} already has a backup. Choose another directory.`)
  // A backup that was cut off is replaced.
  const isCutOff = names.includes(PARTIAL)
  const other = names.find((name) => !(isCutOff && LEFTOVERS.includes(name)))
  if (other !== undefined) refuse('conflict', `${directory} is not empty: it has ${other}.`)
  removeLeftovers(directory)
}

/** Returns their size in bytes. */
async function copyFiles(hashes: readonly string[], source: FileStore, target: FileStore): Promise<number> {
  let bytes = 0
  const rest = hashes.values()
  const work = async (): Promise<void> => {
    for (const hash of rest) {
      if (!source.has(hash)) throw new DatabaseFileError(`the stored file ${hash} is missing`)
      const to = pathIn(target, hash)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await copyFile(pathIn(source, hash), to)
      bytes += statSync(to).size
    }
  }
  // All end before a failure removes what they have written.
  const ends = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, work))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
  return bytes
}

function pathIn(store: FileStore, hash: string): string {
  const { root, path } = store.locationOf(hash)
  return join(root, path)
}

/** Throws a DatabaseFileError for a directory without a whole backup, or a file that may not be replaced. */
export async function restore(directory: string, file: string, mayReplace: boolean): Promise<Backup> {
  const source = join(directory, DATABASE)
  if (!existsSync(source)) {
    const isCutOff = existsSync(join(directory, PARTIAL))
    throw new DatabaseFileError(`there is no ${isCutOff ? 'complete ' : ''}backup in ${directory}`)
  }
  const createdFolder = createFolder(file)
  const lock = lockOf(file)
  // A link to the database stays.
  const target = realPathOf(file)
  const isNew = !existsSync(target)
  const restored = `${target}.restored`
  const store = new FileStore(file)
  try {
    if (!isNew && !mayReplace) throw new DatabaseFileError(`${file} exists; to replace it, add --force`)
    // A copy, because SQLite writes beside the files that it opens.
    await copyFile(source, restored)
    const hashes = hashesIn(restored, source)
    const bytes = await restoreFiles(hashes, new FileStore(source), store)
    const size = statSync(restored).size
    if (!isNew) mustBeUnused(target)
    replace(target, restored)
    lock.release()
    return { bytes: bytes + size, files: hashes.length }
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(restored + suffix, { force: true })
    if (isNew) store.remove()
    lock.undo()
    if (createdFolder !== undefined) removeEmptyFolders(dirname(resolve(file)), createdFolder)
    throw toDatabaseFileError(file, error)
  }
}

function lockOf(file: string): FileLock {
  try {
    return new FileLock(file)
  } catch (error) {
    throw toDatabaseFileError(file, error)
  }
}

/** Checks a copy of the database `source`, and returns the hashes of the stored files to which it refers. */
function hashesIn(copy: string, source: string): string[] {
  let sqlite: SQLite.Database | null = null
  try {
    sqlite = new SQLite(copy)
    if (sqlite.pragma('integrity_check(1)', { simple: true }) !== 'ok') {
      throw new DatabaseFileError(`cannot use ${source}: the file is damaged`)
    }
    if (formatOf(sqlite) > DATA_FORMAT) {
      throw new DatabaseFileError(`cannot use ${source}: a newer version of suite-sim wrote it`)
    }
    return sqlite.prepare<[], string>('SELECT DISTINCT hash FROM stored_files').pluck().all()
  } catch (error) {
    throw toDatabaseFileError(source, error)
  } finally {
    sqlite?.close()
  }
}

/** Adds the files to the store of the database, and returns their size in bytes. */
async function restoreFiles(hashes: readonly string[], from: FileStore, to: FileStore): Promise<number> {
  let bytes = 0
  for (const hash of hashes) {
    if (!from.has(hash))
      throw new DatabaseFileError(`the backup is damaged: the stored file ${hash} is missing`)
    const { hash: found, size } = await to.write(from.read(hash))
    if (found !== hash)
      throw new DatabaseFileError(`the backup is damaged: the stored file ${hash} has changed`)
    bytes += size
  }
  return bytes
}

/**
 * Writes the log of the old database into its file, so that none is left to be applied to the new one. Refuses a database
 * that another program has open, such as a server of version 0.1, which locks the file itself.
 */
function mustBeUnused(file: string): void {
  let sqlite: SQLite.Database | null = null
  try {
    sqlite = new SQLite(file, { timeout: 0 })
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT')
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (isHeldByAnother(error)) throw error
    // A damaged database can be replaced.
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  } finally {
    sqlite?.close()
  }
  // The last connection deletes it.
  if (existsSync(`${file}-wal`)) {
    throw new DatabaseFileError(`cannot replace ${file}: another program has it open; stop it first`)
  }
}

/** One rename, so that an interruption leaves the old database or the new one. */
function replace(file: string, restored: string): void {
  const handle = openSync(restored, 'r+')
  fsyncSync(handle)
  closeSync(handle)
  renameSync(restored, file)
}
