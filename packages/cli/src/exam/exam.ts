/**
 * `suite-sim exam` and the library's `exam`: they send a webhook receiver what production sends on a bad day, and report
 * what it did.
 */
import { MAX_SECRET_LENGTH } from '@suite-sim/kit/webhooks/listening'
import { withProgress } from '@suite-sim/kit/terminal/output'
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
import {
  checkOptionValues,
  mustBeText,
  namesProblem,
  SECRET_RULE,
  secretProblem,
  timeoutProblem,
  urlProblem,
  type Checks,
} from './checks.ts'
import { countGrades } from './formats.ts'
import { formatOf, writeOut, type ReportSettings } from './output.ts'
import { jsonReport, writeReport } from './reports.ts'

export interface ExamSettings extends WorkspaceSettings, ReportSettings {
  readonly receiver: string
  readonly interface: string
  readonly events?: readonly string[]
  /** A URL, or "workspace". */
  readonly observe?: string
  readonly secret: string
  readonly timeout: number
}

/** Examines the receiver and prints or writes the report. Throws a CommandError if it failed. */
export async function exam(settings: ExamSettings): Promise<void> {
  const { receiver, interface: of, events, secret, timeout, observe } = settings
  if (secret.length > MAX_SECRET_LENGTH) throw new UsageError(`--secret ${SECRET_RULE}`)
  const format = formatOf(settings)
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
  writeOut(settings, format, (as) => writeReport(as, examined))
  const { failed } = countGrades(examined.properties)
  if (failed === 0 && result.observeError !== null) throw new CommandError(result.observeError)
  if (failed === 0) return
  const names = examined.properties.filter(({ grade }) => grade === 'fail').map(({ name }) => name)
  throw new CommandError(`the receiver failed the exam: ${names.join(', ')}`)
}

function observerOf(settings: ExamSettings): Observer | null {
  const { observe, workspace } = settings
  if (observe === undefined) return null
  return observe === 'workspace'
    ? new WorkspaceObserver(remoteOf(settings), workspace)
    : new UrlObserver(observe)
}

/** Examines the receiver and returns the report. Throws a UsageError for a wrong option. */
export async function examFor(options: ExamOptions, hooks: ExamHooks = {}): Promise<ExamReport> {
  checkOptionValues(CHECKS, options, 'receiver')
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

const CHECKS: Checks<ExamOptions> = {
  receiver: urlProblem,
  interface: mustBeText,
  events: namesProblem,
  observe: (value) => {
    if (typeof value === 'function') return null
    const isWorkspace = typeof (value as { readonly changes?: unknown } | null)?.changes === 'function'
    return isWorkspace ? null : urlProblem(value)
  },
  secret: secretProblem,
  timeout: timeoutProblem,
}
