/** One undisturbed run, then one run for each mutation. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { stripVTControlCharacters } from 'node:util'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { mutationsOf } from '../listing.ts'
import type { MetInterface } from '../met.ts'
import { readMet } from '../readMet.ts'
import type { Mutation } from '../mutation.ts'
import { verdictOf, type Outcome } from './outcome.ts'
import { runOnce, type RunnerOptions, type RunResult } from './workplace.ts'

export interface MutateOptions extends RunnerOptions {
  readonly interfaces: readonly InterfaceName[] | undefined
  readonly only: readonly string[] | undefined
  readonly except: readonly string[] | undefined
  readonly seed: string
  readonly jobs: number
  /** Ms for everything; null without an end. */
  readonly budgetMs: number | null
}

export interface Progress {
  readonly done: number
  readonly total: number
  /** The mutation that runs; null in the undisturbed run. */
  readonly mutation: Mutation | null
  /** Ms until the end; null if it is not known yet. */
  readonly leftMs: number | null
}

export interface MutateResult {
  readonly met: readonly MetInterface[]
  /** In the order in which they are listed. */
  readonly outcomes: readonly Outcome[]
  /** The failed tests of a last run without a change; null if it passed, or was not needed. */
  readonly failedAtLast: readonly string[] | null
  readonly undisturbedMs: number
  readonly isInterrupted: boolean
}

/** Too little was met for a statement. */
export class TooLittleError extends CommandError {
  override readonly exitCode = 3
}

/** The time limit of a run: a mutation can let a test wait for something that never happens. */
const limitOf = (undisturbedMs: number): number => 5 * undisturbedMs + 30_000

/** The limit of the undisturbed run. */
const FIRST_LIMIT_MS = 60 * 60_000

export async function mutate(
  options: MutateOptions,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<MutateResult> {
  const root = mkdtempSync(join(tmpdir(), 'suite-sim-mutate-'))
  try {
    return await mutateIn(root, options, onProgress)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function mutateIn(
  root: string,
  options: MutateOptions,
  onProgress: (progress: Progress) => void,
): Promise<MutateResult> {
  const begun = monotonicNow()
  onProgress({ done: 0, total: 0, mutation: null, leftMs: null })
  const undisturbed = await runOnce(options, { mutation: null, root, job: 1, timeoutMs: FIRST_LIMIT_MS })
  const { durationMs: undisturbedMs } = undisturbed
  if (isOver(options))
    return { met: [], outcomes: [], failedAtLast: null, undisturbedMs, isInterrupted: true }
  mustHavePassed(undisturbed)
  if (undisturbed.isJunitMissing)
    throw new UsageError(`--junit: the command wrote no ${String(options.junit)}`)
  const met = await readMet(undisturbed.lines, options.interfaces)
  if (met.length === 0) throw new TooLittleError(nothingMet(options))
  const mutations = mutationsOf(met, options)
  if (mutations.length === 0 && !options.only && !options.except)
    throw new TooLittleError(nothingMet(options))
  if (mutations.length === 0)
    throw new UsageError(
      '--only and --except must leave kinds, fields, operations or events that the command met',
    )
  const runs = new Runs(root, options, { undisturbedMs, begun, onProgress })
  const outcomes = await runs.all(mutations)
  const last = await runs.undisturbed(outcomes)
  const isInterrupted = isOver(options)
  const failedAtLast = last && last.code !== 0 && !isInterrupted ? last.failed : null
  return { met, outcomes, failedAtLast, undisturbedMs, isInterrupted }
}

/** A call, because the signal changes while a run is awaited. */
const isOver = ({ signal }: MutateOptions): boolean => signal.aborted

const nothingMet = ({ serve }: MutateOptions): string =>
  serve
    ? 'the command called no interface of the simulator in SUITE_SIM_URL'
    : 'the command called no interface of a simulator that it started; if it uses a running one, set SUITE_SIM_URL or give --serve; if its runner takes results from a cache, turn that off'

/** Its last words, if the names of its failed tests are not known. */
function mustHavePassed({ code, output, failed }: RunResult): void {
  if (code === 0) return
  const lines = stripVTControlCharacters(output).split('\n')
  const last = lines.flatMap((line) => line.trim() || []).slice(-LAST_LINES)
  const ending = code === null ? 'a signal' : String(code)
  const why = failed.length > 0 ? `failed tests: ${failed.join('; ')}` : last.join(' | ')
  throw new UsageError(`the command must pass without a change; it ended with ${ending}: ${why}`)
}

const LAST_LINES = 5

interface Timing {
  readonly undisturbedMs: number
  readonly begun: number
  readonly onProgress: (progress: Progress) => void
}

/** Runs mutations, several at the same time if there are jobs for them. */
class Runs {
  readonly #root: string
  readonly #options: MutateOptions
  readonly #timing: Timing
  readonly #outcomes = new Map<Mutation, Outcome>()
  #runMs = 0

  constructor(root: string, options: MutateOptions, timing: Timing) {
    this.#root = root
    this.#options = options
    this.#timing = timing
  }

  async all(mutations: readonly Mutation[]): Promise<Outcome[]> {
    const queue = [...mutations]
    const work = async (job: number): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        if (!this.#hasTime()) return
        this.#show(mutations.length, next)
        const outcome = await this.#run(next, job)
        if (!this.#options.signal.aborted) this.#outcomes.set(next, outcome)
      }
    }
    await Promise.all(Array.from({ length: this.#options.jobs }, (_, index) => work(index + 1)))
    return mutations.map((mutation) => this.#outcomes.get(mutation) ?? notRun(mutation))
  }

  /** A run without a change shows whether it was the changes that failed tests; null if nothing failed. */
  async undisturbed(outcomes: readonly Outcome[]): Promise<RunResult | null> {
    if (this.#options.signal.aborted || !outcomes.some(({ verdict }) => verdict === 'noticed')) return null
    const timeoutMs = limitOf(this.#timing.undisturbedMs)
    return runOnce(this.#options, { mutation: null, root: this.#root, job: 1, timeoutMs })
  }

  #hasTime(): boolean {
    const { signal, budgetMs } = this.#options
    if (signal.aborted) return false
    // The last run has none, and needs its time, too.
    const needed = this.#usualMs() + this.#timing.undisturbedMs
    return budgetMs === null || monotonicNow() - this.#timing.begun + needed <= budgetMs
  }

  /** The usual ms of a run. */
  #usualMs(): number {
    return this.#outcomes.size === 0 ? this.#timing.undisturbedMs : this.#runMs / this.#outcomes.size
  }

  #show(total: number, mutation: Mutation): void {
    const { budgetMs, jobs } = this.#options
    const done = this.#outcomes.size
    const estimated = ((total - done) * this.#usualMs()) / jobs
    const untilEnd = budgetMs === null ? Infinity : budgetMs - (monotonicNow() - this.#timing.begun)
    this.#timing.onProgress({ done, total, mutation, leftMs: Math.max(0, Math.min(estimated, untilEnd)) })
  }

  async #run(mutation: Mutation, job: number): Promise<Outcome> {
    const timeoutMs = limitOf(this.#timing.undisturbedMs)
    const run = (): Promise<RunResult> =>
      runOnce(this.#options, { mutation, root: this.#root, job, timeoutMs })
    let ended = await run()
    this.#runMs += ended.durationMs
    // A test that fails now and then must not be called over-strict.
    if (mutation.half === 'harmless' && ended.code !== 0 && !this.#options.signal.aborted) {
      const again = await run()
      if (again.code === 0) return { ...outcomeOf(mutation, again), failedByChance: ended.failed }
      ended = again
    }
    return outcomeOf(mutation, ended)
  }
}

function outcomeOf(mutation: Mutation, { code, lines, failed, durationMs }: RunResult): Outcome {
  const change = lines.find((line) => line.met === 'change')
  const example = change?.met === 'change' ? change.example : null
  const hasFailed = code !== 0
  const verdict = verdictOf(mutation.half, { isMet: example !== null, hasFailed })
  return {
    mutation,
    verdict,
    example,
    failed: hasFailed && example ? failed : [],
    failedByChance: hasFailed && !example ? failed : null,
    durationMs,
  }
}

const notRun = (mutation: Mutation): Outcome => ({
  mutation,
  verdict: 'not run',
  example: null,
  failed: [],
  failedByChance: null,
  durationMs: 0,
})
