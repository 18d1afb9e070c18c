/** One undisturbed run, then one run for each mutation. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
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
  if (options.signal.aborted) return { met: [], outcomes: [], undisturbedMs, isInterrupted: true }
  mustHavePassed(undisturbed)
  const met = await readMet(undisturbed.lines, options.interfaces)
  if (met.length === 0) throw new TooLittleError(NOTHING_MET)
  const mutations = mutationsOf(met, options)
  if (mutations.length === 0 && !options.only) throw new TooLittleError(NOTHING_MET)
  if (mutations.length === 0)
    throw new UsageError('--only must name kinds, fields, operations or events that the command met')
  const runs = new Runs(root, options, { undisturbedMs, begun, onProgress })
  return { met, outcomes: await runs.all(mutations), undisturbedMs, isInterrupted: options.signal.aborted }
}

const NOTHING_MET =
  'the command called no interface of a simulator that was started here; with a running server, set SUITE_SIM_URL or give --serve'

function mustHavePassed({ code, output }: RunResult): void {
  if (code === 0) return
  const lines = output.trim().split('\n').slice(-LAST_LINES)
  throw new UsageError(
    `the command must pass without a mutation; it ended with ${code === null ? 'a signal' : String(code)}: ${lines.join(' | ')}`,
  )
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

  #hasTime(): boolean {
    const { signal, budgetMs } = this.#options
    if (signal.aborted) return false
    return budgetMs === null || monotonicNow() - this.#timing.begun + this.#usualMs() <= budgetMs
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
