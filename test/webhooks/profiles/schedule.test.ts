import { describe, expect, test } from 'vitest'
import { DEFAULT_SCHEDULE, delayAfter } from '../../../src/webhooks/profiles/schedule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('retry schedule', () => {
  test.each([
    [0, 0],
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 10 * HOUR],
    [8, null],
    [9, null],
  ])('waits after %i attempts for %s ms without jitter', (round, delay) => {
    expect(delayAfter(round, 0.5)).toBe(delay)
  })

  test('has eight attempts', () => {
    expect(DEFAULT_SCHEDULE.delays).toHaveLength(8)
  })

  test('has a jitter of at most ten percent in both directions', () => {
    expect(delayAfter(1, 0)).toBe(4500)
    expect(delayAfter(1, 1)).toBe(5500)
  })

  test('has a jitter of seventeen steps', () => {
    const delays = Array.from({ length: 1001 }, (_, index) => delayAfter(1, index / 1000))
    const steps = Array.from({ length: 17 }, (_, step) => Math.round(4500 + step * 62.5))
    expect([...new Set(delays)]).toEqual(steps)
  })

  test('can be replaced', () => {
    const schedule = { delays: [0, 10], jitter: 0.5 }
    expect(delayAfter(1, 0, schedule)).toBe(5)
    expect(delayAfter(1, 1, schedule)).toBe(15)
    expect(delayAfter(2, 0.5, schedule)).toBeNull()
  })
})
