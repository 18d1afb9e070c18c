/** Files that a flag or a variable names. */
import { readFileSync, statSync } from 'node:fs'
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
    const { code = '' } = error as NodeJS.ErrnoException
    throw new UsageError(`${name}: cannot read ${file}: ${REASONS[code] ?? code}`)
  }
}
