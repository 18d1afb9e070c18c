/** Checks that work does not block the event loop for long. */
import { expect } from 'vitest'
import { calibratedMs, Holds } from './holds.mjs'
import type { Server } from './process.ts'

/** The maximum block in calibrated units: 100 ms on an idle core. Slices of long jobs take a quarter of it. */
const LONGEST_HOLD = 10

/** Garbage collection and other processes block the loop as well, so the best of several tries counts. */
const TRIES = 3

/**
 * Runs the work and expects that it does not block the event loop; retries if it does. The work runs in this process,
 * so prepare its requests beforehand. Returns the result of the last try.
 */
export function withoutBlocking<T>(work: () => Promise<T>): Promise<T> {
  return bestOf(async () => {
    const holds = new Holds()
    try {
      const result = await work()
      return { result, longestHoldMs: holds.take() }
    } finally {
      holds.stop()
    }
  })
}

/** The same for a server process started with `probe`; the test process itself may block. */
export function serverWithoutBlocking<T>(server: Server, work: () => Promise<T>): Promise<T> {
  return bestOf(async () => {
    await server.longestHoldMs()
    const result = await work()
    return { result, longestHoldMs: await server.longestHoldMs() }
  })
}

async function bestOf<T>(attempt: () => Promise<{ result: T; longestHoldMs: number }>): Promise<T> {
  let least = Infinity
  for (let tries = 1; ; tries++) {
    const before = calibratedMs()
    const { result, longestHoldMs } = await attempt()
    least = Math.min(least, longestHoldMs / Math.max(before, calibratedMs()))
    if (least > LONGEST_HOLD && tries < TRIES) continue
    expect(least, 'the longest hold of the event loop in units of 10 ms').toBeLessThanOrEqual(LONGEST_HOLD)
    return result
  }
}
