/** Whether work keeps others waiting: how long it holds up the event loop at a time. */
import { expect } from 'vitest'
import { calibratedMs, Holds } from './holds.mjs'
import type { Server } from './process.ts'

/** Anything may hold up the event loop for so many calibrated units: 100 ms on a quiet core. Slices take a quarter of it. */
const LONGEST_HOLD = 10

/** Garbage collection and other processes hold up the loop as well, so the best of so many tries counts. */
const TRIES = 3

/**
 * Does the work, and expects that it lets others have their turn meanwhile; repeats it where it did not. It is done in
 * this process, so what it sends has to be made beforehand. Answers with what came of the last try.
 */
export function withoutHolding<T>(work: () => Promise<T>): Promise<T> {
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

/** The same of a server in a process of its own, started with `probe`; the work may take what time it likes here. */
export function serverWithoutHolding<T>(server: Server, work: () => Promise<T>): Promise<T> {
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
