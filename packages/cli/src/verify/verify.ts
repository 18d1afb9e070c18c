/** `suite-sim verify` and `suite-sim verify cleanup`. */
import { existsSync } from 'node:fs'
import { io } from '@suite-sim/kit/terminal/io'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Confirmed, Rate, VerifyHooks, VerifyOptions } from '@suite-sim/verify/options'
import type { StartServer } from '@suite-sim/verify/reference'
import type { Report } from '@suite-sim/verify/report/report'
import { comparedWith, parseReport } from '@suite-sim/verify/report/since'
import { jsonFile, shortText } from '@suite-sim/verify/report/values'
import { withoutSecrets } from '@suite-sim/verify/report/withoutSecrets'
import { print, printsJson } from '@suite-sim/kit/terminal/output'
import { exitNow, onClosedPipe } from '@suite-sim/kit/terminal/pipes'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { readText } from '@suite-sim/kit/terminal/textFiles'
import { readToken, TOKEN_CHARACTERS } from '@suite-sim/kit/terminal/tokenFiles'
import type * as Bundle from './comparison.ts'
import { confirmWord } from './confirming.ts'
import { agreement, outcomeOf } from './outcome.ts'
import { checkFiles, reportTargets, writeReports, writeResult } from './outputs.ts'
import type { ReportTarget } from './parsing.ts'
import { createProgressLine } from './progress.ts'

interface TargetSettings {
  readonly baseUrl?: string
  readonly at?: Readonly<Partial<Record<InterfaceName, string>>>
  readonly key?: string
  readonly keyFile?: string
  readonly budget: number
  readonly rate: Rate | 'off'
  readonly ledger: string
  readonly json?: boolean
}

export interface VerifySettings extends TargetSettings {
  readonly interface?: readonly InterfaceName[]
  readonly account?: number
  readonly timezone?: string
  readonly with?: Readonly<Record<string, string>>
  readonly report?: readonly ReportTarget[]
  readonly out?: string
  readonly minCoverage?: number
  readonly since?: string
  readonly observed?: string
  readonly probeAuth?: boolean
  readonly replay?: string
  readonly write?: boolean
  readonly allow?: readonly string[]
  readonly live?: boolean
  readonly confirm?: readonly Confirmed[]
}

export interface CleanupSettings extends TargetSettings {
  readonly run: string
}

/** The largest report and the largest HAR file that are read. */
const MAX_MEGABYTES = 100

type Comparison = typeof Bundle

/** What a command runs, loaded when it runs. Tests replace it. */
export const comparison = {
  verify: async (...all: Parameters<Comparison['verify']>) =>
    (await import('./comparison.ts')).verify(...all),
  cleanUp: async (...all: Parameters<Comparison['cleanUp']>) =>
    (await import('./comparison.ts')).cleanUp(...all),
}

/** Verifies a service and writes the reports. Throws a CommandError if it differs or too little was checked. */
export async function verifyService(settings: VerifySettings, keySource: string | undefined): Promise<void> {
  checkFlags(settings)
  const { observed, since, confirm = [], minCoverage } = settings
  const options = optionsOf(settings, keySource)
  const earlier = since === undefined ? null : earlierReport(since)
  const targets = reportTargets({ ...settings, printsJson: printsJson(settings) })
  checkFiles([
    ...targets.flatMap(({ file }) => (file === null ? [] : [['--report', file] as const])),
    ...(observed === undefined ? [] : [['--observed', observed] as const]),
  ])
  const progress = createProgressLine()
  const stopping = stoppable(() => {
    progress.clear()
  })
  const hooks: VerifyHooks = {
    signal: stopping.signal,
    onProgress: (each) => {
      progress.show(each)
    },
    confirm: (question, word) =>
      confirmWord(question, word, {
        confirmed: confirm,
        signal: stopping.signal,
        stop: stopping.stop,
        before: () => {
          progress.clear()
        },
      }),
  }
  const { report, overlay } = await asCommandErrors(
    comparison.verify(options, startReference, hooks),
  ).finally(() => {
    progress.clear()
    stopping.end()
  })
  const clean = withoutSecrets(report, options.key === '' ? [] : [options.key])
  const result = earlier ? comparedWith(clean, earlier) : clean
  const failures = observed === undefined ? [] : writeResult('--observed', observed, jsonFile(overlay))
  writeReports(result, targets)
  if (failures.length > 0) throw new CommandError(failures.join('; '))
  conclude(result, targets, {
    wasStopped: stopping.signal.aborted,
    ...(minCoverage !== undefined && { minCoverage }),
  })
}

function conclude(
  report: Report,
  targets: readonly ReportTarget[],
  expected: Parameters<typeof outcomeOf>[1],
): void {
  const error = outcomeOf(report, expected)
  if (error) throw error
  // At a terminal, the report ends with the same figures.
  const isShown = targets.some(({ file, format }) => file === null && format === 'text')
  if (isShown ? !io().stdout.isTTY : targets.every(({ file }) => file !== null)) {
    io().stderr.write(`suite-sim: ${agreement(report)}\n`)
  }
}

/** Deletes what a run in write mode left behind. Throws a CommandError if something remains. */
export async function cleanUp(settings: CleanupSettings, keySource: string | undefined): Promise<void> {
  const { run, ledger } = settings
  const options = { ...targetOf(settings, keySource), run, ledgers: ledger }
  const progress = createProgressLine()
  const stopping = stoppable(() => {
    progress.clear()
  })
  const result = await asCommandErrors(
    comparison.cleanUp(options, startReference, {
      signal: stopping.signal,
      onProgress: (each) => {
        progress.show(each)
      },
    }),
  ).finally(() => {
    progress.clear()
    stopping.end()
  })
  print(settings, result, () =>
    [
      ...result.deleted.map((record) => `deleted  ${shortText(record)}`),
      ...result.remaining.map(({ record, why }) => `remains  ${shortText(record)}: ${shortText(why)}`),
      ...(result.deleted.length + result.remaining.length === 0 ? ['nothing was left'] : []),
    ].join('\n'),
  )
  const count = result.remaining.length
  if (count > 0)
    throw new CommandError(`${String(count)} ${count === 1 ? 'record remains' : 'records remain'}`)
}

/** Refuses flags that have no effect. */
function checkFlags({ write = false, replay, ...settings }: VerifySettings): void {
  for (const [flag, value] of [
    ['--allow', settings.allow],
    ['--live', settings.live],
    ['--confirm', settings.confirm],
  ] as const) {
    if (value !== undefined && !write) throw new UsageError(`${flag} has an effect only with --write`)
  }
  if (replay === undefined) return
  if (write) throw new UsageError('--replay sends nothing, so it must be without --write')
  if (settings.probeAuth) throw new UsageError('--replay sends nothing, so it must be without --probe-auth')
}

function optionsOf(settings: VerifySettings, keySource: string | undefined): VerifyOptions {
  const {
    account,
    timezone,
    with: values,
    probeAuth,
    write = false,
    allow,
    live,
    ledger,
    replay,
    observed,
  } = settings
  return {
    ...targetOf(settings, keySource),
    ...(settings.interface && { interfaces: [...new Set(settings.interface)] }),
    ...(account !== undefined && { account }),
    ...(timezone !== undefined && { timezone }),
    ...(values && { values }),
    ...(probeAuth === true && { probeAuth }),
    ...(write && {
      write: { ledgers: ledger, ...(allow && { allow }), ...(live === true && { isLive: true }) },
    }),
    ...(replay !== undefined && { replay: parsedFile('--replay', replay) }),
    // The run follows an earlier overlay, and brings it up to date.
    ...(observed !== undefined && existsSync(observed) && { observed: parsedFile('--observed', observed) }),
  }
}

function targetOf(settings: TargetSettings & { replay?: string }, keySource: string | undefined) {
  const { baseUrl, at, budget, rate } = settings
  if (baseUrl === undefined)
    throw new UsageError('--base-url or SIM_VERIFY_BASE_URL must be the URL of the service')
  const key = keyOf(settings, keySource)
  if (key === null && settings.replay === undefined) {
    throw new UsageError('--key-file, --key or SIM_VERIFY_KEY must be the key for the service')
  }
  return { baseUrl, key: key ?? '', budget, rate: rate === 'off' ? null : rate, ...(at && { at }) }
}

/** Returns the key. A flag overrides the variable. */
function keyOf({ key, keyFile }: TargetSettings, keySource: string | undefined): string | null {
  if (keyFile !== undefined) {
    if (keySource === 'cli') throw new UsageError('--key and --key-file are both given; use one of them')
    return readToken('--key-file', keyFile)
  }
  if (key === undefined) return null
  if (!TOKEN_CHARACTERS.test(key)) {
    throw new UsageError('--key must be visible ASCII characters without spaces')
  }
  return key
}

function earlierReport(file: string): Report {
  try {
    return parseReport(readText('--since', file, MAX_MEGABYTES))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new UsageError(`--since: ${file}: ${(error as Error).message}`)
  }
}

function parsedFile(flag: string, file: string): unknown {
  const content = readText(flag, file, MAX_MEGABYTES)
  try {
    return JSON.parse(content)
  } catch {
    throw new UsageError(`${flag}: ${file} must be JSON`)
  }
}

/** Starts a simulator that the service is compared with. */
const startReference: StartServer = async ({ observed, readings }) => {
  const { buildApp, observing } = await import('../../../../src/index.ts')
  const app = await buildApp({
    fixtures: 'none',
    rateLimits: false,
    extension: await observing({ observed, prefer: 'observed' }),
    ...(readings && { readings }),
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

/** Returns the result, or an error of one line. The classes of another bundle are others, so their names count. */
async function asCommandErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'VerifyOptionsError' || name === 'ObservedError') throw new UsageError(message)
    throw name === 'SelfCheckError' ? new CommandError(message) : error
  }
}

interface Stopping {
  readonly signal: AbortSignal
  readonly stop: () => void
  /** Restores the default of the signals. */
  readonly end: () => void
}

/** Exit code of a program that was ended with Ctrl-C. */
const INTERRUPTED = 130

/** Lets Ctrl-C end the run with its report. A second one ends the program. */
function stoppable(beforeNote: () => void): Stopping {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) {
      exitNow(INTERRUPTED)
      return
    }
    controller.abort()
    beforeNote()
    if (io().stderr.isTTY) io().stderr.write('Stopping. Press Ctrl-C again to end without a report.\n')
  }
  io().on('SIGINT', stop)
  io().on('SIGTERM', stop)
  // Also without a reader, the run must end as planned: write mode has records to delete.
  const restore = onClosedPipe(() => {
    controller.abort()
  })
  return {
    signal: controller.signal,
    stop,
    end: () => {
      io().off('SIGINT', stop)
      io().off('SIGTERM', stop)
      restore()
    },
  }
}
