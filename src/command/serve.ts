/** `suite-sim serve`: starts the server, says where it is, and stops it when the system asks for it. */
import { fileURLToPath } from 'node:url'
import { buildApp, madeUpToken, type App, type AppOptions } from '../app.ts'
import { FixtureProblem } from '../control/fixtures.ts'
import { DatabaseProblem, fileTrouble, openProblem } from '../state/databaseProblem.ts'
import { removeDatabase } from '../state/fileDiscarding.ts'
import { VERSION } from '../version.ts'
import type { LogLevel, ServeSettings } from './flags.ts'
import { makeLogger } from './log.ts'
import { Problem } from './problem.ts'

/** A server that runs. */
export interface Serving {
  readonly url: string
  /** Stops accepting, lets what is in flight end, closes the database. */
  close(): Promise<void>
}

/** Lie beside the bundle. */
const WEBHOOK_THREAD = fileURLToPath(new URL('./sender-thread.cjs', import.meta.url))
const HEAVY_THREAD = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

export async function serve(settings: ServeSettings): Promise<Serving> {
  if (settings.satCatalogs !== undefined) await useCatalogs(settings.satCatalogs)
  const terminal = process.stdout.isTTY
  const madeUp = settings.adminToken === undefined ? madeUpToken(settings) : null
  const adminToken = settings.adminToken ?? madeUp
  const logger = await makeLogger(quiet(settings.logLevel), terminal)
  const threads = { webhookThread: WEBHOOK_THREAD, heavyThread: HEAVY_THREAD }
  const app = await build({ ...settings, adminToken, ...threads, logger })
  const close = (): Promise<void> => app.close()
  // Before anybody is told that the server is there, for whoever is told may ask it to stop.
  stopWhenAsked(close)
  const url = await listen(app, settings)

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

async function build(options: AppOptions): Promise<App> {
  try {
    return await buildApp(options)
  } catch (error) {
    const isForeseen = error instanceof DatabaseProblem || error instanceof FixtureProblem
    throw isForeseen ? new Problem(error.message) : error
  }
}

/** A server that can't listen leaves no database behind that it has only just made. */
async function listen(app: App, { host, port, publicUrl }: ServeSettings): Promise<string> {
  const { database } = app.workspaces
  try {
    const address = await app.listen({ host, port })
    return publicUrl ?? address
  } catch (error) {
    const isOfTheFile = fileTrouble(error) !== null && !isOfTheSocket(error)
    await app.close().catch((onClosing: unknown) => {
      if (!isOfTheFile) throw onClosing
    })
    if (database.isNew) removeDatabase(database)
    if (isOfTheFile) throw new Problem(openProblem(database.file, error).message)
    throw asListenProblem(error, host, port)
  }
}

const isOfTheSocket = (error: unknown): boolean =>
  /^(?:listen|getaddrinfo)$/.test((error as NodeJS.ErrnoException).syscall ?? '')

function asListenProblem(error: unknown, host: string, port: number): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!isOfTheSocket(error)) return error
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use',
    EACCES: 'it takes more rights than this user has',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'there is no such host',
  }
  return new Problem(`cannot listen at ${host} port ${String(port)}: ${why[code] ?? code}`)
}

/** Until the line that says where the server is, nothing but trouble is logged. */
const quiet = (level: LogLevel): LogLevel => (/^(info|debug|trace)$/.test(level) ? 'warn' : level)

/** What a person at a terminal wants to know first. */
export function welcome(app: Pick<App, 'demoKey'>, settings: Pick<ServeSettings, 'db'>, url: string): string {
  const key = app.demoKey === null ? '' : `, demo key ${app.demoKey}`
  const kept = settings.db === ':memory:' ? 'Nothing is kept' : `Data in ${settings.db}`
  return `Suite Simulator ${VERSION} at ${url}${key}, control plane at ${url}/_sim\n${kept}. Ctrl+C stops.\n`
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
