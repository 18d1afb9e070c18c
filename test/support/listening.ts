/** `suite-sim listen`, and what it prints. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { startHere } from './commandLine.ts'
import { BINARY, ROOT, stopAfterTest } from './process.ts'

export interface PrintedEntry {
  readonly kind: string
  readonly title: string
  readonly outcome?: string
  readonly forwarded?: { readonly url: string; readonly status: number | null; readonly attempt: number }
  readonly [field: string]: unknown
}

export interface Listening {
  /** Standard error so far. */
  readonly text: () => string
  /** Resolves with the first entry that matches. */
  entry(matches: (entry: PrintedEntry) => boolean): Promise<PrintedEntry>
  /** Resolves when standard error contains the words. */
  says(words: string): Promise<void>
  /** Sends the signal; resolves with the exit code when the command has ended. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  readonly ended: Promise<number | null>
}

interface Running {
  stdout(): string
  stderr(): string
  /** Calls `look` whenever the command has printed something. */
  follow(look: () => void): void
  stop(signal: NodeJS.Signals): Promise<number | null>
  readonly ended: Promise<number | null>
}

function spawned(args: readonly string[], variables: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stopAfterTest(child)
  const written = { stdout: '', stderr: '' }
  const printed = new EventEmitter()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      printed.emit('more')
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    follow: (look) => void printed.on('more', look),
    stop: (signal) => {
      child.kill(signal)
      return ended
    },
    ended,
  }
}

function here(args: readonly string[], variables: Readonly<Record<string, string>>): Running {
  const running = startHere(args, { folder: ROOT, variables })
  return { ...running, ended: running.ended.then(({ code }) => code) }
}

/** Starts `listen` against a server, in this process, or as one that can be killed. It is stopped after the test. */
export function startListen(
  url: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  isProcess = false,
): Listening {
  const start = isProcess ? spawned : here
  const { stdout, stderr, follow, stop, ended } = start(['listen', '--url', url, ...args], variables)
  const entries = (): PrintedEntry[] =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as PrintedEntry)
  const waiting = new Set<() => void>()
  follow(() => {
    for (const look of [...waiting]) look()
  })
  const until = <Value>(find: () => Value | undefined): Promise<Value> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find()
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
      void ended.then(() => {
        reject(new Error(`listen has ended: ${stderr()}`))
      })
    })
  return {
    text: stderr,
    entry: (matches) => until(() => entries().find(matches)),
    says: async (words) => {
      await until(() => (stderr().includes(words) ? true : undefined))
    },
    stop,
    ended,
  }
}
