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
import { SimulatorClient, type Body, type NewWorkspace } from './library/index.ts'
import { LOG_LEVELS, type LogLevel } from './library/logLevels.ts'
import { checkOptions } from './library/checking.ts'
import type { VerifyHooks, VerifyOptions, VerifyResult } from './verify/options.ts'
import type { StartServer } from './verify/reference.ts'
import type { AppOptions } from './app.ts'

export * from './library/index.ts'
export type { Progress, VerifyHooks, VerifyOptions, VerifyResult, WriteOptions } from './verify/options.ts'
export type { ClaimVerdict, Difference, Evidence, Report } from './verify/report/report.ts'
export type { LogLevel } from './library/logLevels.ts'

/** The worker script next to the bundle. */
const HEAVY_THREAD: string = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

/** Options of `startSimulator`. All are optional; the defaults suit tests. */
export interface SimulatorOptions {
  /** The database file; ":memory:" (the default) keeps nothing. */
  readonly db?: string
  /** The content of a new database: "demo" (the default), "none" or a fixture file. */
  readonly fixtures?: string
  /** The port of 127.0.0.1; 0 (the default) picks a free one. */
  readonly port?: number
  /** The bearer token that the control plane requires. Default: none, or a generated one with `publicUrl`. */
  readonly adminToken?: string
  /**
   * The URL at which clients reach the simulator, if it differs from the listening address:
   * "https://sim.example.com".
   */
  readonly publicUrl?: string
  /** The seed of all ids: the same calls create the same ids. */
  readonly seed?: string
  /** Hosts, in addition to loopback hosts, that may receive webhooks over plain http; "*" is all. */
  readonly webhookHttpHosts?: readonly string[]
  /** Whether calls beyond the rate limits of the interfaces get 429; true by default. */
  readonly rateLimits?: boolean
  /** The readings of workspaces that choose none: `{ 'scopes.unlisted': 'any' }`. */
  readonly readings?: Body<'updateWorkspace'>['readings']
  /** What was observed on the real service: the file that `suite-sim verify --observed` wrote, or its content. */
  readonly observed?: string | object
  /** "observed" follows observations that contradict the specification as well. */
  readonly prefer?: 'observed'
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[]
  /**
   * The lowest level that is logged, as JSON lines on standard output: "warn", "info" and others; "silent" by
   * default.
   */
  readonly logLevel?: LogLevel
  /** Origins of browser apps that may call the interfaces: "http://localhost:5173"; "*" is all, none by default. */
  readonly cors?: readonly string[]
}

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

const OPTIONS: Readonly<Record<keyof SimulatorOptions, (value: unknown) => string | null>> = {
  db: stringError,
  fixtures: stringError,
  port: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
      ? null
      : 'must be a whole number from 0 to 65535',
  adminToken: stringError,
  publicUrl: (value) =>
    typeof value === 'string' && /^https?:\/\/./.test(value) && URL.canParse(value)
      ? null
      : 'must be a URL that starts with http:// or https://',
  seed: stringError,
  webhookHttpHosts: stringListError,
  rateLimits: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  readings: readingsError,
  observed: (value) =>
    (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null)
      ? null
      : 'must be the path of an overlay or its content',
  prefer: (value) => (value === 'observed' ? null : 'must be "observed"'),
  trustedProxies: stringListError,
  logLevel: (value) =>
    LOG_LEVELS.some((level) => level === value) ? null : `must be one of ${LOG_LEVELS.join(', ')}`,
  cors: stringListError,
}

function stringError(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? null : 'must be a non-empty string'
}

function readingsError(value: unknown): string | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? null
    : "must be an object, such as { 'scopes.unlisted': 'any' }"
}

function stringListError(value: unknown): string | null {
  return Array.isArray(value) && value.every((each) => stringError(each) === null)
    ? null
    : 'must be an array of non-empty strings'
}

/** Throws if an option is unknown or has an invalid value. */
function checkValues(options: SimulatorOptions): void {
  checkOptions('startSimulator()', options, Object.keys(OPTIONS))
  for (const [name, value] of Object.entries(options)) {
    const problem = value === undefined ? null : OPTIONS[name as keyof SimulatorOptions](value)
    if (problem !== null) throw new TypeError(`startSimulator(): ${name} ${problem}`)
  }
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
  checkValues(options)
  const { buildApp, madeUpToken, makeLogger } = await import('./app.ts')
  const { port = 0, logLevel = 'silent', observed, ...rest } = options
  if (options.prefer !== undefined && observed === undefined) {
    throw new TypeError('startSimulator(): prefer needs observed')
  }
  const address = { host: '127.0.0.1', port }
  const adminToken = options.adminToken ?? madeUpToken({ ...options, ...address })
  const logger = logLevel === 'silent' ? false : await makeLogger(logLevel, false)
  const app = await buildApp({
    fixtures: 'demo',
    ...rest,
    // The server checks it.
    observed: observed as AppOptions['observed'],
    adminToken,
    // Also with a public URL: the simulator belongs to the program that starts it.
    allowReset: true,
    heavyThread: HEAVY_THREAD,
    logger,
  })
  const url = await app.listen(address).catch(async (error: unknown) => {
    await app.close()
    throw portError(error, port)
  })
  return new Simulator(url, { adminToken, key: app.demoKey, close: () => app.close() })
}

/**
 * Compares a real service with this version of the simulator, as `suite-sim verify` does: only reads unless
 * `options.write` is given. Returns the report without credentials, and the overlay that `startSimulator({ observed })`
 * follows. Throws a VerifyOptionsError for options that a run can't start with, and a SelfCheckError if the simulator
 * differs from itself.
 */
export async function verify(options: VerifyOptions, hooks: VerifyHooks = {}): Promise<VerifyResult> {
  const { verify: compare, withoutSecrets } = await import('./verify/index.ts')
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
