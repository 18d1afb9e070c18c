/** The program as a child process: its output, its exit code, and its URL. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { atEndOfFile } from './endOfFile.ts'
import { ROOT } from './root.ts'
import { startServer, type Server } from './serverProcess.ts'

export { ROOT }

export const BINARY = join(ROOT, 'dist/main.js')

/** The bundle of the tasks of src/http/files/heavyWork. */
export const HEAVY_THREAD = join(ROOT, 'dist/heavy-thread.cjs')

/** Builds dist/ if it is older than the sources. */
export function build(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--if-stale'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the build failed: ${stderr}`)
}

/** Builds the guide if it is older than its sources. */
export function buildGuide(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/guide.mjs'), '--if-stale'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the build of the guide failed: ${stderr}`)
}

/** Returns a port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Creates an empty folder and removes it after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'suite-sim-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

export interface Place {
  /** The working directory. */
  readonly folder: string
  readonly variables?: Readonly<Record<string, string>>
  /** Another file to run instead of the binary of this checkout. */
  readonly binary?: string
  /** True to make the server report how long its event loop is blocked. */
  readonly probe?: boolean
  /** The text of standard input; empty by default. */
  readonly input?: string
  /** True to give a command in the test's process (commandLine.ts) streams of a terminal. */
  readonly terminal?: boolean
  /** How the reader of such a command takes its output. */
  readonly isRead?: 'at once' | 'slowly'
  /** True to apply file permissions to the process even if it runs as root. */
  readonly bound?: boolean
}

/** The folder for temporary files of a test file's processes: a killed process leaves some behind. */
let temporary: string | null = null

atEndOfFile(() => {
  if (temporary !== null) rmSync(temporary, { recursive: true, force: true })
  temporary = null
  return Promise.resolve()
})

const environment = ({ variables }: Place): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  TMPDIR: (temporary ??= mkdtempSync(join(tmpdir(), 'suite-sim-temporary-'))),
  ...variables,
})

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts Node.js without the root capabilities that bypass file permissions. */
const asBound = (): [string, ...string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', process.execPath]
    : [process.execPath]

/** Runs the binary until it ends. Other processes of the test continue. */
export async function run(args: readonly string[], place: Place): Promise<Ended> {
  const [program, ...before] = place.bound === true ? asBound() : [process.execPath]
  const child = spawn(program, [...before, place.binary ?? BINARY, ...args], {
    cwd: place.folder,
    env: environment(place),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  stopAfterTest(child)
  // The process may end before it has read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(place.input ?? '')
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...written }
}

export type { Server } from './serverProcess.ts'

/** Starts the binary and waits for the line with its URL. It is stopped after the test. */
export function start(args: readonly string[], place: Place): Promise<Server> {
  const { probe = false, binary = BINARY, folder } = place
  return startServer({ binary, args, folder, variables: environment(place), probe }, stopAfterTest)
}

/** The servers of a test file, by their arguments. */
const shared = new Map<string, Promise<Server>>()

atEndOfFile(async () => {
  const servers = await Promise.all(shared.values())
  shared.clear()
  await Promise.all(servers.map((server) => server.stop('SIGKILL')))
})

/**
 * A server of the test file, started once for these arguments and reset to its initial state. For tests of a running
 * server, in sequence; its database must be in memory. It is a process, because tests that wait for other programs
 * block their own.
 */
export async function sharedServer(args: readonly string[], adminToken?: string): Promise<Server> {
  const all = ['--port', '0', '--db', ':memory:', ...args]
  const key = JSON.stringify(all)
  const known = shared.get(key)
  if (!known) {
    const place = { folder: tmpdir(), variables: environment({ folder: tmpdir() }) }
    const started = startServer({ binary: BINARY, args: all, ...place, probe: false }, () => undefined)
    shared.set(key, started)
    return started
  }
  const server = await known
  await resetServer(server.url, adminToken)
  return server
}

/** Resets a running server to its initial state. */
export async function resetServer(url: string, adminToken?: string): Promise<void> {
  const headers = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
  const { status } = await fetch(`${url}/_sim/reset`, { method: 'POST', headers })
  if (status >= 300) throw new Error(`the reset of the shared server answered ${String(status)}`)
}

/** Stops a process after the test. */
export function stopAfterTest(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
}
