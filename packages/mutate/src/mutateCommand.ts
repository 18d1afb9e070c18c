/** Runs `suite-sim mutate`: the runs, the progress and the report. */
import { io } from '@suite-sim/kit/terminal/io'
import { mustBeWritable, writeOutFile } from '@suite-sim/kit/terminal/outFiles'
import { printsJson } from '@suite-sim/kit/terminal/output'
import { exit } from '@suite-sim/kit/terminal/pipes'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { REPORT_FORMATS, writeReport, type ReportFormat } from './report/formats.ts'
import { reportOf } from './report/report.ts'
import { mutate, TooLittleError, type Progress } from './run/mutate.ts'
import type { ServeOptions } from './run/workplace.ts'

export interface MutateSettings {
  readonly interface?: readonly InterfaceName[]
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  /** In ms. */
  readonly budget?: number
  readonly seed: string
  readonly jobs: number
  readonly serve?: true
  readonly port?: number
  readonly fixtures: string
  readonly adminToken?: string
  readonly junit?: string
  /** A share from 0 to 1. */
  readonly minScore?: number
  readonly report?: ReportFormat
  readonly out?: string
  readonly json?: true
}

/** Runs the command with each mutation and prints the report. Throws a CommandError if the grade is too low. */
export async function runMutate(command: readonly string[], settings: MutateSettings): Promise<void> {
  const { out, junit, jobs, seed, minScore = null } = settings
  mustFit(settings, command)
  if (out !== undefined) mustBeWritable(out)
  const interruption = new AbortController()
  const interrupt = (): void => {
    interruption.abort()
  }
  io().on('SIGINT', interrupt)
  io().on('SIGTERM', interrupt)
  const line = new ProgressLine()
  try {
    const result = await mutate(
      {
        command,
        env: io().env,
        serve: serveOf(settings),
        junit: junit ?? null,
        signal: interruption.signal,
        interfaces: settings.interface,
        only: settings.only,
        except: settings.except,
        seed,
        jobs,
        budgetMs: settings.budget ?? null,
      },
      (progress) => {
        line.show(progress)
      },
    )
    line.clear()
    const report = reportOf(result, { command, seed, minScore })
    const text = writeReport(formatOf(settings), report)
    if (out === undefined) io().stdout.write(text)
    else {
      writeOutFile(out, text)
      if (!printsJson(settings)) io().stdout.write(writeReport('text', report))
    }
    if (report.isInterrupted) await exit(INTERRUPTED)
    if (report.score.harmful + report.score.harmless === 0) {
      throw new TooLittleError(
        'no run met its change, so that nothing can be said; if the test runner takes results from a cache, turn that off',
      )
    }
    if (report.problems.length > 0) throw new CommandError(report.problems.join('; '))
  } finally {
    line.clear()
    io().off('SIGINT', interrupt)
    io().off('SIGTERM', interrupt)
  }
}

const INTERRUPTED = 130

function mustFit({ jobs, junit, port, serve }: MutateSettings, command: readonly string[]): void {
  const isNumbered = (words: readonly string[]): boolean => words.some((word) => word.includes('{job}'))
  if (jobs > 1 && junit !== undefined && !(isNumbered([junit]) && isNumbered(command))) {
    throw new UsageError(
      '--jobs needs {job} in --junit and in the command, so that each run writes a file of its own',
    )
  }
  if (jobs > 1 && port !== undefined)
    throw new UsageError('--port needs --jobs 1, because each run has a simulator')
  if (port !== undefined && serve !== true) throw new UsageError('--port needs --serve')
}

/** Tests that use a running server get one of each run: the server of SUITE_SIM_URL stays as it is. */
function serveOf({ serve, port = 0, fixtures, adminToken }: MutateSettings): ServeOptions | null {
  const { env } = io()
  if (serve !== true && !env['SUITE_SIM_URL']) return null
  return { port, fixtures, adminToken, seed: env['SIM_SEED'] }
}

const EXTENSIONS: Readonly<Record<string, string>> = { json: 'json', xml: 'junit', md: 'md', html: 'html' }

/** The format that the name of the file says, or else text at a terminal and JSON in a pipe. */
function formatOf(settings: MutateSettings): ReportFormat {
  const { report, out } = settings
  if (report !== undefined) return report
  const named = EXTENSIONS[/\.(\w+)$/.exec(out ?? '')?.[1]?.toLowerCase() ?? '']
  const format = REPORT_FORMATS.find((each) => each === named)
  if (format !== undefined) return format
  return (out === undefined ? printsJson(settings) : settings.json === true) ? 'json' : 'text'
}

/** Changes between the lines of a log. */
const LOG_EVERY = 10

/** One line on standard error that changes; in a log, a line from time to time. */
class ProgressLine {
  #length = 0

  show({ done, total, mutation, leftMs }: Progress): void {
    const what = mutation ? `${String(done + 1)}/${String(total)} ${mutation.id}` : 'the run without a change'
    const text = leftMs === null || mutation === null ? what : `${what}, ${timeText(leftMs)} left`
    if (io().stderr.isTTY === true) this.#put(text)
    else if (mutation !== null && done % LOG_EVERY === 0) io().stderr.write(`${text}\n`)
  }

  clear(): void {
    if (this.#length === 0) return
    this.#put('')
    io().stderr.write('\r')
    this.#length = 0
  }

  #put(text: string): void {
    const { columns = 80 } = io().stderr
    const shown = text.slice(0, Math.max(20, columns - 1))
    io().stderr.write(`\r${shown.padEnd(this.#length)}`)
    this.#length = shown.length
  }
}

/** "about 3 min" */
export function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 90 ? `about ${String(seconds)} s` : `about ${String(Math.ceil(seconds / 60))} min`
}
