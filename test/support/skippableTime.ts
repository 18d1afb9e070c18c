/** Real time that a test can skip, for time limits that it would have to wait for. */
import { onTestFinished, vi } from 'vitest'

/**
 * Returns a function that lets many ms pass at once; until then, timers run as usual. Call it before the test creates
 * an app or a queue of its own: their timers must also end under this time.
 */
export function skippableTime(): (ms: number) => Promise<void> {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  return async (ms) => {
    await vi.advanceTimersByTimeAsync(ms)
  }
}
