/** Ends the program: after the readers of its output have all of it, or silently when one of them has gone. */

/** Runs when the reader has closed the output, as in `suite-sim openapi | head -1`. */
let onClosed = (): void => {
  void exit()
}

/** Ends the program silently when the reader closes the output. */
export function exitOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      onClosed()
    })
  }
}

/** Runs `act` instead of exiting when the reader closes the output. Returns a function that restores the default. */
export function onClosedPipe(act: () => void): () => void {
  const before = onClosed
  onClosed = act
  return () => {
    onClosed = before
  }
}

/**
 * Ends the program with the code, or else with the one that the process has. Pipes take 64 KiB at a time, and
 * `process.exit` drops the rest, so this waits for the reader. Everything else must end the program with this.
 */
export async function exit(code = process.exitCode ?? 0): Promise<never> {
  // A closed pipe asks again for each write that fails; the first code counts.
  process.exitCode = code
  onClosed = () => undefined
  await Promise.all([drained(process.stdout), drained(process.stderr)])
  // oxlint-disable-next-line no-restricted-properties -- the one place
  return process.exit(code)
}

const drained = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((resolve) => {
    // Also called if the reader has gone.
    stream.write('', () => {
      resolve()
    })
  })

/** Ends the program at once: the user has asked for it twice. */
export function exitNow(code: number): never {
  // oxlint-disable-next-line no-restricted-properties -- a reader may be what it waits for
  return process.exit(code)
}
