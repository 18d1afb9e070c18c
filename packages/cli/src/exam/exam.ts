/**
 * `suite-sim exam` and the library's `exam`: they send a webhook receiver what production sends on a bad day, and report
 * what it did.
 */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { io } from '@suite-sim/kit/terminal/io'
import { MAX_SECRET_LENGTH } from '@suite-sim/kit/webhooks/listening'
import { printsJson, withProgress } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { remoteOf } from '@suite-sim/kit/terminal/remote'
import { examine } from './examine.ts'
import {
  FunctionObserver,
  UrlObserver,
  withoutQuery,
  WorkspaceObserver,
  type Observation,
  type Observer,
} from './observers.ts'
import { DEFAULTS, type ExamHooks, type ExamOptions, type ExamReport } from './options.ts'
import { countGrades, type ReportFormat } from './formats.ts'
import { jsonReport, writeReport } from './reports.ts'

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

const SECRET_RULE = `must have 1 to ${String(MAX_SECRET_LENGTH)} characters`

/** Examines the receiver and prints or writes the report. Throws a CommandError if it failed. */
export async function exam(settings: ExamSettings): Promise<void> {
  const { receiver, interface: of, events, secret, timeout, observe, out } = settings
  if (secret.length > MAX_SECRET_LENGTH) throw new UsageError(`--secret ${SECRET_RULE}`)
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
  if (out === undefined) io().stdout.write(report)
  else {
    write(out, report)
    if (!printsJson(settings)) io().stdout.write(writeReport('text', examined))
  }
  const { failed } = countGrades(examined.properties)
  if (failed === 0 && result.observeError !== null) throw new CommandError(result.observeError)
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

/** Examines the receiver and returns the report. Throws a UsageError for a wrong option. */
export async function examFor(options: ExamOptions, hooks: ExamHooks = {}): Promise<ExamReport> {
  mustBeValid(options)
  const { receiver, observe, events } = options
  const { interface: of = DEFAULTS.interface, secret = DEFAULTS.secret } = options
  const timeoutMs = (options.timeout ?? DEFAULTS.timeout) * 1000
  const observer = observe === undefined ? null : observerFor(observe)
  try {
    const examination = { ...hooks, receiver, interface: of, events, secret, observer, timeoutMs }
    const result = await examine(examination)
    const report = jsonReport({
      ...result,
      receiver: withoutQuery(receiver),
      interface: of,
      observe: observe === undefined ? null : nameOf(observe),
    })
    const properties = report.properties.map((each) => ({ ...each, reason: withoutDashes(each.reason) }))
    return { ...report, properties }
  } catch (error) {
    if (error instanceof CommandError) error.message = withoutDashes(error.message)
    throw error
  }
}

/** The texts name flags; the options of the library have the same names. */
const withoutDashes = (text: string): string =>
  text.replaceAll(/(?<![\w-])--(?=(?:observe|secret|events|interface)\b)/g, '')

type Observe = NonNullable<ExamOptions['observe']>

function observerFor(observe: Observe): Observer {
  if (typeof observe === 'string') return new UrlObserver(observe)
  if (typeof observe === 'function') return new FunctionObserver(observe)
  return {
    observe: async (): Promise<Observation> => {
      const { summary } = await observe.changes({ limit: 1 }).catch((error: unknown) => {
        throw new CommandError(`--observe failed: ${(error as Error).message}`)
      })
      return { count: summary.added, ids: null, current: null }
    },
  }
}

function nameOf(observe: Observe): string {
  if (typeof observe === 'string') return withoutQuery(observe)
  return typeof observe === 'function' ? 'function' : 'workspace'
}

/** Returns the rule that a value breaks; null if it breaks none. */
type Check = (value: unknown) => string | null

const mustBeText: Check = (value) =>
  typeof value === 'string' && value !== '' ? null : 'must be a non-empty string'

const CHECKS: Readonly<Record<keyof ExamOptions, Check>> = {
  receiver: urlProblem,
  interface: mustBeText,
  events: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((each) => mustBeText(each) === null)
      ? null
      : 'must be an array of non-empty strings',
  observe: (value) => {
    if (typeof value === 'function') return null
    const isWorkspace = typeof (value as { readonly changes?: unknown } | null)?.changes === 'function'
    return isWorkspace ? null : urlProblem(value)
  },
  secret: (value) =>
    typeof value === 'string' && value.length >= 1 && value.length <= MAX_SECRET_LENGTH ? null : SECRET_RULE,
  timeout: (value) =>
    typeof value === 'number' && value >= 1 && value <= 60 ? null : 'must be 1 to 60 seconds',
}

function urlProblem(value: unknown): string | null {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL that starts with http:// or https://'
  return url.username || url.password ? 'must have no user or password' : null
}

function mustBeValid(options: ExamOptions): void {
  for (const [name, check] of Object.entries(CHECKS) as [keyof ExamOptions, Check][]) {
    const value = options[name]
    const problem = value === undefined && name !== 'receiver' ? null : check(value)
    if (problem !== null) throw new UsageError(`${name} ${problem}`)
  }
}
