/** The programs that a script runs beside each other. A signal to the script ends all of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** How long a program may take to end after a signal. */
const GRACE_MS = 5000

const running = new Set()

/** The signal that ends this script; null while there is none. */
let ending = null

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))

function end(signal) {
  ending ??= signal
  process.exitCode = 128 + constants.signals[ending]
  killAll(signal)
  setTimeout(() => killAll('SIGKILL'), GRACE_MS).unref()
}

function killAll(signal) {
  for (const child of running) {
    try {
      // The process and those that it started: each program has a process group of its own.
      process.kill(-child.pid, signal)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
}

export const isEnding = () => ending !== null

/**
 * Runs a program until it ends, and returns whether it succeeded. Its output is kept and returned, or printed as it comes
 * (`shows`). After a signal nothing starts.
 */
export async function run(command, args, { shows = false } = {}) {
  if (isEnding()) return { isOk: false, output: '' }
  const child = spawn(command, args, {
    cwd: root,
    stdio: shows ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(bytes))
  if (child.pid !== undefined) running.add(child)
  const code = await once(child, 'close').then(
    ([exitCode]) => exitCode,
    (error) => {
      output.push(Buffer.from(`${command} could not be started: ${error.message}\n`))
      return null
    },
  )
  running.delete(child)
  return { isOk: code === 0, output: Buffer.concat(output).toString() }
}
