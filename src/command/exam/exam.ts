/** `suite-sim exam`: sends a webhook receiver what production sends on a bad day, and reports what it did. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { MAX_SECRET_LENGTH } from '../../control/webhooks/listenMessages.ts'
import { printsJson, withProgress } from '../terminal/output.ts'
import { CommandError, UsageError } from '../terminal/problem.ts'
import type { WorkspaceSettings } from '../terminal/settings.ts'
import { remoteOf } from '../remote/workspaces.ts'
import { examine } from './examine.ts'
import { UrlObserver, withoutQuery, WorkspaceObserver, type Observer } from './observers.ts'
import { countGrades, writeReport, type ReportFormat } from './reports.ts'

export interface ExamSettings extends WorkspaceSettings {
  readonly receiver: string
  readonly interface: string
  readonly events?: readonly string[]
  /** A URL, or "workspace". */
  readonly observe?: string
  readonly report?: ReportFormat
  readonly out?: string
  readonly secret: string
  readonly timeout: number
}

/** Examines the receiver and prints or writes the report. Throws a CommandError if it failed. */
export async function exam(settings: ExamSettings): Promise<void> {
  const { receiver, interface: of, events, secret, timeout, observe, out } = settings
  if (secret.length > MAX_SECRET_LENGTH)
    throw new UsageError(`--secret must have 1 to ${String(MAX_SECRET_LENGTH)} characters`)
  const format = settings.report ?? defaultFormat(settings)
  if (out !== undefined) mustBeWritable(out)
  const observer = observerOf(settings)
  const timeoutMs = timeout * 1000
  const work = examine({ receiver, interface: of, events, secret, observer, timeoutMs })
  const result = await withProgress(`Examining ${withoutQuery(receiver)}`, work)
  const examined = {
    ...result,
    receiver: withoutQuery(receiver),
    interface: of,
    observe: observe === undefined ? null : withoutQuery(observe),
  }
  const report = writeReport(format, examined)
  if (out === undefined) process.stdout.write(report)
  else {
    write(out, report)
    if (!printsJson(settings)) process.stdout.write(writeReport('text', examined))
  }
  const { failed } = countGrades(examined)
  if (failed === 0) return
  const names = examined.properties.filter(({ grade }) => grade === 'fail').map(({ name }) => name)
  throw new CommandError(`the receiver failed the exam: ${names.join(', ')}`)
}

const EXTENSIONS: Readonly<Record<string, ReportFormat>> = { json: 'json', xml: 'junit', md: 'markdown' }

/** The format that the name of the file says, or else text at a terminal and JSON in a pipe. */
function defaultFormat(settings: ExamSettings): ReportFormat {
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

function observerOf(settings: ExamSettings): Observer | null {
  const { observe, workspace } = settings
  if (observe === undefined) return null
  return observe === 'workspace'
    ? new WorkspaceObserver(remoteOf(settings), workspace)
    : new UrlObserver(observe)
}
