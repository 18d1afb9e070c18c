/**
 * Runs the command line in the test's own process, with streams, variables and signals of its own: about a hundred
 * times faster than a child process. Several commands run at once, in one working directory.
 */
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { withIo, type Io, type Signal } from '../../src/command/terminal/io.ts'
import { main } from '../../src/main.ts'
import type { Ended, Place } from './process.ts'

/** Thrown where the program would have ended at once. */
class Exit extends Error {}

/** What the test writes is read by the command, with the streams of the command. */
class Input extends PassThrough {
  readonly #own: Io

  constructor(own: Io) {
    super()
    this.#own = own
  }

  override emit(name: string | symbol, ...values: unknown[]): boolean {
    return withIo(this.#own, () => super.emit(name, ...values))
  }
}

/** Stands for the process of one command. */
class OwnIo extends EventEmitter implements Io {
  readonly stdin: PassThrough = new Input(this)
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly env: NodeJS.ProcessEnv
  exitCode: number | string | null | undefined
  /** Resolves when the command exits. */
  readonly exited: Promise<void>
  /** The code with which it has exited. */
  exitedWith: number | null = null
  readonly #isOver: () => void

  constructor(env: NodeJS.ProcessEnv) {
    super()
    this.env = env
    let isOver = (): void => undefined
    this.exited = new Promise((resolve) => (isOver = resolve))
    this.#isOver = isOver
  }

  exit(code?: number | string | null): never {
    // A process is gone now. Here, the error passes through the command, which must not print it.
    this.exitedWith ??= Number(code ?? this.exitCode ?? 0)
    this.stdout.write = this.stderr.write = () => true
    this.#isOver()
    throw new Exit()
  }
}

export interface RunningHere {
  /** Lines of standard output, as they come. */
  readonly lines: AsyncIterableIterator<string>
  readonly stdin: PassThrough
  stdout(): string
  stderr(): string
  signal(signal: Signal): void
  /** The reader of the output goes away. */
  closePipe(): void
  readonly ended: Promise<Ended>
}

/** Starts a command that goes on until it ends or gets a signal. A test that leaves it running ends it with SIGTERM. */
export function startHere(args: readonly string[], { folder, variables, input }: Place): RunningHere {
  const own = new OwnIo({ PATH: process.env['PATH'], ...variables })
  const written = { stdout: '', stderr: '' }
  own.stdout.on('data', (bytes: Buffer) => (written.stdout += bytes.toString()))
  own.stderr.on('data', (bytes: Buffer) => (written.stderr += bytes.toString()))
  const lines = createInterface(own.stdout)[Symbol.asyncIterator]()
  if (input !== undefined) own.stdin.end(input)
  const before = process.cwd()
  process.chdir(folder)
  const signal = (name: Signal): void => {
    withIo(own, () => {
      try {
        own.emit(name, name)
      } catch (error) {
        if (!(error instanceof Exit)) throw error
      }
    })
  }
  const ran = main(args, own).catch((error: unknown) => {
    if (!(error instanceof Exit)) throw error
    return null
  })
  const ended = (async (): Promise<Ended> => {
    // A server goes on after its start.
    const serving = await Promise.race([ran, own.exited.then(() => null)])
    if (serving) await own.exited
    await new Promise(setImmediate)
    own.stdout.end()
    own.stderr.end()
    return { code: own.exitedWith ?? Number(own.exitCode ?? 0), ...written }
  })().finally(() => {
    if (process.cwd() === folder) process.chdir(before)
  })
  onTestFinished(async () => {
    signal('SIGTERM')
    await ended
  })
  return {
    lines,
    stdin: own.stdin,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    signal,
    closePipe: () => void own.stdout.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE' })),
    ended,
  }
}

/** Runs a command that ends by itself. Tests of a broken pipe or a killed process need a real process. */
export const runHere = (args: readonly string[], place: Place): Promise<Ended> =>
  startHere(args, { input: '', ...place }).ended

/** Starts `serve`, and waits for its URL. */
export async function serveHere(
  args: readonly string[],
  place: Place,
): Promise<RunningHere & { readonly url: string }> {
  const running = startHere(args, place)
  const { value } = await running.lines.next()
  const { url } = JSON.parse(value as string) as { url: string }
  return { ...running, url }
}

export { once }
