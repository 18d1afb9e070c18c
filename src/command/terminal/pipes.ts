/** Handles pipes that the reader closes, as in `suite-sim openapi | head -1`. */

/** Runs when the reader has closed the output. */
let onClosed = (): void => {
  process.exit(0)
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
