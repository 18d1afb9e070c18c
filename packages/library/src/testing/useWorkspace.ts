/** What the fixtures of every test runner do around a test. */
import { createHash } from 'node:crypto'
import {
  connect,
  SimulatorError,
  startSimulator,
  type NewWorkspace,
  type Simulator,
  type SimulatorClient,
  type SimulatorOptions,
  type WorkspaceOptions,
} from '../index.ts'
import { noteFailedTest } from './failedTests.ts'
import { keepForReport, writeReport } from './goingLive.ts'
import { callLine, reportOf, writeFiles, type FailureReport } from './report.ts'

/**
 * What happens after a test that made calls that no operation answers, because their path is unknown: "error" fails
 * the test, "warn" prints them. If the simulator runs in the process of the test, this includes calls with a missing or
 * unknown key. On a shared server these could be those of other tests, so they only appear in the report of a failure.
 */
export type OnUnhandledRequest = 'error' | 'warn' | 'ignore'

const MODES: readonly unknown[] = ['error', 'warn', 'ignore'] satisfies OnUnhandledRequest[]

/**
 * The options of a test's workspace. With `ids: 'test'`, its ids are drawn from the name of the test: each run has the same
 * ones, in any order and beside other tests.
 */
export interface TestWorkspaceOptions extends Omit<WorkspaceOptions, 'ids'> {
  readonly ids?: WorkspaceOptions['ids'] | 'test'
}

export interface TestSettings {
  readonly simulator: SimulatorClient
  readonly workspaceOptions: TestWorkspaceOptions
  readonly onUnhandledRequest: OnUnhandledRequest
}

/** How a test runner runs a test and shows a report. */
export interface TestRunner {
  /** The full name of the test, with its file and suites. */
  readonly name: string
  /** Runs the test; returns true if it failed. */
  readonly run: (workspace: NewWorkspace) => Promise<boolean>
  readonly show: (report: FailureReport) => Promise<void> | void
  /** Removes the report of an earlier run, because the test has passed. */
  readonly clear?: () => void
}

/** The maximum number of calls without a workspace that are read. */
const MAX_UNMATCHED = 100

/** Runs a test with its own workspace. Shows what happened in it if the test fails. */
export async function useWorkspace(settings: TestSettings, runner: TestRunner): Promise<void> {
  const { simulator, workspaceOptions, onUnhandledRequest: mode } = settings
  if (!MODES.includes(mode)) {
    throw new TypeError(`onUnhandledRequest must be "error", "warn" or "ignore", not ${JSON.stringify(mode)}`)
  }
  const { ids, ...others } = workspaceOptions
  const workspace = await simulator.workspaces.create({
    ...others,
    ...(ids && { ids: ids === 'test' ? { seed: seedOf(runner.name) } : ids }),
  })
  const errors: unknown[] = []
  const keep = (error: unknown): void => {
    errors.push(error)
  }
  await runIn(workspace, settings, runner).catch(keep)
  await keepForReport(simulator, workspace, runner.name).catch(keep)
  await workspace[Symbol.asyncDispose]().catch((error: unknown) => {
    keep(teardownError(`the workspace ${workspace.id} could not be deleted`, error))
  })
  // The second often has the cause of the first, and must not hide it.
  if (errors.length > 0) throw errors[0]
}

/** Names have any length, seeds have not. */
const seedOf = (name: string): string => createHash('sha256').update(name).digest('hex')

async function runIn(
  workspace: NewWorkspace,
  { simulator, onUnhandledRequest: mode }: TestSettings,
  { name, run, show, clear }: TestRunner,
): Promise<void> {
  const before = await newestUnmatched(simulator)
  const hasFailed = await run(workspace)
  const own: string[] = []
  const counted: string[] = []
  if (hasFailed || mode !== 'ignore') {
    try {
      own.push(...(await unansweredIn(workspace)))
      // On a shared server, these could be calls of other tests.
      const unmatched = isOwnProcess(simulator) || hasFailed ? await unmatchedSince(simulator, before) : []
      counted.push(...own, ...(isOwnProcess(simulator) ? unmatched : []))
      own.push(...unmatched)
    } catch (error) {
      // The test may have deleted its workspace.
      if (isNotFound(error)) return
      throw teardownError(`the calls of the workspace ${workspace.id} could not be read`, error)
    }
  }
  const isRefused = !hasFailed && mode === 'error' && counted.length > 0
  if (hasFailed || isRefused) {
    noteFailedTest(name)
    await show(await reportOf(simulator, workspace, own))
  } else clear?.()
  if (isRefused) throw new Error(`The test made calls that no operation answers:\n${counted.join('\n')}`)
  if (!hasFailed && mode === 'warn' && counted.length > 0) {
    // oxlint-disable-next-line no-console -- test runners show it with the test
    console.warn(`Suite Simulator: no operation answers these calls:\n${counted.join('\n')}`)
  }
}

/** Returns an error of the end of a test, which names what failed and why. */
const teardownError = (what: string, cause: unknown): Error =>
  new Error(`After the test, ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })

const isNotFound = (error: unknown): boolean => error instanceof SimulatorError && error.code === 'not_found'

const unansweredIn = async (workspace: NewWorkspace): Promise<string[]> =>
  (await workspace.requests({ status: '4xx', limit: 1000 }))
    .filter(({ operation }) => operation === null)
    .map(callLine)

const isOwnProcess = (simulator: SimulatorClient): boolean => 'close' in simulator

/** Returns the id of the newest call without a workspace; null without such a call. */
const newestUnmatched = async (simulator: SimulatorClient): Promise<string | null> =>
  (await simulator.unmatched({ limit: 1 }))[0]?.id ?? null

async function unmatchedSince(simulator: SimulatorClient, id: string | null): Promise<string[]> {
  const all = await simulator.unmatched({ limit: MAX_UNMATCHED })
  const end = all.findIndex((each) => each.id === id)
  return (end < 0 ? all : all.slice(0, end)).map(callLine)
}

/** Prints the report of a failed test, and writes its files. */
export function printReport(report: FailureReport, testName: string): void {
  let files: string
  try {
    files = `Journal, timeline and HAR: ${writeFiles(report, testName)}`
  } catch (error) {
    files = `The journal, timeline and HAR could not be written: ${String(error)}`
  }
  // oxlint-disable-next-line no-console -- test runners show it with the test
  console.error(`${report.text}\n  ${files}`)
}

/** Connects to the simulator at SUITE_SIM_URL, or starts one in this process. */
export const simulatorFor = (options: SimulatorOptions): Promise<SimulatorClient | Simulator> =>
  process.env['SUITE_SIM_URL'] ? connect() : startSimulator(options)

/** Stops the simulator if it was started in this process, after it has written the report of the run. */
export async function stop(simulator: SimulatorClient | Simulator): Promise<void> {
  await writeReport()
  if ('close' in simulator) await simulator.close()
}
