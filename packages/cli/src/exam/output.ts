/** Where the report of an exam goes: standard output, or a file. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { io } from '@suite-sim/kit/terminal/io'
import { printsJson, type OutputSettings } from '@suite-sim/kit/terminal/output'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import type { ReportFormat } from './formats.ts'

export interface ReportSettings extends OutputSettings {
  readonly report?: ReportFormat
  readonly out?: string
}

/** Writes the report to the file of `--out`, with text at a terminal, or else to standard output. */
export function writeOut(
  settings: ReportSettings,
  format: ReportFormat,
  reportAs: (format: ReportFormat) => string,
): void {
  const { out } = settings
  if (out === undefined) {
    io().stdout.write(reportAs(format))
    return
  }
  write(out, reportAs(format))
  if (!printsJson(settings)) io().stdout.write(reportAs('text'))
}

const EXTENSIONS: Readonly<Record<string, ReportFormat>> = { json: 'json', xml: 'junit', md: 'markdown' }

/** Returns the format of a report. Throws a UsageError if the file of `--out` can't be written. */
export function formatOf(settings: ReportSettings): ReportFormat {
  if (settings.out !== undefined) mustBeWritable(settings.out)
  return settings.report ?? defaultFormat(settings)
}

/** The format that the name of the file says, or else text at a terminal and JSON in a pipe. */
function defaultFormat(settings: ReportSettings): ReportFormat {
  const { out } = settings
  if (out === undefined) return printsJson(settings) ? 'json' : 'text'
  return EXTENSIONS[/\.(\w+)$/.exec(out)?.[1]?.toLowerCase() ?? ''] ?? (settings.json ? 'json' : 'text')
}

/** Checks a path before the exam, so that a wrong one ends it early and changes nothing. */
function mustBeWritable(file: string): void {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory() === true) throw new UsageError(`--out: ${file} is a folder`)
    accessSync(found ? file : dirname(file), constants.W_OK)
  } catch (error) {
    throw error instanceof UsageError ? error : writeError(file, error)
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw writeError(file, error)
  }
}

const writeError = (file: string, error: unknown): UsageError =>
  new UsageError(`--out: cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
