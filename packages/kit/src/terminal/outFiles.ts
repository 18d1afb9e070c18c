/** Files that `--out` names, for reports that take long. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from './problem.ts'

/** Checks a path before the work, so that a wrong one ends it early and changes nothing. Throws a UsageError. */
export function mustBeWritable(file: string): void {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory() === true) throw new UsageError(`--out: ${file} is a folder`)
    accessSync(found ? file : dirname(file), constants.W_OK)
  } catch (error) {
    throw error instanceof UsageError ? error : writeError(file, error)
  }
}

/** Throws a UsageError with the reason. */
export function writeOutFile(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw writeError(file, error)
  }
}

const writeError = (file: string, error: unknown): UsageError =>
  new UsageError(`--out: cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
