/** `suite-sim serve`: starts the server, prints its URL, and stops it on SIGINT and SIGTERM. */
import { io, type Signal } from '@suite-sim/kit/terminal/io'
import { removeUnfinished } from '../init/unfinished.ts'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  buildApp,
  madeUpToken,
  makeLogger,
  observing,
  prepareInit,
  type App,
  type AppOptions,
} from '../index.ts'
import { isInitFile } from '../init/isInitFile.ts'
import { isFileProblem, isSocketError, listenWith } from '../init/listenWith.ts'
import { FixtureError } from '../control/snapshots/builtIn/fixtures.ts'
import {
  DatabaseFileError,
  isHeldByAnother,
  toDatabaseFileError,
} from '../state/storage/database/databaseFileError.ts'
import { ReadingError } from '../state/model/reading.ts'
import { VERSION } from '@suite-sim/kit/version'
import { DEFAULT_URL } from '@suite-sim/kit/defaultUrl'
import type { LogLevel } from '@suite-sim/kit/logLevels'
import type { ServeSettings } from './flags.ts'
import { exit, exitNow } from '@suite-sim/kit/terminal/pipes'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { writeServerFile, serverAtPort, serverOfDatabase } from './serverFile.ts'

/** A running server. */
export interface Serving {
  readonly url: string
  /** Stops accepting requests, waits for those in flight, and closes the database. */
  close(): Promise<void>
}

/** The script of the worker thread, next to the bundle. */
const HEAVY_THREAD = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

/** Beside dist/, and only in a clone. */
const GUIDE_SCRIPT = fileURLToPath(new URL('../scripts/guide.mjs', import.meta.url))

export async function serve(settings: ServeSettings): Promise<Serving> {
  checkMetricsToken(settings)
  if (settings.prefer !== undefined && settings.observed === undefined) {
    throw new UsageError('--prefer observed needs --observed, the file of what was observed')
  }
  if (settings.satCatalogs !== undefined) await useCatalogs(settings.satCatalogs)
  const isTerminal = io().stdout.isTTY === true
  const generatedToken = settings.adminToken === undefined ? madeUpToken(settings) : null
  const adminToken = settings.adminToken ?? generatedToken
  const logger = await makeLogger(startupLevel(settings), isTerminal, io() === process ? null : io().stdout)
  // Before the database is created, so that a wrong file leaves nothing behind.
  const init = await prepareInit(settings)
  const served = usesTls(settings) ? (await import('./tlsFiles.ts')).tlsOf(settings) : null
  const { tls: _mode, ...options } = settings
  const fixtures = isInitFile(settings.fixtures) ? 'none' : settings.fixtures
  const wasUnfinished = removeUnfinished(settings.db)
  const app = await build(settings.db, {
    ...options,
    fixtures,
    adminToken,
    publicMetrics: settings.metrics === 'public',
    heavyThread: HEAVY_THREAD,
    buildGuide: existsSync(GUIDE_SCRIPT)
      ? async () => (await import('./guideBuild.ts')).buildGuide(GUIDE_SCRIPT)
      : null,
    logger,
    tls: served?.tls ?? null,
  })
  let removeServerFile = (): void => undefined
  let stopFollowing = (): void => undefined
  const close = async (): Promise<void> => {
    stopFollowing()
    await app.close()
    removeServerFile()
  }
  // Before the URL is printed, because a script that waits for it may send a signal immediately.
  stopOnSignals(close)
  if (served) {
    stopFollowing = served.follow((error) => {
      if (error) logger.error(`kept the current certificate: ${error.message}`)
      else logger.info('loaded the changed certificate')
    })
  }
  const address = await listen(app, settings, async () => {
    served?.keep()
    await init?.start(app, adminToken)
  })
  const url = settings.publicUrl ?? address
  removeServerFile = writeServerFile(settings.db, address)

  const advice = served?.advice(url) ?? []
  const observed = app.extension.summary
  const facts = { init: init?.result, observed, advice, trust: served?.trust ?? '' }
  const demoKey = app.demoKey ?? init?.key(app) ?? null
  if (isTerminal) io().stdout.write(welcome({ demoKey }, settings, url, facts))
  if (generatedToken !== null) {
    io().stderr.write(`Other machines can reach the control plane. Its admin token: ${generatedToken}\n`)
  }
  if (wasUnfinished) {
    logger.warn(`${settings.db} is new: the last start or reset ended before the files of --init had run`)
  }
  logger.level = settings.logLevel
  // First, because scripts read the URL from the first line.
  if (!isTerminal) logger.info({ url, version: VERSION }, 'ready')
  if (init && !isTerminal) logger.info({ folder: settings.init, files: init.files }, `init: ${init.result}`)
  if (!isTerminal && observed !== undefined) logger.info(`observed: ${observed}`)
  if (!isTerminal) for (const line of advice) logger.info(line.replace(/^ +(?:TLS +)?/, 'tls: '))
  return { url, close }
}

/** Refuses a metrics token that would have no effect, or would open more than the metrics. */
function checkMetricsToken({ metrics, metricsToken, adminToken }: ServeSettings): void {
  if (metricsToken === undefined) return
  if (metrics === 'public') {
    throw new UsageError(
      '--metrics public and --metrics-token are both given; use one of them, because public metrics need no token',
    )
  }
  if (metricsToken === adminToken) {
    throw new UsageError('--metrics-token must differ from --admin-token, which opens every call')
  }
}

const usesTls = ({ tls, tlsCert, tlsKey }: ServeSettings): boolean =>
  [tls, tlsCert, tlsKey].some((each) => each !== undefined)

async function useCatalogs(folder: string): Promise<void> {
  const { CatalogProblem, loadOfficialCatalogs } =
    await import('../state/tax-invoicing/catalogs/officialCatalogs.ts')
  try {
    loadOfficialCatalogs(folder)
  } catch (error) {
    throw error instanceof CatalogProblem ? new CommandError(error.message) : error
  }
}

async function build(
  db: string,
  options: AppOptions & Pick<ServeSettings, 'observed' | 'prefer'>,
): Promise<App> {
  try {
    return await buildApp({ ...options, extension: await observing(options) })
  } catch (error) {
    if (isObservedError(error)) throw new UsageError(`--observed: ${error.message}`)
    if (error instanceof ReadingError) throw new UsageError(`--readings: ${error.message}`)
    const isExpected = error instanceof DatabaseFileError || error instanceof FixtureError
    if (!isExpected) throw error
    const other = isHeldByAnother(error) ? await serverOfDatabase(db) : null
    throw new CommandError(error.message + (other === null ? '' : `: ${runsAt(other)}`))
  }
}

/** By its name, because only a start with an overlay loads its module. */
const isObservedError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ObservedError'

const runsAt = (url: string): string => `a suite simulator runs at ${url}`

/** Starts to listen. An error is one line. */
async function listen(
  app: App,
  { host, port }: ServeSettings,
  prepare: () => Promise<void>,
): Promise<string> {
  try {
    return await listenWith(app, { host, port }, prepare)
  } catch (error) {
    if (isFileProblem(error)) {
      throw new CommandError(toDatabaseFileError(app.workspaces.database.file, error).message)
    }
    throw await asListenProblem(error, host, port)
  }
}

async function asListenProblem(error: unknown, host: string, port: number): Promise<unknown> {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!isSocketError(error)) return error
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use',
    EACCES: 'this user does not have permission',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'the host does not exist',
  }
  const other = code === 'EADDRINUSE' ? await serverAtPort(host, port) : null
  const reason = other === null ? (why[code] ?? code) : runsAt(other)
  return new CommandError(`cannot listen at ${host} port ${String(port)}: ${reason}`)
}

/** Returns the log level during startup: nothing is printed before the URL except warnings, with files to run only errors. */
const startupLevel = ({ logLevel, init, fixtures }: ServeSettings): LogLevel => {
  const isQuiet = logLevel === 'silent' || logLevel === 'fatal' || logLevel === 'error'
  if ((init !== undefined || isInitFile(fixtures)) && !isQuiet) return 'error'
  return /^(info|debug|trace)$/.test(logLevel) ? 'warn' : logLevel
}

interface StartFacts {
  /** What the files of --init did. */
  readonly init: string | undefined
  /** What is followed of an overlay. */
  readonly observed: string | undefined
  /** Lines about a self-signed certificate. */
  readonly advice: readonly string[]
  /** The variable with which a Node.js program trusts it. */
  readonly trust: string
}

/** Returns the lines that a terminal shows after the start. */
export function welcome(
  app: Pick<App, 'demoKey'>,
  settings: Pick<ServeSettings, 'db'>,
  url: string,
  { init, observed, advice = [], trust = '' }: Partial<StartFacts> = {},
): string {
  return [
    `Suite Simulator ${VERSION}`,
    `  URL        ${url}`,
    ...(app.demoKey === null ? [] : [`  Key        ${app.demoKey}`]),
    `  Dashboard  ${url}/_sim/`,
    `  Guide      ${url}/_sim/guide/`,
    `  Docs       ${url}/_sim/docs`,
    `  Data       ${settings.db === ':memory:' ? 'in memory; deleted when the server stops' : settings.db}`,
    ...(init === undefined ? [] : [`  Init       ${init}`]),
    ...(observed === undefined ? [] : [`  Observed   ${observed}`]),
    ...advice,
    `  Next       ${trust}${nextCommand(url)}`,
    'Press Ctrl+C to stop.',
    '',
  ].join('\n')
}

/** Returns the command that shows what the server does; it needs the URL if that is not the default. */
const nextCommand = (url: string): string =>
  `npx suite-sim listen --print${url === DEFAULT_URL ? '' : ` --url ${url}`}`

/** Stops the server on the first signal. A second signal exits without waiting for requests in flight. */
function stopOnSignals(close: () => Promise<void>): void {
  let stopping = false
  const stop = (signal: Signal): void => {
    if (stopping) {
      exitNow(SIGNAL_EXIT[signal])
      return
    }
    stopping = true
    close().then(
      () => exit(0),
      (error: unknown) => {
        io().stderr.write(`suite-sim: could not stop cleanly: ${String(error)}\n`)
        return exit(1)
      },
    )
  }
  io().on('SIGINT', stop)
  io().on('SIGTERM', stop)
}

/** Exit codes of signals in shells: 128 plus the signal number. */
const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
