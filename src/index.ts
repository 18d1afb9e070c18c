/**
 * The simulator for test suites: in their own process, or wherever it runs.
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
import { nearest } from './library/nearest.ts'

export * from './library/index.ts'
export type { LogLevel } from './library/logLevels.ts'

/** Lies beside the bundle. */
const HEAVY_THREAD: string = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

/** How the simulator starts; all that is left out has a value that suits tests. */
export interface SimulatorOptions {
  /** The database file; ":memory:" (the default) keeps nothing. */
  readonly db?: string
  /** What it starts with: "demo" (the default), "none" or a fixture file. */
  readonly fixtures?: string
  /** The port of 127.0.0.1; 0 (the default) picks a free one. */
  readonly port?: number
  /** What calls to the control plane must carry as their bearer token; none by default, one is made up with `publicUrl`. */
  readonly adminToken?: string
  /** Where the simulator is reached, when that is not where it listens: "https://sim.example.com". */
  readonly publicUrl?: string
  /** Makes ids follow from this text: the same calls, the same ids. */
  readonly seed?: string
  /** Hosts beside the loopback ones that webhooks may be sent to over plain http; "*" is all. */
  readonly webhookHttpHosts?: readonly string[]
  /** Whether calls beyond the rate limits of the interfaces answer 429; they do by default. */
  readonly rateLimits?: boolean
  /** Addresses and networks of proxies that are believed when they say for whom they ask (X-Forwarded-For); none. */
  readonly trustedProxies?: readonly string[]
  /** What is logged, as lines of JSON on standard output: "warn", "info" and others; "silent" (the default) is nothing. */
  readonly logLevel?: LogLevel
  /** Origins of browser apps that may call the interfaces: "http://localhost:5173"; "*" is all, none by default. */
  readonly cors?: readonly string[]
}

/** What a new workspace is made of; see `POST /_sim/workspaces`. */
export type WorkspaceOptions = Body<'createWorkspace'>

/** A workspace of its own for a test: it sees nothing of any other. */
export type SimulatorWorkspace = NewWorkspace

/** A simulator that runs in this process: `await using simulator = await startSimulator()`. */
export class Simulator extends SimulatorClient implements AsyncDisposable {
  /** The key of the workspace that the fixture made; null with the fixtures "none". */
  readonly key: string | null
  /** Lets what is in flight end, for five seconds at most, and stops. */
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
  db: isText,
  fixtures: isText,
  port: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
      ? null
      : 'must be a whole number from 0 to 65535',
  adminToken: isText,
  publicUrl: (value) =>
    typeof value === 'string' && /^https?:\/\/./.test(value) && URL.canParse(value)
      ? null
      : 'must be a URL that starts with http:// or https://',
  seed: isText,
  webhookHttpHosts: areTexts,
  rateLimits: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  trustedProxies: areTexts,
  logLevel: (value) =>
    LOG_LEVELS.some((level) => level === value) ? null : `must be one of ${LOG_LEVELS.join(', ')}`,
  cors: areTexts,
}

function isText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? null : 'must be a text that is not empty'
}

function areTexts(value: unknown): string | null {
  return Array.isArray(value) && value.every((each) => isText(each) === null)
    ? null
    : 'must be a list of texts'
}

/** Throws where an option is not known or has a value that it cannot have. */
function mustBeOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError('startSimulator() takes an object of options, such as { port: 4012 }')
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      const meant = nearest(name, Object.keys(OPTIONS))
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      throw new TypeError(
        `startSimulator() knows no option ${name}${hint}; its options are ${Object.keys(OPTIONS).join(', ')}`,
      )
    }
    const problem = value === undefined ? null : OPTIONS[name as keyof SimulatorOptions](value)
    if (problem !== null) throw new TypeError(`startSimulator(): ${name} ${problem}`)
  }
}

/** An error of the system's names a call of it; everything else says by itself what is wrong. */
const inWords = (error: unknown, port: number): unknown =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? new Error(
        `startSimulator(): port ${String(port)} is in use (EADDRINUSE); leave port out for a free one`,
        {
          cause: error,
        },
      )
    : error

/** Starts a simulator; throws an error with a one-line message when the database, fixture or port can't be used. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  mustBeOptions(options)
  const { buildApp, madeUpToken, makeLogger } = await import('./app.ts')
  const { port = 0, logLevel = 'silent', ...rest } = options
  const where = { host: '127.0.0.1', port }
  const adminToken = options.adminToken ?? madeUpToken({ ...options, ...where })
  const logger = logLevel === 'silent' ? false : await makeLogger(logLevel, false)
  const app = await buildApp({ fixtures: 'demo', ...rest, adminToken, heavyThread: HEAVY_THREAD, logger })
  const url = await app.listen(where).catch(async (error: unknown) => {
    await app.close()
    throw inWords(error, port)
  })
  return new Simulator(url, { adminToken, key: app.demoKey, close: () => app.close() })
}
