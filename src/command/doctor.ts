/** `suite-sim doctor`: what would keep the simulator from its work on this machine, and how the server is. */
import { accessSync, constants, existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { VERSION } from '../version.ts'
import { paint, print } from './output.ts'
import { Problem } from './problem.ts'
import type { Reaching } from './reaching.ts'
import { remoteOf } from './workspaces.ts'

interface Finding {
  readonly check: 'node' | 'listen' | 'write' | 'server' | 'version' | 'health' | 'token'
  readonly status: 'ok' | 'warning' | 'failure'
  readonly message: string
}

/** The oldest Node.js that it runs with, as package.json says. */
const OLDEST = [20, 19] as const

export async function doctor(settings: Reaching & { db: string }): Promise<void> {
  const findings = [nodeVersion(), await listening(), writing(settings.db), ...(await serverAt(settings))]
  const failed = findings.filter(({ status }) => status === 'failure')
  print(settings, { status: failed.length === 0 ? 'ok' : 'failure', findings }, () =>
    findings
      .map(({ check, status, message }) => `${MARKS[status]()} ${check.padEnd(8)} ${message}`)
      .join('\n'),
  )
  if (failed.length > 0) throw new Problem(failed.map(({ message }) => message).join('; '))
}

const MARKS = {
  ok: () => paint('green', 'ok     '),
  warning: () => paint('yellow', 'warning'),
  failure: () => paint('red', 'failure'),
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  const message = `Node.js ${process.versions.node}${isNew ? '' : ` is older than ${OLDEST.join('.')}`}`
  return { check: 'node', status: isNew ? 'ok' : 'failure', message }
}

/** At a port that is free, for the server's own may be taken by the server. */
const listening = (): Promise<Finding> =>
  new Promise((tell) => {
    const server = createServer()
    server.once('error', ({ message }) => {
      tell({ check: 'listen', status: 'failure', message: `cannot listen at 127.0.0.1: ${message}` })
    })
    server.listen(0, '127.0.0.1', () => {
      server.close(() => {
        tell({ check: 'listen', status: 'ok', message: 'can listen at 127.0.0.1' })
      })
    })
  })

/** Nothing is made: asked is the file, or the nearest folder above it that is there. */
function writing(db: string): Finding {
  if (db === ':memory:') return { check: 'write', status: 'ok', message: 'nothing is kept' }
  let place = resolve(db)
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  try {
    accessSync(place, constants.W_OK)
    return { check: 'write', status: 'ok', message: `can write ${db}` }
  } catch {
    return { check: 'write', status: 'failure', message: `cannot write ${db}: no right to write ${place}` }
  }
}

async function serverAt(settings: Reaching): Promise<Finding[]> {
  const remote = remoteOf(settings)
  let health: { status: number; text: string }
  try {
    health = await remote.ask('GET', '/_sim/health')
  } catch (error) {
    return [{ check: 'server', status: 'warning', message: (error as Error).message }]
  }
  const body = objectIn(health.text)
  if (!body || !('version' in body || 'error' in body)) {
    return [{ check: 'server', status: 'failure', message: `${settings.url} is no simulator` }]
  }
  return [
    { check: 'server', status: 'ok', message: `a server is at ${settings.url}` },
    ...('version' in body ? [versionOf(String(body['version']))] : []),
    health.status === 200
      ? { check: 'health', status: 'ok', message: 'the server is well' }
      : { check: 'health', status: 'failure', message: findProblem(body) },
    await tokenOf(settings),
  ]
}

const versionOf = (version: string): Finding => ({
  check: 'version',
  status: version === VERSION ? 'ok' : 'warning',
  message: version === VERSION ? `both are ${VERSION}` : `the server is ${version}, this is ${VERSION}`,
})

async function tokenOf(settings: Reaching): Promise<Finding> {
  try {
    await remoteOf(settings).call('GET', '/workspaces')
    return { check: 'token', status: 'ok', message: 'the control plane answers' }
  } catch (error) {
    return { check: 'token', status: 'failure', message: (error as Error).message }
  }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const findProblem = (body: Record<string, unknown>): string =>
  (body as { error?: { message?: string } }).error?.message ?? 'the server is not well'
