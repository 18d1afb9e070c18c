/** `suite-sim serve`: starts the server, says where it is, and stops it when the system asks for it. */
import { isIPv6 } from 'node:net'
import { fileURLToPath } from 'node:url'
import { buildApp, type App, type AppOptions } from '../app.ts'
import { FixtureProblem } from '../control/fixtures.ts'
import { DatabaseProblem } from '../state/database.ts'
import { unguessable } from '../state/ids.ts'
import { VERSION } from '../version.ts'
import { isLoopback } from '../webhooks/urls.ts'
import type { LogLevel, ServeSettings } from './flags.ts'
import { makeLogger } from './log.ts'
import { Problem } from './problem.ts'

/** A server that runs. */
export interface Serving {
  readonly url: string
  /** Stops accepting, lets what is in flight end, closes the database. */
  close(): Promise<void>
}

/** Lies beside the bundle. */
const WEBHOOK_THREAD = fileURLToPath(new URL('./sender-thread.cjs', import.meta.url))

export async function serve(settings: ServeSettings): Promise<Serving> {
  const terminal = process.stdout.isTTY
  const madeUp = settings.adminToken === undefined && !isLoopback(inUrl(settings.host))
  const adminToken = madeUp ? unguessable() : (settings.adminToken ?? null)
  const logger = await makeLogger(quiet(settings.logLevel), terminal)
  const app = build({ ...settings, adminToken, webhookThread: WEBHOOK_THREAD, logger })
  const close = (): Promise<void> => app.close()
  // Before anybody is told that the server is there, for whoever is told may ask it to stop.
  stopWhenAsked(close)
  const url = await listen(app, settings)

  if (terminal) process.stdout.write(welcome(app, settings, url))
  if (madeUp && adminToken !== null) {
    process.stderr.write(`Other machines can reach the control plane. Its admin token: ${adminToken}\n`)
  }
  logger.level = settings.logLevel
  if (!terminal) logger.info({ url, version: VERSION }, 'ready')
  return { url, close }
}

/** A host as it stands in a URL. Node's own check takes some ms the first time, and for most hosts in vain. */
const inUrl = (host: string): string =>
  host.includes(':') && isIPv6(host) ? `[${host}]` : host.toLowerCase()

function build(options: AppOptions): App {
  try {
    return buildApp(options)
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
    await app.close()
    if (database.isNew) database.remove()
    throw asListenProblem(error, host, port)
  }
}

function asListenProblem(error: unknown, host: string, port: number): unknown {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error
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
