/**
 * Runs the command line in the test's own process, with streams, variables and signals of its own: about a hundred
 * times faster than a child process. What only a process shows (a full pipe, a killed process, file permissions) needs
 * `run` or `start` of process.ts.
 */
import { EventEmitter } from 'node:events'
import { tmpdir } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { withIo, type Io, type Signal } from '@suite-sim/kit/terminal/io'
import { main } from '@suite-sim/cli/main'
import { atEndOfFile } from './endOfFile.ts'
import type { Ended, Place } from './process.ts'

/** What a command writes. */
class Output extends Writable {
  text = ''
  isTTY = false
  isSlow = false
  readonly #own: Io

  constructor(own: Io) {
    super({ decodeStrings: false })
    this.#own = own
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const take = (): void => {
      this.text += chunk.toString()
      this.emit('more')
      done()
    }
    if (this.isSlow) setTimeout(take, 20)
    else take()
  }

  /** Resolves when the reader has everything: a process does not end before. */
  taken(): Promise<void> {
    return new Promise((resolve) => {
      this.write('', () => {
        resolve()
      })
    })
  }

  /** On an event that the test causes, the command acts with its own streams. */
  override emit(...event: Parameters<Writable['emit']>): boolean {
    return withIo(this.#own, () => super.emit(...event))
  }
}

class Input extends PassThrough {
  isTTY = false
  readonly #own: Io

  constructor(own: Io) {
    super()
    this.#own = own
  }

  override emit(...event: Parameters<PassThrough['emit']>): boolean {
    return withIo(this.#own, () => super.emit(...event))
  }
}

/** Stands for the process of one command. */
class OwnIo extends EventEmitter implements Io {
  readonly stdin = new Input(this)
  readonly stdout = new Output(this)
  readonly stderr = new Output(this)
  readonly env: NodeJS.ProcessEnv
  exitCode: number | string | null | undefined
  isOver = false

  constructor(env: NodeJS.ProcessEnv) {
    super()
    this.env = env
  }

  /** What the command does after its exit no longer counts. */
  exit(code: number | string | null = this.exitCode ?? 0): void {
    if (this.isOver) return
    this.isOver = true
    this.exitCode = code
    this.emit('over')
    this.stdout.emit('more')
  }

  /** Gives the command a signal as soon as it handles it. */
  receive(signal: Signal): void {
    if (this.isOver) return
    if (this.listenerCount(signal) > 0) {
      withIo(this, () => this.emit(signal, signal))
      return
    }
    const added = (name: string | symbol): void => {
      if (name !== signal) return
      this.off('newListener', added)
      queueMicrotask(() => {
        this.receive(signal)
      })
    }
    this.on('newListener', added)
  }
}

const isHandled = (signal: NodeJS.Signals): signal is Signal =>
  signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP'

async function* linesOf(own: OwnIo): AsyncGenerator<string, undefined> {
  const { stdout } = own
  for (let start = 0; ;) {
    const end = stdout.text.indexOf('\n', start)
    if (end >= 0) {
      yield stdout.text.slice(start, end)
      start = end + 1
    } else if (own.isOver) return
    else await new Promise((resolve) => stdout.once('more', resolve))
  }
}

export interface RunningHere {
  /** Lines of standard output, as they come. */
  readonly lines: AsyncIterableIterator<string>
  readonly stdin: PassThrough
  stdout(): string
  /** The lines of standard output so far. */
  printed(): string[]
  stderr(): string
  /** Calls `look` whenever the command has printed something. */
  follow(look: () => void): void
  signal(signal: Signal): void
  /** False if the signal would end a process at once. */
  handles(signal: Signal): boolean
  /** Sends the signal and returns the exit code. Only a process can be killed. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  /** The reader of the output goes away: the next write fails. */
  closePipe(): void
  readonly ended: Promise<Ended>
}

export type ServingHere = RunningHere & { readonly url: string }

/**
 * The folders of the running commands. The process is in that of the last one, so commands beside a server with a
 * database at a relative path run in its folder.
 */
const folders: { readonly folder: string }[] = []
const OWN_FOLDER = process.cwd()

function enter(folder: string): () => void {
  const place = { folder }
  folders.push(place)
  process.chdir(folder)
  return () => {
    folders.splice(folders.indexOf(place), 1)
    process.chdir(folders.at(-1)?.folder ?? OWN_FOLDER)
  }
}

function launch(args: readonly string[], place: Place): RunningHere {
  const { folder, variables, input, terminal, isRead = 'at once' } = place
  const own = new OwnIo({ PATH: process.env['PATH'], ...variables })
  own.stdin.isTTY = own.stdout.isTTY = own.stderr.isTTY = terminal ?? false
  own.stdout.isSlow = own.stderr.isSlow = isRead === 'slowly'
  if (input !== undefined) own.stdin.end(input)
  const leave = enter(folder)
  const over = new Promise((resolve) => own.once('over', resolve))
  const run = async (): Promise<void> => {
    // A server goes on after its start.
    if (await main(args, own)) return
    await Promise.all([own.stdout.taken(), own.stderr.taken()])
    own.exit()
  }
  const ended = Promise.race([run().then(() => over), over])
    .then(
      (): Ended => ({ code: Number(own.exitCode), stdout: own.stdout.text, stderr: own.stderr.text }),
      (error: unknown) => {
        own.exit(1)
        throw error
      },
    )
    .finally(leave)
  return {
    lines: linesOf(own),
    stdin: own.stdin,
    stdout: () => own.stdout.text,
    printed: () => own.stdout.text.split('\n').slice(0, -1),
    stderr: () => own.stderr.text,
    follow: (look) => {
      own.stdout.on('more', look)
      own.stderr.on('more', look)
    },
    signal: (signal) => {
      own.receive(signal)
    },
    handles: (signal) => own.listenerCount(signal) > 0,
    stop: async (signal) => {
      if (!isHandled(signal)) throw new Error(`${signal} needs a process of its own`)
      own.receive(signal)
      return (await ended).code
    },
    closePipe: () => {
      own.stdout._write = (_chunk, _encoding, done) => {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      }
    },
    ended,
  }
}

/** Starts a command that goes on until it ends or gets a signal. A test that leaves it running ends it with SIGTERM. */
export function startHere(args: readonly string[], place: Place): RunningHere {
  const running = launch(args, place)
  onTestFinished(async () => {
    await running.stop('SIGTERM')
  })
  return running
}

/** Runs a command that ends by itself. */
export const runHere = (args: readonly string[], place: Place): Promise<Ended> =>
  launch(args, { input: '', ...place }).ended

async function withUrl(running: RunningHere): Promise<ServingHere> {
  const { value } = (await running.lines.next()) as IteratorResult<string, undefined>
  if (value === undefined) throw new Error(`the server did not start: ${running.stderr()}`)
  const { url } = JSON.parse(value) as { url: string }
  return { ...running, url }
}

/** Starts `serve`, and waits for its URL. */
export const serveHere = (args: readonly string[], place: Place): Promise<ServingHere> =>
  withUrl(startHere(args, place))

/** The servers of a test file, by their arguments. */
const shared = new Map<string, Promise<ServingHere>>()

atEndOfFile(async () => {
  const servers = [...shared.values()]
  shared.clear()
  for (const server of servers) await (await server).stop('SIGTERM')
})

/**
 * A server of the test file, started once for these arguments; its database is in memory. Each test has a workspace of
 * its own, or calls `resetServer`.
 */
export function sharedHere(args: readonly string[] = []): Promise<ServingHere> {
  const all = ['--port', '0', '--db', ':memory:', ...args]
  const key = JSON.stringify(all)
  const known = shared.get(key)
  if (known) return known
  const started = withUrl(launch(all, { folder: tmpdir() }))
  shared.set(key, started)
  return started
}
