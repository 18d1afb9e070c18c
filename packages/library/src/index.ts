/**
 * The simulator for test suites: in the process of the tests, or at a URL.
 *
 * ```ts
 * await using simulator = await startSimulator() // or: await connect('http://127.0.0.1:4012')
 * await using workspace = await simulator.workspaces.create({ fixtures: 'demo' })
 * await workspace.fetch('catalog', '/products')
 * await workspace.clock.advance('PT1H')
 * ```
 */
import { fileURLToPath } from 'node:url'
import {
  SimulatorClient,
  SimulatorError,
  Workspace,
  type Body,
  type NewWorkspace,
} from '@suite-sim/client/index'
import { ControlPlaneClient } from '@suite-sim/client/calling'
import { holdGlobals } from '@suite-sim/client/heldGlobals'
import { checkOptions } from '@suite-sim/client/checking'
import type { VerifyHooks, VerifyOptions, VerifyResult } from '@suite-sim/verify/options'
import type { StartServer } from '@suite-sim/verify/reference'
import type { ExamHooks, ExamOptions, ExamReport } from '@suite-sim/cli/exam/options'
import type { CallerExamOptions, CallerExamReport } from '@suite-sim/cli/exam/caller/options'
import type { ReportOptions } from '@suite-sim/cli/report/options'
import type { RunReport } from '@suite-sim/cli/report/runReport'
import type { Grade, McpServer, PreparedRun, TaskObject } from '@suite-sim/cli/remote/grade/task'
import { checkSimulatorOptions, type SimulatorOptions } from './simulatorOptions.ts'

export * from '@suite-sim/client/index'
export type {
  Progress,
  VerifyHooks,
  VerifyOptions,
  VerifyResult,
  WriteOptions,
} from '@suite-sim/verify/options'
export type { ClaimVerdict, Difference, Evidence, Report } from '@suite-sim/verify/report/report'
export type {
  CallerCall,
  CallerExamOptions,
  CallerExamProperty,
  CallerExamReport,
  CallerRun,
} from '@suite-sim/cli/exam/caller/options'
export type {
  CallerGrade,
  ExamDelivery,
  ExamGrade,
  ExamHooks,
  ExamOptions,
  ExamProgress,
  ExamProperty,
  ExamReport,
} from '@suite-sim/cli/exam/options'
export type { MutateReport, ReportOptions } from '@suite-sim/cli/report/options'
export type { Cost, Note, Reliance, SubjectKind } from '@suite-sim/cli/report/part'
export type {
  Confirmed,
  ExamScore,
  MutateScore,
  Question,
  RunReport,
  VendorChange,
} from '@suite-sim/cli/report/runReport'
export type {
  Cause,
  Finding,
  FindingKind,
  Grade,
  McpServer,
  TaskObject,
} from '@suite-sim/cli/remote/grade/task'
export type { LogLevel } from '@suite-sim/kit/logLevels'
export type { SimulatorOptions } from './simulatorOptions.ts'

holdGlobals()

/** The worker script next to the bundle. */
const HEAVY_THREAD: string = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

/** The options of a new workspace; see `POST /_sim/workspaces`. */
export type WorkspaceOptions = Body<'createWorkspace'>

/** A separate workspace for a test. */
export type SimulatorWorkspace = NewWorkspace

/** A simulator that runs in this process: `await using simulator = await startSimulator()`. */
export class Simulator extends SimulatorClient implements AsyncDisposable {
  /** The key of the workspace that the fixture created; null with the fixtures "none". */
  readonly key: string | null
  /** Waits up to five seconds for requests in flight, then stops. */
  readonly close: () => Promise<void>

  constructor(url: string, { adminToken, key, close }: Started) {
    super(url, { adminToken })
    this.key = key
    this.close = close
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

interface Started {
  readonly adminToken: string | null
  readonly key: string | null
  readonly close: () => Promise<void>
}

/** Replaces the system error of a used port, which names only a system call. Other errors explain themselves. */
const portError = (error: unknown, port: number): unknown =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? new Error(
        `startSimulator(): port ${String(port)} is in use (EADDRINUSE); leave port out for a free one`,
        {
          cause: error,
        },
      )
    : error

/**
 * Starts a simulator. Throws an error with a one-line message if the database, the fixture, the overlay or the port
 * can't be used.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  checkSimulatorOptions(options)
  const { buildApp, listenWith, madeUpToken, makeLogger, observing, prepareInit } =
    await import('../../../src/index.ts')
  const { port = 0, logLevel = 'silent', observed, prefer, ...rest } = options
  if (prefer !== undefined && observed === undefined) {
    throw new TypeError('startSimulator(): prefer needs observed')
  }
  const address = { host: '127.0.0.1', port }
  const adminToken = options.adminToken ?? madeUpToken({ ...options, ...address })
  const logger = logLevel === 'silent' ? false : await makeLogger(logLevel, false)
  const init = await prepareInit({ fixtures: options.fixtures })
  const app = await buildApp({
    fixtures: 'demo',
    ...rest,
    ...(init && { fixtures: 'none' }),
    extension: await observing({ observed, prefer }),
    adminToken,
    // Also with a public URL: the simulator belongs to the program that starts it.
    allowReset: true,
    heavyThread: HEAVY_THREAD,
    logger,
  })
  const url = await listenWith(app, address, async () => init?.start(app, adminToken)).catch(
    (error: unknown) => {
      throw portError(error, port)
    },
  )
  const key = app.demoKey ?? init?.key(app) ?? null
  return new Simulator(url, { adminToken, key, close: () => app.close() })
}

/**
 * Compares a real service with this version of the simulator, as `suite-sim verify` does: only reads unless
 * `options.write` is given. Returns the report without credentials, and the overlay that `startSimulator({ observed })`
 * follows. Throws a VerifyOptionsError for options that a run can't start with, and a SelfCheckError if the simulator
 * differs from itself.
 */
export async function verify(options: VerifyOptions, hooks: VerifyHooks = {}): Promise<VerifyResult> {
  const { verify: compare, withoutSecrets } = await import('@suite-sim/verify/index')
  const { report, overlay } = await compare(options, startReference, hooks)
  return { report: withoutSecrets(report, [options.key]), overlay }
}

const startReference: StartServer = ({ observed, readings }) =>
  startSimulator({
    fixtures: 'none',
    rateLimits: false,
    ...(observed && { observed, prefer: 'observed' }),
    ...(readings && { readings }),
  })

/**
 * Sends a webhook receiver what production sends on a bad day, as `suite-sim exam` does, and returns a report with a grade
 * for each property. Throws a TypeError for a wrong option, and a SimulatorError with the code "exam_failed" if the receiver
 * can't be examined. A receiver that fails throws nothing: check `result`.
 */
export async function exam(options: ExamOptions, hooks: ExamHooks = {}): Promise<ExamReport> {
  checkOptions('exam()', options, EXAM_OPTIONS)
  checkOptions('exam() hooks', hooks, ['onProgress', 'signal'])
  const { examFor } = await import('@suite-sim/cli/exam/exam')
  return await examFor(options, hooks).catch((error: unknown) => {
    if (isNamed(error, 'UsageError')) throw new TypeError(`exam(): ${error.message}`, { cause: error })
    throw commandError('exam_failed', error)
  })
}

/**
 * Runs a client in bad weather, each time against a workspace of its own, as `suite-sim exam --caller` does: once undisturbed,
 * and once for each property. Returns a report with a grade for each. Throws a TypeError for a wrong option. A client that
 * fails throws nothing: check `result`.
 */
export async function examCaller(
  options: CallerExamOptions,
  hooks: ExamHooks = {},
): Promise<CallerExamReport> {
  checkOptions('examCaller()', options, CALLER_EXAM_OPTIONS)
  checkOptions('examCaller() hooks', hooks, ['onProgress', 'signal'])
  const { examCallerFor } = await import('@suite-sim/cli/exam/caller/caller')
  return await examCallerFor(options, hooks).catch((error: unknown) => {
    if (isNamed(error, 'UsageError')) throw new TypeError(`examCaller(): ${error.message}`, { cause: error })
    throw commandError('exam_failed', error)
  })
}

const CALLER_EXAM_OPTIONS: readonly (keyof CallerExamOptions)[] = [
  'run',
  'only',
  'fixtures',
  'receiver',
  'secret',
  'seed',
  'timeout',
]

const EXAM_OPTIONS: readonly (keyof ExamOptions)[] = [
  'receiver',
  'interface',
  'events',
  'observe',
  'secret',
  'timeout',
]

/** By name, because the program has classes of its own, also of `Error` in Jest. */
const isNamed = (error: unknown, ...names: readonly string[]): error is Error =>
  typeof error === 'object' && error !== null && names.includes((error as Error).name)

/** Returns the error of a command as one of the library. */
const commandError = (code: string, error: unknown): unknown =>
  isNamed(error, 'CommandError', 'UsageError')
    ? new SimulatorError({ code, message: error.message, cause: error })
    : error

/**
 * Returns what the calls in workspaces of one simulator relied on, as `suite-sim report` does: the assumptions as questions to
 * the vendor, most expensive first. It only reads.
 *
 * ```ts
 * const { questions } = await reportRun(workspace)
 * expect(questions.filter(({ cost }) => cost === 'money')).toEqual([])
 * ```
 */
export async function reportRun(
  workspaces: Workspace | readonly Workspace[],
  options: ReportOptions = {},
): Promise<RunReport> {
  const all = [workspaces].flat()
  if (all.length === 0 || !all.every((each) => each instanceof Workspace)) {
    throw new TypeError('reportRun(): the first argument must be a workspace, or several')
  }
  checkOptions('reportRun()', options, ['verify', 'exams', 'mutate'])
  const { reportFor } = await import('@suite-sim/cli/report/reporting')
  return await reportFor(
    all.map(({ server: { url, adminToken }, id }) => ({ url, adminToken, id })),
    options,
  )
}

/** What grading needs besides the workspace. */
export interface GradeOptions {
  /** The final answer of the agent. */
  readonly answer?: string
}

/** The path of a task file, the name of a task of the package, or the parsed content of a file. */
export type TaskSource = string | TaskObject

/**
 * Prepares a workspace for an agent, as `suite-sim grade --prepare` does: with the records, the time and the settings of the
 * task, and a key for exactly what it allows. Throws a SimulatorError with the code "grade_failed" for an invalid task.
 *
 * ```ts
 * await using run = await prepareTask(simulator, 'refund-second-payment')
 * const answer = await agent(run.instruction, run.mcp)
 * expect(await run.grade({ answer })).toMatchObject({ passed: true, findings: [] })
 * ```
 */
export async function prepareTask(simulator: SimulatorClient, task: TaskSource): Promise<TaskRun> {
  if (!(simulator instanceof SimulatorClient)) {
    throw new TypeError(
      'prepareTask(): the first argument must be a simulator of startSimulator() or connect()',
    )
  }
  mustBeTask('prepareTask()', task)
  const { url, adminToken } = simulator
  const { prepareFor } = await import('@suite-sim/cli/remote/grade/grading')
  const run = await prepareFor({ url, adminToken }, task).catch((error: unknown) => {
    throw commandError('grade_failed', error)
  })
  const calling = new ControlPlaneClient(url, adminToken)
  const settings = await calling.call('getWorkspace', { path: { id: run.workspace } })
  const { key, controlToken } = run
  return new TaskRun(run, new Workspace(calling, { ...settings, key, controlToken }), task)
}

/**
 * Compares what an agent did in a workspace with a task, as `suite-sim grade` does. It only reads. Throws a SimulatorError
 * with the code "grade_failed" if the task is invalid, or if the workspace can't be graded.
 */
export async function grade(
  workspace: Workspace,
  task: TaskSource,
  options: GradeOptions = {},
): Promise<Grade> {
  if (!(workspace instanceof Workspace)) {
    throw new TypeError('grade(): the first argument must be a workspace')
  }
  mustBeTask('grade()', task)
  checkOptions('grade()', options, ['answer'])
  const { answer } = options
  if (answer !== undefined && typeof answer !== 'string') {
    throw new TypeError('grade(): answer must be a string')
  }
  const { gradeFor } = await import('@suite-sim/cli/remote/grade/grading')
  return await gradeFor(workspace.server, task, workspace.id, answer ?? null).catch((error: unknown) => {
    throw commandError('grade_failed', error)
  })
}

function mustBeTask(call: string, task: unknown): void {
  if ((typeof task === 'string' && task !== '') || (typeof task === 'object' && task !== null)) return
  throw new TypeError(`${call}: the task must be the path of a file, the name of a task, or an object`)
}

/** A workspace that was prepared for an agent: `await using run = await prepareTask(simulator, task)` deletes it. */
export class TaskRun implements AsyncDisposable {
  /** The name of the task. */
  readonly task: string
  /** Its key is that of the agent: it opens the interfaces and scopes of the task. */
  readonly workspace: Workspace
  readonly instruction: string
  readonly interfaces: readonly string[]
  readonly scopes: readonly string[]
  /** The maximum number of calls. */
  readonly budget: number
  /** The MCP server for the agent, in the form of MCP clients. */
  readonly mcp: McpServer
  readonly #source: TaskSource

  constructor(run: PreparedRun, workspace: Workspace, source: TaskSource) {
    this.task = run.task
    this.workspace = workspace
    this.instruction = run.instruction
    this.interfaces = run.interfaces
    this.scopes = run.scopes
    this.budget = run.budget
    this.mcp = run.mcp
    this.#source = source
  }

  /** Compares what the agent did with the task. */
  grade(options: GradeOptions = {}): Promise<Grade> {
    return grade(this.workspace, this.#source, options)
  }

  /** Deletes the workspace. Does nothing if it was already deleted. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspace.delete().catch((error: unknown) => {
      if (!isNamed(error, 'SimulatorError') || (error as SimulatorError).code !== 'not_found') throw error
    })
  }
}
