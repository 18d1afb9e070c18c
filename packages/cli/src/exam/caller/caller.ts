/** `suite-sim exam --caller` and the library's `examCaller`: they examine a client under bad weather. */
import { SimulatorError } from '@suite-sim/client/errors'
import { io } from '@suite-sim/kit/terminal/io'
import { MAX_SECRET_LENGTH } from '@suite-sim/kit/webhooks/listening'
import { print, withProgress, type OutputSettings } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { DEFAULTS, type ExamHooks } from '../options.ts'
import { countGrades } from '../formats.ts'
import {
  checkOptionValues,
  mustBeText,
  namesProblem,
  SECRET_RULE,
  secretProblem,
  timeoutProblem,
  urlProblem,
  type Checks,
} from '../checks.ts'
import { formatOf, writeOut, type ReportSettings } from '../output.ts'
import { CALLER_PROPERTIES, examineCaller, type CallerResult } from './examineCaller.ts'
import { CALLER_DEFAULTS, type CallerExamOptions, type CallerExamReport } from './options.ts'
import { callerJson, writeCallerReport } from './reports.ts'

export interface CallerSettings extends ReportSettings {
  readonly command: readonly string[]
  readonly only?: readonly string[]
  readonly list?: boolean
  readonly fixtures?: string
  readonly receiver?: string
  readonly secret: string
  readonly seed?: string
  readonly timeout?: number
  /** The server to use, if the command names one. */
  readonly server?: { readonly url: string; readonly adminToken: string | null } | undefined
}

/** Examines a client and prints or writes the report. Throws a CommandError if it failed. */
export async function callerExam(settings: CallerSettings): Promise<void> {
  const { command, server, list = false } = settings
  if (list) {
    listProperties(settings)
    return
  }
  if (command.length === 0)
    throw new UsageError(
      'exam --caller needs the command of the client: suite-sim exam --caller -- node client.mjs',
    )
  const format = formatOf(settings)
  const { only, receiver = null, secret, fixtures, seed, timeout } = { ...CALLER_DEFAULTS, ...settings }
  if (secret.length > MAX_SECRET_LENGTH) throw new UsageError(`--secret ${SECRET_RULE}`)
  const caller = command.join(' ')
  const options = { run: command, only, receiver, secret, fixtures, seed, timeout, server }
  const work = untilInterrupted((signal) => examineCaller({ ...options, signal }))
  const results = await withProgress(`Examining ${caller}`, work)
  if (server) await deletePassed(results)
  const examined = { caller, seed, url: server?.url ?? null, results }
  writeOut(settings, format, (as) => writeCallerReport(as, examined))
  if (countGrades(results).failed === 0) return
  const names = results.filter(({ grade }) => grade === 'fail').map(({ name }) => name)
  throw new CommandError(`the client failed the exam: ${names.join(', ')}`)
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Ends the exam on a signal, with the commands that it has started: they are in groups of their own. */
async function untilInterrupted<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const ending = new AbortController()
  const end = (signal: string): void => {
    ending.abort(new CommandError(`the exam was ended by ${signal}`))
  }
  for (const signal of SIGNALS) io().on(signal, end)
  try {
    return await work(ending.signal)
  } catch (error) {
    throw error instanceof SimulatorError ? new CommandError(error.message) : error
  } finally {
    for (const signal of SIGNALS) io().off(signal, end)
  }
}

function listProperties(settings: OutputSettings): void {
  const properties = CALLER_PROPERTIES.map(({ name, title }) => ({ name, title }))
  print(settings, properties, () =>
    properties.map(({ name, title }) => `${name.padEnd(15)}  ${title}`).join('\n'),
  )
}

/** Keeps only the workspaces that prove a failure. */
async function deletePassed(results: readonly CallerResult[]): Promise<void> {
  const kept = new Set(results.flatMap(({ proof }) => proof.map(({ run }) => run.workspace)))
  const workspaces = results.flatMap(({ runs }) => runs.map(({ workspace }) => workspace))
  for (const workspace of workspaces) if (!kept.has(workspace)) await workspace.delete()
}

/** Examines a client and returns the report. Throws a UsageError for a wrong option, whose text has no flags. */
export async function examCallerFor(
  options: CallerExamOptions,
  hooks: ExamHooks = {},
): Promise<CallerExamReport> {
  checkOptionValues(CHECKS, options, 'run')
  const {
    run,
    only,
    receiver = null,
    fixtures,
    seed,
    timeout,
    secret,
  } = {
    ...CALLER_DEFAULTS,
    secret: DEFAULTS.secret,
    ...options,
  }
  const results = await examineCaller({ ...hooks, run, only, receiver, fixtures, seed, timeout, secret })
  const caller = typeof run === 'function' ? 'function' : run.join(' ')
  return callerJson({ caller, seed, url: null, results })
}

const CHECKS: Checks<CallerExamOptions> = {
  run: (value) =>
    typeof value === 'function' || namesProblem(value) === null
      ? null
      : 'must be a function, or a command as an array of strings',
  only: namesProblem,
  fixtures: (value) => (typeof value === 'object' && value !== null ? null : mustBeText(value)),
  receiver: urlProblem,
  secret: secretProblem,
  seed: mustBeText,
  timeout: timeoutProblem,
}
