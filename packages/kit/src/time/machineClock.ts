/** The only file that reads the machine's clock. In the server, all other code reads the clock of a workspace. */

/** Milliseconds since the epoch on the machine's clock. */
export const systemNow = (): number => Date.now()

/** Milliseconds on a clock that never goes back, for durations. */
export const monotonicNow = (): number => performance.now()
