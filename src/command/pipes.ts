/** Pipes whose reader has gone, as in `suite-sim openapi | head -1`. */

/** What a command does when nobody reads its output any more. */
let onClosed = (): void => {
  process.exit(0)
}

/** Has a closed pipe end the program without a word, as its reader wished. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      onClosed()
    })
  }
}

/** For a command that has something to put right first; answers with what undoes it. */
export function whenReaderLeaves(act: () => void): () => void {
  const before = onClosed
  onClosed = act
  return () => {
    onClosed = before
  }
}
