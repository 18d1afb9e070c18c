/**
 * Runs the command line in the test's own process with the same `main`, which is about a hundred times faster than a
 * child process.
 */
import { main } from '../../src/main.ts'
import type { Ended, Place } from './process.ts'

/** Thrown instead of exiting. */
class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${String(code)}`)
    this.code = code
  }
}

/**
 * Runs a command that ends by itself and starts no server. Tests of pipes, signals and servers need a real process.
 */
export async function runHere(args: readonly string[], { folder, variables }: Place): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const before = { env: process.env, folder: process.cwd(), exit: process.exit, exitCode: process.exitCode }
  const undo = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name]
    const { write } = stream
    const listeners = stream.listeners('error')
    stream.write = (text: string | Uint8Array, done?: unknown): boolean => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      if (typeof done === 'function') done()
      return true
    }
    return () => {
      stream.write = write
      for (const listener of stream.listeners('error')) {
        if (!listeners.includes(listener)) stream.off('error', listener as () => void)
      }
    }
  })
  process.env = { PATH: before.env['PATH'], ...variables }
  process.chdir(folder)
  process.exit = (code) => {
    throw new Exit(Number(code ?? 0))
  }
  try {
    await main(args)
    return { code: Number(process.exitCode ?? 0), ...written }
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...written }
    throw error
  } finally {
    process.env = before.env
    process.chdir(before.folder)
    process.exit = before.exit
    process.exitCode = before.exitCode
    for (const each of undo) each()
  }
}
