/** The options of `startSimulator`, and what they must be. */
import { checkOptions } from '@suite-sim/client/checking'
import type { Body } from '@suite-sim/client/index'
import { LOG_LEVELS, type LogLevel } from '@suite-sim/kit/logLevels'

/** Options of `startSimulator`. All are optional; the defaults suit tests. */
export interface SimulatorOptions {
  /** The database file; ":memory:" (the default) keeps nothing. */
  readonly db?: string
  /** The content of a new database: "demo" (the default), "small", "none", a snapshot file or a file with calls. */
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
  /** Host names that the simulator answers to besides those that mean this machine: "sim.test"; "*" is all. */
  readonly allowedHosts?: readonly string[]
  /** Origins of browser apps that may call the interfaces: "http://localhost:5173"; "*" is all, none by default. */
  readonly cors?: readonly string[]
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
  allowedHosts: stringListError,
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
export function checkSimulatorOptions(options: SimulatorOptions): void {
  checkOptions('startSimulator()', options, Object.keys(OPTIONS))
  for (const [name, value] of Object.entries(options)) {
    const problem = value === undefined ? null : OPTIONS[name as keyof SimulatorOptions](value)
    if (problem !== null) throw new TypeError(`startSimulator(): ${name} ${problem}`)
  }
}
