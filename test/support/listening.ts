/** `suite-sim listen` as a child process, and what it prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { BINARY, ROOT, stopAfterTest } from './process.ts'

export interface PrintedEntry {
  readonly kind: string
  readonly title: string
  readonly outcome?: string
  readonly forwarded?: { readonly url: string; readonly status: number | null; readonly attempt: number }
  readonly [field: string]: unknown
}

export interface ListenProcess {
  readonly pid: number
  /** The lines of standard output so far. */
  readonly entries: PrintedEntry[]
  /** Standard error so far. */
  readonly text: () => string
  /** Resolves with the first entry that matches. */
  entry(matches: (entry: PrintedEntry) => boolean): Promise<PrintedEntry>
  /** Resolves when standard error contains the words. */
  says(words: string): Promise<void>
  /** Sends the signal; resolves with the exit code when the process has ended. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  readonly ended: Promise<number | null>
}

/** Starts `listen` against a server. It is stopped after the test. */
export function startListen(
  url: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ListenProcess {
  const child = spawn(process.execPath, [BINARY, 'listen', '--url', url, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stopAfterTest(child)
  const entries: PrintedEntry[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  let text = ''
  const look = (): void => {
    for (const each of [...waiting]) each()
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    entries.push(...lines.map((line) => JSON.parse(line) as PrintedEntry))
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    look()
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const until = <Value>(find: () => Value | undefined): Promise<Value> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = find()
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
      void ended.then(() => {
        reject(new Error(`listen has ended: ${text}`))
      })
    })
  return {
    pid: child.pid ?? 0,
    entries,
    text: () => text,
    entry: (matches) => until(() => entries.find(matches)),
    says: async (words) => {
      await until(() => (text.includes(words) ? true : undefined))
    },
    stop(signal) {
      child.kill(signal)
      return ended
    },
    ended,
  }
}
