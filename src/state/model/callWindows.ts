/** Counts calls in fixed windows, which start with a first call and follow the clock of their workspace. */

interface Window {
  readonly startedAt: number
  count: number
}

/** Maximum number of windows. Beyond it, the oldest are dropped, so a few extra calls may pass. */
const MAX_WINDOWS = 10_000

/** A call in its window. */
export interface CountedCall {
  /** How many calls the window has had, with this one. */
  readonly current: number
  /** Ms until the window ends. */
  readonly ttl: number
  readonly windowMs: number
}

export class CallWindows {
  /** In the order in which they started. */
  readonly #bySubject = new Map<string, Window>()

  /** Counts a call of `subject`, such as a key, at `now`. */
  count(subject: string, windowMs: number, now: number): CountedCall {
    const windows = this.#bySubject
    let window = windows.get(subject)
    // The clock may have been set back to before the window.
    if (!window || now < window.startedAt || now >= window.startedAt + windowMs) {
      window = { startedAt: now, count: 0 }
      // Deleted first, so that it moves to the end.
      windows.delete(subject)
      windows.set(subject, window)
      const [oldest] = windows.keys()
      if (windows.size > MAX_WINDOWS && oldest !== undefined) windows.delete(oldest)
    }
    window.count++
    return { current: window.count, ttl: window.startedAt + windowMs - now, windowMs }
  }
}
