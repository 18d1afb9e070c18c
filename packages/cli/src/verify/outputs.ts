/** Where the reports of a run go. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { io } from '@suite-sim/kit/terminal/io'
import type { Report } from '@suite-sim/verify/report/report'
import { renderReport } from '@suite-sim/verify/report/render'
import { paint } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { ReportTarget } from './parsing.ts'

interface Wanted {
  readonly report?: readonly ReportTarget[]
  readonly out?: string
  /** Whether JSON is the default. */
  readonly printsJson: boolean
}

/** Returns the reports to write. Throws a UsageError if two go to the same place. */
export function reportTargets({ report, out, printsJson }: Wanted): readonly ReportTarget[] {
  const byDefault = printsJson || out !== undefined ? 'json' : 'text'
  const targets = report ?? [{ format: byDefault, file: null }]
  const open = targets.filter(({ file }) => file === null)
  if (open.length > 1) {
    throw new UsageError(
      'only one --report can have no file of its own; name the others, such as --report junit=verify.xml',
    )
  }
  if (out !== undefined && open.length === 0) {
    throw new UsageError('--out needs a --report without a file of its own')
  }
  return targets.map((target) => ({ ...target, file: target.file ?? out ?? null }))
}

/** Checks that files can be written, so that a run does not end without its report. Throws a UsageError. */
export function checkFiles(files: readonly (readonly [flag: string, file: string])[]): void {
  const seen = new Map<string, string>()
  for (const [flag, file] of files) {
    const path = resolve(file)
    const other = seen.get(path)
    if (other !== undefined) throw new UsageError(`${other} and ${flag} must be different files, not ${file}`)
    seen.set(path, flag)
    const problem = writeProblem(path)
    if (problem !== null) throw new UsageError(`${flag}: cannot write ${file}: ${problem}`)
  }
}

function writeProblem(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return 'it is a folder'
  const folder = dirname(path)
  if (!found && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return 'the folder does not exist'
  try {
    accessSync(found ? path : folder, constants.W_OK)
    return null
  } catch {
    return 'this user may not write it'
  }
}

/** Writes all reports. Tries each, then throws a CommandError about those that failed. */
export function writeReports(report: Report, targets: readonly ReportTarget[]): void {
  const failures = targets.flatMap(({ format, file }) => {
    if (file === null) {
      io().stdout.write(renderReport(report, format, paint))
      return []
    }
    return writeResult('--report', file, renderReport(report, format))
  })
  if (failures.length > 0) throw new CommandError(failures.join('; '))
}

/** Writes a file. Returns an array with the error, or without one. */
export function writeResult(flag: string, file: string, text: string): string[] {
  try {
    writeFileSync(file, text)
    return []
  } catch (error) {
    return [`${flag}: cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`]
  }
}
