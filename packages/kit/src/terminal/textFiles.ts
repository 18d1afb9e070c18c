/** Files that a flag or a variable names. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { UsageError } from './problem.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

/** Returns the text of a file. Throws a UsageError that names the flag or variable, the file and the reason. */
export function readText(name: string, file: string, maxMegabytes = Infinity): string {
  try {
    if (statSync(file).size > maxMegabytes * 1024 ** 2) {
      throw new UsageError(`${name}: ${file} must have at most ${String(maxMegabytes)} MB`)
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw unreadable(name, file, error)
  }
}

function unreadable(name: string, file: string, error: unknown): UsageError {
  const { code = '' } = error as NodeJS.ErrnoException
  return new UsageError(`${name}: cannot read ${file}: ${REASONS[code] ?? code}`)
}

/** Returns the text of a file with at most `maxBytes`; that of standard input for "-". */
export function readShortText(name: string, file: string, maxBytes: number): string {
  let descriptor = 0
  try {
    if (file !== '-') descriptor = openSync(file, 'r')
    // Reads no more than it may have, because pipes and devices have no size.
    const bytes = Buffer.alloc(maxBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    }
    if (length <= maxBytes) return bytes.toString('utf8', 0, length)
  } catch (error) {
    throw unreadable(name, file, error)
  } finally {
    if (descriptor !== 0) closeSync(descriptor)
  }
  throw new UsageError(`${name}: ${file} must have at most ${String(maxBytes)} bytes`)
}
