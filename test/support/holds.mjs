/** How long an event loop is held up at a time, without the time for which other processes had the processor. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'

/** How often it looks, in ms. */
const RESOLUTION_MS = 5

/** Watches the event loop of this thread, which has to be the main one. */
export class Holds {
  #longest = 0
  #last = ownMs()
  #looking = setInterval(() => this.#look(), RESOLUTION_MS)

  constructor() {
    // A process that is being watched must be able to end.
    this.#looking.unref()
  }

  /** The longest since the last call, in ms. */
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
    const now = ownMs()
    this.#longest = Math.max(this.#longest, now - this.#last - RESOLUTION_MS)
    this.#last = now
  }
}

/** Ms on a clock that stands while this thread is ready and others have the processor. */
function ownMs() {
  return performance.now() - waitedMs()
}

function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    // Only Linux knows.
    return 0
  }
}

const RECORDS = Array.from({ length: 400 }, (_, number) => ({
  number,
  text: `record ${number}`,
  tags: ['a', 'b'],
}))

/** As often as takes about 10 ms. */
const ROUNDS = 48

/** How often the work is done: the compiler has seen it after the first times, and others disturb it least once. */
const LOOPS = 5

/**
 * The ms that a fixed piece of work takes now, about 10 on a quiet core. Holds are measured in it, because a slow
 * machine, or one whose other core is busy, stretches both.
 */
export function calibratedMs() {
  let least = Infinity
  for (let loop = 0; loop < LOOPS; loop++) {
    const start = ownMs()
    for (let round = 0; round < ROUNDS; round++) JSON.parse(JSON.stringify(RECORDS))
    least = Math.min(least, ownMs() - start)
  }
  return least
}
