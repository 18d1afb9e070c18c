/** The processes and files of a run. All are removed at its end, also when it is interrupted. */
import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The folder of the bundles from run.mjs, including this one. */
export const BUNDLES = fileURLToPath(new URL('.', import.meta.url))

export const ROOT = join(BUNDLES, '../../..')

export const BINARY = join(ROOT, 'dist/main.js')

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

const children = new Set<ChildProcess>()
let folder: string | null = null

process.on('exit', stopEverything)
// `exit` runs the handler above.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => process.exit(code))
}

/** Kills all processes; their files are not needed. */
export function stopEverything(): void {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folder = null
}

/** Returns a path in a folder that is deleted after the run. */
export function scratch(name: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'suite-sim-bench-'))
  return join(folder, name)
}

/** Registers a process, which ends with the bench. */
export function track<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Stops a process with SIGTERM, and waits for its exit. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

export interface Listening {
  readonly child: ChildProcess
  readonly url: string
}

/** Starts a server that prints its `url` in its first line, as JSON. */
export async function launch(file: string, args: readonly string[] = []): Promise<Listening> {
  const child = track(spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }))
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve)
    child.once('exit', (code) => {
      reject(new Error(`${file} ended with ${String(code)}: ${errorOutput}`))
    })
  })
  return { child, url: (JSON.parse(line) as { url: string }).url }
}

/** Returns the resident memory of a process in MB. */
export const residentMemory = ({ pid }: ChildProcess): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

/** A helper process of the bench that answers one question at a time. */
export class Companion<Question extends object, Answer> {
  readonly child: ChildProcess
  readonly #name: string

  /** `name` is the name of a file in companions/. */
  constructor(name: string) {
    this.#name = name
    this.child = track(fork(join(BUNDLES, `${name}.mjs`), { serialization: 'advanced' }))
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const rejectEnded = (): void => {
        reject(new Error(`${this.#name} ended before it answered`))
      }
      this.child.once('exit', rejectEnded)
      this.child.once('message', (answer) => {
        this.child.off('exit', rejectEnded)
        resolve(answer as Answer)
      })
      this.child.send(question)
    })
  }

  stop(): Promise<void> {
    return stop(this.child)
  }
}
