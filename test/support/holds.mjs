/**
 * Measures how long the event loop is blocked at a time, without the time in which other processes had the processor.
 */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'

/** The sampling interval in ms. */
const RESOLUTION_MS = 5

/** Watches the event loop of this thread, which must be the main thread. */
export class Holds {
  #longest = 0
  #last = ownMs()
  #looking = setInterval(() => this.#look(), RESOLUTION_MS)

  constructor() {
    // The timer must not keep a watched process alive.
    this.#looking.unref()
  }

  /** The longest block since the last call, in ms. */
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

/** A clock in ms that stops while this thread is ready and other processes have the processor. */
function ownMs() {
  return performance.now() - waitedMs()
}

function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    // Only Linux provides this.
    return 0
  }
}

const RECORDS = Array.from({ length: 400 }, (_, number) => ({
  number,
  text: `record ${number}`,
  tags: ['a', 'b'],
}))

/** Takes about 10 ms. */
const ROUNDS = 48

/** The number of repetitions: after the first ones the code is compiled, and the fastest one is least disturbed. */
const LOOPS = 5

/**
 * The ms that a fixed piece of work takes now, about 10 on an idle core. Blocks are measured in this unit, because a
 * slow machine or a busy second core stretches both.
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
