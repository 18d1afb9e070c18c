/** Where the report of an exam goes: standard output, or a file. */
import { io } from '@suite-sim/kit/terminal/io'
import { mustBeWritable, writeOutFile } from '@suite-sim/kit/terminal/outFiles'
import { printsJson, type OutputSettings } from '@suite-sim/kit/terminal/output'
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
  writeOutFile(out, reportAs(format))
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
