/** What keeps a database file from its work, in words: at the start for the person at the terminal, later for health. */

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The file can't be used; the message is one line for the person at the terminal. */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem'
}

/** The code of an error of SQLite or of the system; the query builder hands SQLite's on as the cause of its own. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

export const isHeldByAnother = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

const WORDS: readonly [code: RegExp, words: string][] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'another process is using it'],
  [/^SQLITE_NOTADB/, 'it is not a SQLite database'],
  [/^SQLITE_CORRUPT/, 'the file is damaged; put back a copy of it, or name another file with --db'],
  [/^SQLITE_READONLY|^EROFS|^EPERM/, 'the file or its disk may only be read'],
  [/^SQLITE_FULL|^ENOSPC/, 'the disk is full'],
  [/^SQLITE_IOERR|^EIO/, 'the disk fails'],
  [/^EACCES|^SQLITE_PERM/, 'it takes more rights than this user has'],
  [/^EISDIR/, 'there is a folder at that path'],
  [/^ENOTDIR|^EEXIST/, 'a part of the path is a file'],
  [/^SQLITE_CANTOPEN/, 'the file can not be opened'],
]

/** What is wrong with the file, as an error tells of it; null where it tells of something else. */
export const fileError = (error: unknown): string | null =>
  WORDS.find(([code]) => code.test(codeOf(error)))?.[1] ?? null

/** The error as a problem with the file; what was foreseen already stays as it is. */
export function openProblem(file: string, error: unknown): DatabaseProblem {
  if (error instanceof DatabaseProblem) return error
  const why = denied(file) ?? fileError(error) ?? (error instanceof Error ? error.message : String(error))
  return new DatabaseProblem(`cannot use ${file}: ${why}`, { cause: error })
}

/** What this user may not do there, which SQLite tells of in other words each time; null where it may do everything. */
function denied(file: string): string | null {
  if (file === ':memory:') return null
  if (existsSync(file)) {
    if (!isAllowed(file, constants.R_OK)) return 'this user may not read the file'
    if (!isAllowed(file, constants.W_OK)) return 'the file may only be read'
  }
  const folder = dirname(resolve(file))
  return isAllowed(folder, constants.W_OK) ? null : `the folder ${folder} may only be read`
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch (error) {
    return !/^(?:EACCES|EPERM|EROFS)/.test(codeOf(error))
  }
}
