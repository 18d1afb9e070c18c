/** The program as a server in a process of its own, for tests and for runs that no test runner watches. */
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
  /** What is on standard error so far. */
  stderr(): string
  /** Sends the signal and answers with the exit code when the process is gone; null when the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  /** Sends the signal only. */
  signal(signal: NodeJS.Signals): void
  readonly ended: Promise<number | null>
  readonly pid: number
  /** The longest that its event loop was held up since this was asked last, in ms; for servers with a `probe`. */
  longestHoldMs(): Promise<number>
}

export interface Launch {
  readonly binary: string
  readonly args: readonly string[]
  /** The working directory. */
  readonly folder: string
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Whether the server tells how long its event loop is held up. */
  readonly probe: boolean
}

const PROBE = join(ROOT, 'test/support/loopProbe.mjs')

/** Starts the binary and waits for the line that says where it listens; `watch` gets the process before that. */
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
      const told = once(child, 'message') as Promise<[{ longestHoldMs: number }]>
      child.send('how long?')
      const [{ longestHoldMs }] = await told
      return longestHoldMs
    },
  }
}
