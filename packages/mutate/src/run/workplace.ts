/** What one run needs: a folder with the extension and its log, the variables, and a simulator if the command uses a running one. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { following } from '../extension.ts'
import type { LogLine, Mutation, Plan } from '../mutation.ts'
import { failedTests } from './failedTests.ts'
import { runCommand, type Ended } from './running.ts'

/** The module of the extension, next to the bundle. */
const MODULE = fileURLToPath(new URL('./mutation.cjs', import.meta.url))

/** The worker script next to the bundle. */
const HEAVY_THREAD = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

export interface ServeOptions {
  /** 0 picks a free one. */
  readonly port: number
  readonly fixtures: string
  readonly seed: string | undefined
  readonly adminToken: string | undefined
}

export interface RunnerOptions {
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The simulator of each run; null if the command starts its own. */
  readonly serve: ServeOptions | null
  /** The JUnit file that the command writes. */
  readonly junit: string | null
  readonly signal: AbortSignal
}

export interface RunResult extends Ended {
  readonly lines: readonly LogLine[]
  /** The names of the failed tests, if they are known. */
  readonly failed: readonly string[]
  /** Whether the command has not written the file of --junit. */
  readonly isJunitMissing: boolean
}

/** Runs the command once, with a mutation or without. `job` is the number of the place, from 1. */
export async function runOnce(
  options: RunnerOptions,
  {
    mutation,
    root,
    job,
    timeoutMs,
  }: { mutation: Mutation | null; root: string; job: number; timeoutMs: number },
): Promise<RunResult> {
  const folder = join(root, String(job))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const plan: Plan = { log: join(folder, 'log.jsonl'), mutation }
  const extension = join(folder, 'extension.cjs')
  const names = join(folder, 'failed-tests.jsonl')
  const text = `module.exports = require(${JSON.stringify(MODULE)}).following(${JSON.stringify(plan)})\n`
  writeFileSync(extension, text)
  writeFileSync(plan.log, '')
  const forJob = (word: string): string => word.replaceAll('{job}', String(job))
  const junit = options.junit === null ? null : forJob(options.junit)
  if (junit !== null) rmSync(junit, { force: true })
  const server = options.serve ? await startServer(options.serve, plan) : null
  try {
    const ended = await runCommand(options.command.map(forJob), {
      env: {
        ...options.env,
        SUITE_SIM_EXTENSION: extension,
        SUITE_SIM_FAILED_TESTS: names,
        // What the fixtures write of a run stays out of the folders of the team.
        SUITE_SIM_FAILURES: join(folder, 'failures'),
        ...(mutation && { SUITE_SIM_REPORT: '' }),
        // `go test` takes the result of a package from its cache, because no file of it has changed.
        GOFLAGS: [options.env['GOFLAGS'], '-count=1'].filter(Boolean).join(' '),
        ...server?.variables,
      },
      timeoutMs,
      signal: options.signal,
    })
    return {
      ...ended,
      lines: linesOf(plan.log),
      failed: failedTests({ junit, failedTests: names }),
      isJunitMissing: junit !== null && !existsSync(junit),
    }
  } finally {
    await server?.close()
  }
}

const linesOf = (log: string): LogLine[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)

/** In this process and in memory, so that nothing of it outlives this process. */
async function startServer({ port, fixtures, seed, adminToken }: ServeOptions, plan: Plan) {
  const { buildApp, observing } = await import('../../../../src/index.ts')
  const wrong = (what: string) => (error: unknown) => {
    throw new UsageError(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const app = await buildApp({
    fixtures,
    ...(seed !== undefined && { seed }),
    adminToken: adminToken ?? null,
    allowReset: true,
    extension: following(plan)(await observing({})),
    heavyThread: HEAVY_THREAD,
  }).catch(wrong('--serve'))
  const url = await app.listen({ host: '127.0.0.1', port }).catch(async (error: unknown) => {
    await app.close()
    return wrong('--port')(error)
  })
  return { variables: { SUITE_SIM_URL: url, SIM_URL: url }, close: () => app.close() }
}
