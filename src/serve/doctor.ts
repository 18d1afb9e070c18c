/** `suite-sim doctor`: checks that this machine can run the simulator, and that a running server works. */
import { accessSync, constants, existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { MIGRATIONS } from '../assets.ts'
import { VERSION } from '@suite-sim/kit/version'
import { paint, print } from '@suite-sim/kit/terminal/output'
import { CommandError } from '@suite-sim/kit/terminal/problem'
import type { ServerSettings } from '@suite-sim/kit/terminal/settings'
import { remoteOf } from '@suite-sim/kit/terminal/remote'

interface Finding {
  readonly check: 'node' | 'listen' | 'database' | 'write' | 'server' | 'version' | 'health' | 'token'
  readonly status: 'ok' | 'warning' | 'failure'
  readonly message: string
}

/** The minimum Node.js version, as in package.json. */
const MIN_NODE = [20, 19] as const

export async function doctor(settings: ServerSettings & { db: string }): Promise<void> {
  const findings = [
    checkNode(),
    await checkListen(),
    await checkDatabase(),
    checkWrite(settings.db),
    ...(await checkServer(settings)),
  ]
  const failed = findings.filter(({ status }) => status === 'failure')
  print(settings, { status: failed.length === 0 ? 'ok' : 'failure', findings }, () =>
    findings
      .map(({ check, status, message }) => `${MARKS[status]()} ${check.padEnd(8)} ${message}`)
      .join('\n'),
  )
  if (failed.length > 0) throw new CommandError(failed.map(({ message }) => message).join('; '))
}

const MARKS = {
  ok: () => paint('green', 'ok     '),
  warning: () => paint('yellow', 'warning'),
  failure: () => paint('red', 'failure'),
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isSupported = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
  const message = `Node.js ${process.versions.node}${isSupported ? '' : ` is older than ${MIN_NODE.join('.')}`}`
  return { check: 'node', status: isSupported ? 'ok' : 'failure', message }
}

/** Checks with a free port, because a running server may use the configured one. */
const checkListen = (): Promise<Finding> =>
  new Promise((resolvePromise) => {
    const server = createServer()
    server.once('error', ({ message }) => {
      resolvePromise({
        check: 'listen',
        status: 'failure',
        message: `cannot listen at 127.0.0.1: ${message}`,
      })
    })
    server.listen(0, '127.0.0.1', () => {
      server.close(() => {
        resolvePromise({ check: 'listen', status: 'ok', message: 'can listen at 127.0.0.1' })
      })
    })
  })

/** Opens a database in memory. Loaded here, because without its native module that fails. */
async function checkDatabase(): Promise<Finding> {
  try {
    const { Database } = await import('../state/storage/database/database.ts')
    const database = new Database(':memory:', MIGRATIONS)
    const version = database.sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get()
    database.close()
    return { check: 'database', status: 'ok', message: `can open a database, with SQLite ${String(version)}` }
  } catch (error) {
    return {
      check: 'database',
      status: 'failure',
      message: `cannot open a database: ${(error as Error).message}`,
    }
  }
}

/** Checks write access to the file or its nearest existing parent folder. Creates nothing. */
function checkWrite(db: string): Finding {
  if (db === ':memory:') return { check: 'write', status: 'ok', message: 'the database is in memory' }
  let path = resolve(db)
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path)
  try {
    accessSync(path, constants.W_OK)
    return { check: 'write', status: 'ok', message: `can write ${db}` }
  } catch {
    return {
      check: 'write',
      status: 'failure',
      message: `cannot write ${db}: no permission to write ${path}`,
    }
  }
}

async function checkServer(settings: ServerSettings): Promise<Finding[]> {
  const remote = remoteOf(settings)
  let health: { status: number; text: string }
  try {
    health = await remote.ask('GET', '/_sim/health')
  } catch (error) {
    return [{ check: 'server', status: 'warning', message: (error as Error).message }]
  }
  const body = parseObject(health.text)
  if (!body || !('version' in body || 'error' in body)) {
    return [{ check: 'server', status: 'failure', message: `${settings.url} is not a suite simulator` }]
  }
  return [
    { check: 'server', status: 'ok', message: `a server runs at ${settings.url}` },
    ...('version' in body ? [checkVersion(String(body['version']))] : []),
    health.status === 200
      ? { check: 'health', status: 'ok', message: 'the server is healthy' }
      : { check: 'health', status: 'failure', message: errorMessageOf(body) },
    await checkToken(settings),
  ]
}

const checkVersion = (version: string): Finding => ({
  check: 'version',
  status: version === VERSION ? 'ok' : 'warning',
  message:
    version === VERSION
      ? `the server and the command have version ${VERSION}`
      : `the server has version ${version}, the command ${VERSION}`,
})

async function checkToken(settings: ServerSettings): Promise<Finding> {
  try {
    const { workspaceId } = await remoteOf(settings).call<{ workspaceId: string | null }>('GET', '/access')
    const opened = workspaceId === null ? '' : `, which opens the workspace ${workspaceId}`
    return { check: 'token', status: 'ok', message: `the control plane accepts the token${opened}` }
  } catch (error) {
    return { check: 'token', status: 'failure', message: (error as Error).message }
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const errorMessageOf = (body: Record<string, unknown>): string =>
  (body as { error?: { message?: string } }).error?.message ?? 'the server is not healthy'
