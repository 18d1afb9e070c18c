/** Errors of the database file as messages for people: at the start on the terminal, later in the health check. */

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The database file can't be used. The message is one line for the terminal. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError'
}

/** Returns the code of a SQLite or system error. Drizzle passes SQLite's error as the `cause` of its own. */
export function codeOf(error: unknown): string {
  // An error of a thread arrives as a plain object.
  if (typeof error !== 'object' || error === null) return ''
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return typeof code === 'string' ? code : codeOf(cause)
}

export const isHeldByAnother = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

const MESSAGES: readonly [code: RegExp, message: string][] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'another process is using it'],
  [/^SQLITE_NOTADB/, 'it is not a SQLite database'],
  [/^SQLITE_CORRUPT/, 'the file is damaged; restore a copy of it, or choose another file with --db'],
  [/^SQLITE_READONLY|^EROFS|^EPERM/, 'the file or its disk is read-only'],
  [/^SQLITE_FULL|^ENOSPC/, 'the disk is full'],
  [/^SQLITE_IOERR|^EIO/, 'the disk fails'],
  [/^EACCES|^SQLITE_PERM/, 'this user lacks the permission'],
  [/^EISDIR/, 'there is a folder at that path'],
  [/^ENOTDIR|^EEXIST/, 'a part of the path is a file'],
  [/^SQLITE_CANTOPEN/, 'the file cannot be opened'],
]

/** Returns the message for an error of the file; null for other errors. */
export const fileError = (error: unknown): string | null =>
  MESSAGES.find(([code]) => code.test(codeOf(error)))?.[1] ?? null

/** Converts an error to a `DatabaseFileError`. */
export function toDatabaseFileError(file: string, error: unknown): DatabaseFileError {
  if (error instanceof DatabaseFileError) return error
  const reason =
    missingPermission(file) ?? fileError(error) ?? (error instanceof Error ? error.message : String(error))
  return new DatabaseFileError(`cannot use ${file}: ${reason}`, { cause: error })
}

/** Throws a DatabaseFileError if this user may not use the file, before SQLite leaves files beside it. */
export function mustBePermitted(file: string): void {
  const missing = missingPermission(file)
  if (missing !== null) throw new DatabaseFileError(`cannot use ${file}: ${missing}`)
}

/**
 * Checks the permissions of this user, because SQLite reports them as many different errors. Returns null if none is
 * missing.
 */
function missingPermission(file: string): string | null {
  if (file === ':memory:') return null
  if (existsSync(file)) {
    if (!isAllowed(file, constants.R_OK)) return 'this user may not read the file'
    if (!isAllowed(file, constants.W_OK)) return cannotWrite(file, 'the file')
  }
  const folder = dirname(resolve(file))
  return isAllowed(folder, constants.W_OK) ? null : cannotWrite(folder, `the folder ${folder}`)
}

function isAllowed(path: string, mode: number): boolean {
  return !/^(?:EACCES|EPERM|EROFS)/.test(accessError(path, mode))
}

/** Returns the code of the system; '' if access is allowed. */
function accessError(path: string, mode: number): string {
  try {
    accessSync(path, mode)
    return ''
  } catch (error) {
    return codeOf(error)
  }
}

/** Distinguishes a read-only disk from a user without permission. */
const cannotWrite = (path: string, name: string): string =>
  accessError(path, constants.W_OK) === 'EROFS'
    ? `${name} is on a read-only disk`
    : `this user${userName()} cannot write ${name}`

/** The ids that a container or volume must allow. */
function userName(): string {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  return uid === undefined || gid === undefined ? '' : ` (${String(uid)}:${String(gid)})`
}
