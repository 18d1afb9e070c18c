/** How long an event loop is held up at a time, without the time for which other processes had the processor. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'

/** How often it looks, in ms. */
const RESOLUTION_MS = 5

/** Watches the event loop of this thread, which has to be the main one. */
export class Holds {
  #longest = 0
  #last = performance.now()
  #waited = waitedMs()
  #looking = setInterval(() => this.#look(), RESOLUTION_MS)

  constructor() {
    // Whoever is watched is to end as if nobody looked.
    this.#looking.unref()
  }

  /** The longest since this was asked last, in ms. */
  take() {
    this.#look()
    const longest = this.#longest
    this.#longest = 0
    return longest
  }

  stop() {
    clearInterval(this.#looking)
  }

  #look() {
    const now = performance.now()
    const waited = waitedMs()
    this.#longest = Math.max(this.#longest, now - this.#last - RESOLUTION_MS - (waited - this.#waited))
    this.#last = now
    this.#waited = waited
  }
}

/** Ms for which this thread was ready and others had the processor: no work of its own holds it up then. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    // Only Linux tells.
    return 0
  }
}
