/** The program as a server process, for tests and for scripts without a test runner. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { ROOT } from './root.ts'

export interface Server {
  readonly url: string
  /** Every line of standard output so far. */
  readonly lines: readonly string[]
  /** The text of standard error so far. */
  stderr(): string
  /** Sends the signal and returns the exit code after the process has ended; null if the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  /** Sends the signal without waiting. */
  signal(signal: NodeJS.Signals): void
  readonly ended: Promise<number | null>
  readonly pid: number
  /** The longest block of its event loop since the last call, in ms; for servers with a `probe`. */
  longestHoldMs(): Promise<number>
}

export interface Launch {
  readonly binary: string
  readonly args: readonly string[]
  /** The working directory. */
  readonly folder: string
  readonly variables: Readonly<Record<string, string | undefined>>
  /** True to make the server report how long its event loop is blocked. */
  readonly probe: boolean
}

const PROBE = join(ROOT, 'test/support/loopProbe.mjs')

/** Starts the binary and waits for the line with its URL; `watch` receives the process before that. */
export async function startServer(launch: Launch, watch: (child: ChildProcess) => void): Promise<Server> {
  const { binary, args, folder, variables, probe } = launch
  const node = probe ? ['--import', PROBE] : []
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [...node, binary, ...args],
    {
      cwd: folder,
      env: variables,
      stdio: ['ignore', 'pipe', 'pipe', ...(probe ? (['ipc'] as const) : [])],
    },
  ) as ChildProcessByStdio<null, Readable, Readable>
  watch(child)
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
    pid: child.pid ?? 0,
    async longestHoldMs() {
      const report = once(child, 'message') as Promise<[{ longestHoldMs: number }]>
      child.send('how long?')
      const [{ longestHoldMs }] = await report
      return longestHoldMs
    },
  }
}
