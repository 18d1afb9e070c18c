/** What the files of a process hold in turn, to be given up at the end of each (`setup.ts`). */
const closers = new Set<() => Promise<void>>()

/** Calls `close` after each file of tests; it may have nothing to close. */
export function atEndOfFile(close: () => Promise<void>): void {
  closers.add(close)
}

export async function endFile(): Promise<void> {
  for (const close of closers) await close()
}
