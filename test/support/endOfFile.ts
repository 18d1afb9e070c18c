/** Resources that a test file opened. `setup.ts` closes them at the end of the file. */
const closers = new Set<() => Promise<void>>()

/** Calls `close` after each test file. It must also work if nothing is open. */
export function atEndOfFile(close: () => Promise<void>): void {
  closers.add(close)
}

export async function endFile(): Promise<void> {
  for (const close of closers) await close()
}
