/**
 * The hostile run: sends seeded requests to every operation in rotation, in workspaces used for some hundred
 * requests. After each batch the server must be healthy, its event loop unblocked, and another workspace unchanged.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Findings } from './findings.ts'
import { Planner } from './generators/index.ts'
import { runCases, emptyTally, type Case, type Done, type Tally } from './lanes.ts'
import { MAX_BLOCK_MS, MEMORY } from './limits.ts'
import { readSurface, type Operation, type Surface } from './surface.ts'
import type { Target } from './target.ts'
import { difference, makeAttackedWorkspace, recordsOf, Sentinel } from './workspaces.ts'

export interface RunOptions {
  readonly seed: number
  readonly requests: number
  /** The folder for the bytes of findings. */
  readonly folder: string
  /** Runs only this case. */
  readonly only?: { readonly operation: string; readonly number: number } | undefined
  readonly tell: (line: string) => void
}

export interface RunReport {
  readonly operations: number
  readonly tally: Tally
  readonly longestHoldMs: number
  /** Resident memory in MB, at most and after it has stabilized at the end. */
  readonly memory: { readonly most: number; readonly settled: number }
  readonly findings: Findings
  readonly seconds: number
}

const LANES = 4
const BATCH = 160

/** The number of batches between resets of the server. */
const ROUND = 12

/** A block of the event loop is reported only if it repeats, because one garbage collection may cause it. */
const TRIES = 3

export async function hostileRun(target: Target, options: RunOptions): Promise<RunReport> {
  const run = await Run.begin(target, options)
  return run.whole()
}

class Run {
  readonly #target: Target
  readonly #options: RunOptions
  readonly #surface: Surface
  readonly #findings: Findings
  readonly #tally = emptyTally()
  /** Attacked in batches. */
  readonly #operations: readonly Operation[]
  /** Operations that write to all workspaces, which run alone at the end of a round. */
  readonly #sweeping: readonly Operation[]
  /** Operations that make other calls of the workspace fail, which run alone as well. */
  readonly #faulty: readonly Operation[]
  readonly #demo: string
  #sentinel: Sentinel
  #longestHoldMs = 0
  #sweeps = 0

  private constructor(
    target: Target,
    options: RunOptions,
    surface: Surface,
    demo: string,
    sentinel: Sentinel,
  ) {
    this.#target = target
    this.#options = options
    this.#surface = surface
    this.#demo = demo
    this.#sentinel = sentinel
    this.#findings = new Findings(options.folder, options.seed)
    this.#sweeping = surface.operations.filter(isSweeping)
    this.#faulty = surface.operations.filter(setsFaults)
    this.#operations = surface.operations.filter((each) => !isSweeping(each) && !setsFaults(each))
  }

  static async begin(target: Target, options: RunOptions): Promise<Run> {
    const demo = await recordsOf(target, 'demo')
    const surface = await readSurface((path) => target.must('GET', path))
    return new Run(target, options, surface, demo, await Sentinel.make(target, surface))
  }

  async whole(): Promise<RunReport> {
    const started = performance.now()
    const { requests, only, tell } = this.#options
    await this.#target.server.longestHoldMs()
    if (only) await this.#alone(only.operation, only.number)
    else {
      for (let batch = 0; this.#tally.requests < requests && !this.#isGone(); batch++) {
        await this.#batch(this.#casesOf(batch))
        if ((batch + 1) % ROUND === 0) {
          await this.#endRound()
          tell(`${String(this.#tally.requests)} requests, ${String(this.#findings.all.length)} findings`)
        }
      }
      if (!this.#isGone()) await this.#endRound()
    }
    const memory = await this.#settledMemory()
    return {
      operations: this.#surface.operations.length,
      tally: this.#tally,
      longestHoldMs: this.#longestHoldMs,
      memory,
      findings: this.#findings,
      seconds: (performance.now() - started) / 1000,
    }
  }

  /** Operations rotate; each uses its next case every time. */
  #casesOf(batch: number): Case[] {
    return Array.from({ length: BATCH }, (_, at) => {
      const turn = batch * BATCH + at
      const count = this.#operations.length
      const operation = this.#operations[turn % count]
      if (!operation) throw new Error('nothing is published')
      return { operation, number: Math.floor(turn / count) }
    })
  }

  async #alone(title: string, number: number): Promise<void> {
    const operation = this.#surface.operations.find((each) => each.title === title)
    if (!operation) throw new Error(`There is no operation ${title}.`)
    await this.#batch([{ operation, number }])
  }

  /**
   * Runs a batch. Problems of the sentinel or the process concern the batch; blocks of the event loop are traced to a
   * case.
   */
  async #batch(cases: readonly Case[]): Promise<void> {
    const done = await this.#do(cases, LANES, this.#findings)
    if (await this.#mustBeThere(cases)) {
      const hold = await this.#target.server.longestHoldMs()
      if (hold > MAX_BLOCK_MS) await this.#findHolder(done, hold)
      else this.#longestHoldMs = Math.max(this.#longestHoldMs, hold)
    }
  }

  async #do(cases: readonly Case[], lanes: number, findings: Findings, tally = this.#tally): Promise<Done[]> {
    const prey = await makeAttackedWorkspace(this.#target, this.#sentinel.recordIds)
    const planner = new Planner(this.#surface, prey, this.#options.seed)
    const done = await runCases(cases, { planner, prey, port: this.#target.port, lanes, findings, tally })
    // Many workspaces would remain and affect the memory measurement.
    if (!this.#isGone())
      await this.#target.call('DELETE', `/_sim/workspaces/${prey.id}`).catch(() => undefined)
    return done
  }

  /** Repeats the slow cases alone and reports only those that block the event loop every time. */
  async #findHolder(done: readonly Done[], held: number): Promise<void> {
    const suspects = done.filter(({ ms }) => ms > MAX_BLOCK_MS / 2).sort((a, b) => b.ms - a.ms)
    let found = false
    for (const { case: suspect } of suspects.slice(0, 8)) {
      const least = await this.#leastHold([suspect], 1)
      if (least <= MAX_BLOCK_MS) continue
      found = true
      this.#longestHoldMs = Math.max(this.#longestHoldMs, least)
      this.#note(suspect, `held up the event loop for ${least.toFixed(0)} ms`)
    }
    if (found) return
    const least = Math.min(
      held,
      await this.#leastHold(
        done.map((each) => each.case),
        LANES,
      ),
    )
    this.#longestHoldMs = Math.max(this.#longestHoldMs, least)
    const [first] = done
    if (least > MAX_BLOCK_MS && first)
      this.#note(
        first.case,
        `held up the event loop for ${least.toFixed(0)} ms, this case or one of ${String(done.length)} from it on`,
      )
  }

  async #leastHold(cases: readonly Case[], lanes: number): Promise<number> {
    let least = Infinity
    for (let tries = 0; tries < TRIES && least > MAX_BLOCK_MS; tries++) {
      await this.#target.server.longestHoldMs()
      await this.#do(cases, lanes, new Findings(this.#options.folder, this.#options.seed), emptyTally())
      if (this.#isGone()) return Infinity
      least = Math.min(least, await this.#target.server.longestHoldMs())
    }
    return least
  }

  #note({ operation, number }: Case, problem: string): void {
    const requests = new Planner(this.#surface, PREY_IN_PRINT, this.#options.seed)
      .plan(operation, number)
      .stages.flatMap((stage) => stage.requests)
    this.#findings.add({ operation: operation.title, number, kind: 'hold', problem, requests })
  }

  #isGone(): boolean {
    return this.#gone
  }

  #gone = false

  /** Checks that the server still runs and is healthy. */
  async #mustBeThere(cases: readonly Case[]): Promise<boolean> {
    const answer = await this.#target.call('GET', '/_sim/health').catch(() => null)
    if (answer?.status === 200) return true
    this.#gone = true
    const from = cases[0]?.operation.title ?? ''
    const words = this.#target.server.stderr().slice(-2000)
    this.#whole(`the server is gone, or no longer answers, after the batch from ${from}: ${words}`)
    return false
  }

  /** Checks the sentinel, attacks the operations that affect the whole server, and resets it. */
  async #endRound(): Promise<void> {
    const changed = await this.#sentinel.difference()
    if (changed !== null) this.#whole(`another workspace was changed: ${changed}`)
    for (const operation of [...this.#faulty, ...this.#sweeping]) {
      for (let at = 0; at < 10; at++)
        await this.#do([{ operation, number: this.#sweeps++ }], 1, this.#findings)
    }
    await this.#target.must('POST', '/_sim/reset')
    const demo = await recordsOf(this.#target, 'demo')
    if (demo !== this.#demo) this.#whole(`a reset gave back something else: ${difference(this.#demo, demo)}`)
    const { most } = this.#target.memory()
    if (most > MEMORY.most) this.#whole(`it took ${most.toFixed(0)} MB of memory`)
    this.#sentinel = await Sentinel.make(this.#target, this.#surface)
    await this.#target.server.longestHoldMs()
  }

  #whole(problem: string): void {
    this.#findings.add({ operation: 'the server', number: null, kind: 'run', problem, requests: [] })
  }

  /** Memory after a period without calls. */
  async #settledMemory(): Promise<{ most: number; settled: number }> {
    if (this.#gone) return { most: 0, settled: 0 }
    let settled = Infinity
    for (let looks = 0; looks < 5; looks++) {
      settled = Math.min(settled, this.#target.memory().now)
      await sleep(200)
    }
    if (settled > MEMORY.settled) this.#whole(`it kept ${settled.toFixed(0)} MB of memory`)
    return { most: this.#target.memory().most, settled }
  }
}

/** Writes without a record in the path: it affects all workspaces. */
const isSweeping = ({ isControl, method, path, takes }: Operation): boolean =>
  isControl && method !== 'GET' && takes === null && !path.includes('{')

const setsFaults = ({ isControl, method, path }: Operation): boolean =>
  isControl && method === 'POST' && path.endsWith('/faults')

/** A placeholder for a workspace in printed commands. */
const PREY_IN_PRINT = {
  id: 'demo',
  key: 'demo-key',
  badKeys: ['key-without-permissions', 'key-of-no-interface', 'expired-key', 'nobodys-key'],
  foreignIds: ['id-of-another-workspace'],
  sentForeignIds: new Set<string>(),
  adminToken: 'hostile-admin-token',
}
