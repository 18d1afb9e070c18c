/** Runs the command of the team. */
import { spawn } from 'node:child_process'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { UsageError } from '@suite-sim/kit/terminal/problem'

export interface Ended {
  /** null if a signal ended it. */
  readonly code: number | null
  /** The end of what it printed. */
  readonly output: string
  readonly durationMs: number
  readonly isTimedOut: boolean
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Characters of the output that are kept. */
const KEPT = 4000

/** Ms that a command has for its end after the first signal. */
const GRACE_MS = 3000

/** Resolves when the command has ended, also by the signal. Throws a UsageError if it can't be started. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  { env, timeoutMs, signal }: RunOptions,
): Promise<Ended> {
  const begun = monotonicNow()
  // A group of its own, so that what the command starts ends with it.
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-KEPT)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  let isTimedOut = false
  let force: NodeJS.Timeout | undefined
  const end = (): void => {
    endGroup(child.pid, 'SIGTERM')
    force ??= setTimeout(endGroup, GRACE_MS, child.pid, 'SIGKILL')
  }
  const limit = setTimeout(() => {
    isTimedOut = true
    end()
  }, timeoutMs)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  return new Promise<Ended>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(new UsageError(`cannot run ${program}: ${error.code ?? error.message}`))
    })
    child.on('close', (code) => {
      resolve({ code, output, durationMs: monotonicNow() - begun, isTimedOut })
    })
  }).finally(() => {
    clearTimeout(limit)
    clearTimeout(force)
    signal.removeEventListener('abort', end)
  })
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}
