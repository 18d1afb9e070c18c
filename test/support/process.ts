/** The program as a child process: what it prints, how it ends, and where it listens. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export const BINARY = join(ROOT, 'dist/main.js')

/** What src/webhooks/sending/thread.ts is built to. */
export const SENDER_THREAD = join(ROOT, 'dist/sender-thread.cjs')

/** Builds dist/ when it is older than the sources. */
export function build(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--if-stale'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the build failed: ${stderr}`)
}

/** An empty folder that is gone after the test. */
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
  /** Another file to run than the binary of this checkout. */
  readonly binary?: string
}

const environment = ({ variables }: Place): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], ...variables })

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the binary until it ends. Other processes of the test go on meanwhile. */
export async function run(args: readonly string[], place: Place): Promise<Ended> {
  const child = spawn(process.execPath, [place.binary ?? BINARY, ...args], {
    cwd: place.folder,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stopAfterTest(child)
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...written }
}

export interface Server {
  readonly url: string
  /** Every line of standard output so far. */
  readonly lines: readonly string[]
  /** What is on standard error so far. */
  stderr(): string
  /** Sends the signal and answers with the exit code when the process is gone; null when the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  /** Sends the signal only. */
  signal(signal: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

/** Starts the binary and waits for the line that says where it listens. */
export async function start(args: readonly string[], place: Place): Promise<Server> {
  const child = spawn(process.execPath, [place.binary ?? BINARY, ...args], {
    cwd: place.folder,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stopAfterTest(child)
  const lines: string[] = []
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const first = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line)
      resolve(line)
    })
    void ended.then((code) => {
      reject(new Error(`the server ended with ${String(code)}: ${stderr}`))
    })
  })
  const { url } = JSON.parse(await first) as { url: string }
  return {
    url,
    lines,
    stderr: () => stderr,
    signal: (signal) => void child.kill(signal),
    stop: (signal) => {
      child.kill(signal)
      return ended
    },
    ended,
  }
}

function stopAfterTest(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
}
