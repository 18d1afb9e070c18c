/** Ends the program: after the readers of its output have all of it, or silently when one of them has gone. */
import { currentIo, io, type Io } from './io.ts'

/** What runs when the reader has closed the output, as in `suite-sim openapi | head -1`. Otherwise the program ends. */
const onClosed = new WeakMap<Io, () => void>()

/** Ends the program silently when the reader closes the output. */
export function exitOnClosedPipe(): void {
  const own = currentIo()
  for (const stream of [own.stdout, own.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      const act = onClosed.get(own)
      if (act) act()
      else void exit()
    })
  }
}

/** Runs `act` instead of exiting when the reader closes the output. Returns a function that restores the default. */
export function onClosedPipe(act: () => void): () => void {
  const own = currentIo()
  onClosed.set(own, act)
  return () => {
    onClosed.delete(own)
  }
}

/**
 * Ends the program with the code, or else with the one that the process has. Pipes take 64 KiB at a time, and
 * `process.exit` drops the rest, so this waits for the reader. Everything else must end the program with this.
 */
export async function exit(code = io().exitCode ?? 0): Promise<never> {
  const own = currentIo()
  // A closed pipe asks again for each write that fails; the first code counts.
  own.exitCode = code
  onClosed.set(own, () => undefined)
  await Promise.all([drained(own.stdout), drained(own.stderr)])
  own.exit(code)
  // Where the program goes on, the command does not.
  return new Promise(() => undefined)
}

const drained = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((resolve) => {
    // Also called if the reader has gone.
    stream.write('', () => {
      resolve()
    })
  })

/** Ends the program at once: the user has asked for it twice. */
export function exitNow(code: number): void {
  currentIo().exit(code)
}
