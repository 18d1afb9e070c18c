/** Runs the client under test once: a command in a process of its own, or a function. */
import { spawn } from 'node:child_process'
import { io } from '@suite-sim/kit/terminal/io'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import type { CallerExamOptions, CallerRun } from './options.ts'

export type Runner = CallerExamOptions['run']

/** How a run ended. */
export interface Ended {
  /** null if the exam or a signal ended it. */
  readonly exitCode: number | null
  /** The last line that it wrote, or the message that it threw; '' if it said nothing. */
  readonly lastLine: string
}

/** Characters of the output that are kept. */
const KEPT = 4000

/** Ms after its end in which the output of a command is read. */
const LONGEST_OUTPUT_MS = 2000

export const runClient = (runner: Runner, run: CallerRun): Promise<Ended> =>
  typeof runner === 'function' ? runFunction(runner, run) : runCommand(runner, run)

async function runFunction(act: (run: CallerRun) => unknown, run: CallerRun): Promise<Ended> {
  const { signal } = run
  const aborted = new Promise<Ended>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve({ exitCode: null, lastLine: '' })
    })
  })
  const ended = async (): Promise<Ended> => {
    try {
      await act(run)
      return { exitCode: 0, lastLine: '' }
    } catch (error) {
      return { exitCode: 1, lastLine: lastLineOf(error instanceof Error ? error.message : String(error)) }
    }
  }
  return Promise.race([ended(), aborted])
}

function runCommand([command = '', ...args]: readonly string[], { env, signal }: CallerRun): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the command starts ends with it.
    const child = spawn(command, args, {
      env: { ...io().env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    let output = ''
    const add = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-KEPT)
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    const kill = (): void => {
      killGroup(child.pid)
    }
    if (signal.aborted) kill()
    else signal.addEventListener('abort', kill)
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(new UsageError(`cannot run ${command}: ${error.code ?? error.message}`))
    })
    child.on('exit', (code) => {
      signal.removeEventListener('abort', kill)
      // What it has left running would keep its output open.
      kill()
      const end = (): void => {
        clearTimeout(timer)
        resolve({ exitCode: signal.aborted ? null : code, lastLine: lastLineOf(output) })
      }
      const timer = setTimeout(end, LONGEST_OUTPUT_MS)
      child.on('close', end)
    })
  })
}

/** Ends the process and those that it started. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The last line that is not part of a stack trace. */
const lastLineOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:at |Node\.js v|\}|\^)/.test(line))
    .at(-1)
    ?.slice(0, 200) ?? ''
