/** `suite-sim serve`: starts the server, says where it is, and stops it when the system asks for it. */
import { fileURLToPath } from 'node:url'
import { buildApp, madeUpToken, makeLogger, type App, type AppOptions } from '../app.ts'
import { FixtureProblem } from '../control/fixtures.ts'
import { DatabaseProblem, fileError, isHeldByAnother, openProblem } from '../state/databaseProblem.ts'
import { removeDatabase } from '../state/fileDiscarding.ts'
import { VERSION } from '../version.ts'
import type { LogLevel } from '../library/logLevels.ts'
import type { ServeSettings } from './flags.ts'
import { Problem } from './problem.ts'
import { writeServerFile, serverAtPort, serverOfDatabase } from './serverFile.ts'

/** A server that runs. */
export interface Serving {
  readonly url: string
  /** Stops accepting, lets what is in flight end, closes the database. */
  close(): Promise<void>
}

/** Lies beside the bundle. */
const HEAVY_THREAD = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

export async function serve(settings: ServeSettings): Promise<Serving> {
  if (settings.satCatalogs !== undefined) await useCatalogs(settings.satCatalogs)
  const terminal = process.stdout.isTTY
  const madeUp = settings.adminToken === undefined ? madeUpToken(settings) : null
  const adminToken = settings.adminToken ?? madeUp
  const logger = await makeLogger(quiet(settings.logLevel), terminal)
  const app = await build(settings.db, { ...settings, adminToken, heavyThread: HEAVY_THREAD, logger })
  let forget = (): void => undefined
  const close = async (): Promise<void> => {
    await app.close()
    forget()
  }
  // Before anybody is told that the server is there, for whoever is told may ask it to stop.
  stopWhenAsked(close)
  const address = await listen(app, settings)
  const url = settings.publicUrl ?? address
  forget = writeServerFile(settings.db, address)

  if (terminal) process.stdout.write(welcome(app, settings, url))
  if (madeUp !== null) {
    process.stderr.write(`Other machines can reach the control plane. Its admin token: ${madeUp}\n`)
  }
  logger.level = settings.logLevel
  if (!terminal) logger.info({ url, version: VERSION }, 'ready')
  return { url, close }
}

async function useCatalogs(folder: string): Promise<void> {
  const { CatalogProblem, loadOfficialCatalogs } = await import('../state/tax-invoicing/officialCatalogs.ts')
  try {
    loadOfficialCatalogs(folder)
  } catch (error) {
    throw error instanceof CatalogProblem ? new Problem(error.message) : error
  }
}

async function build(db: string, options: AppOptions): Promise<App> {
  try {
    return await buildApp(options)
  } catch (error) {
    const isForeseen = error instanceof DatabaseProblem || error instanceof FixtureProblem
    if (!isForeseen) throw error
    const there = isHeldByAnother(error) ? await serverOfDatabase(db) : null
    throw new Problem(error.message + (there === null ? '' : `: ${runsAt(there)}`))
  }
}

const runsAt = (url: string): string => `a suite simulator runs at ${url}`

/** A server that can't listen leaves no database behind that it has only just made. */
async function listen(app: App, { host, port }: ServeSettings): Promise<string> {
  const { database } = app.workspaces
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const isOfTheFile = fileError(error) !== null && !isOfTheSocket(error)
    await app.close().catch((onClosing: unknown) => {
      if (!isOfTheFile) throw onClosing
    })
    if (database.isNew) removeDatabase(database)
    if (isOfTheFile) throw new Problem(openProblem(database.file, error).message)
    throw await asListenProblem(error, host, port)
  }
}

const isOfTheSocket = (error: unknown): boolean =>
  /^(?:listen|getaddrinfo)$/.test((error as NodeJS.ErrnoException).syscall ?? '')

async function asListenProblem(error: unknown, host: string, port: number): Promise<unknown> {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!isOfTheSocket(error)) return error
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use',
    EACCES: 'it takes more rights than this user has',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'there is no such host',
  }
  const there = code === 'EADDRINUSE' ? await serverAtPort(host, port) : null
  const words = there === null ? (why[code] ?? code) : runsAt(there)
  return new Problem(`cannot listen at ${host} port ${String(port)}: ${words}`)
}

/** Until the line that says where the server is, nothing but trouble is logged. */
const quiet = (level: LogLevel): LogLevel => (/^(info|debug|trace)$/.test(level) ? 'warn' : level)

/** What a person at a terminal wants to know first. */
export function welcome(app: Pick<App, 'demoKey'>, settings: Pick<ServeSettings, 'db'>, url: string): string {
  return [
    `Suite Simulator ${VERSION}`,
    `  URL        ${url}`,
    ...(app.demoKey === null ? [] : [`  Key        ${app.demoKey}`]),
    `  Dashboard  ${url}/_sim/`,
    `  Docs       ${url}/_sim/docs`,
    `  Data       ${settings.db === ':memory:' ? 'in memory; nothing is kept' : settings.db}`,
    'Ctrl+C stops.',
    '',
  ].join('\n')
}

/** The first signal lets what is in flight end; the second does not wait for it. */
function stopWhenAsked(close: () => Promise<void>): void {
  let stopping = false
  const stop = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (stopping) process.exit(SIGNAL_EXIT[signal])
    stopping = true
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`suite-sim: could not stop in good order: ${String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

/** 128 and the signal's number, as shells have it. */
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const
