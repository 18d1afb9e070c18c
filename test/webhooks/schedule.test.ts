import { describe, expect, test } from 'vitest'
import { DEFAULT_SCHEDULE, delayAfter } from '../../src/webhooks/schedule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('the retry schedule', () => {
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
  ])('after %i attempts waits %s ms, give or take nothing in the middle of the jitter', (round, delay) => {
    expect(delayAfter(round, 0.5)).toBe(delay)
  })

  test('is eight attempts long', () => {
    expect(DEFAULT_SCHEDULE.delays).toHaveLength(8)
  })

  test('is off by a tenth at most, to either side', () => {
    expect(delayAfter(1, 0)).toBe(4500)
    expect(delayAfter(1, 1)).toBe(5500)
  })

  test('is off by one of seventeen steps', () => {
    const delays = Array.from({ length: 1001 }, (_, index) => delayAfter(1, index / 1000))
    const steps = Array.from({ length: 17 }, (_, step) => Math.round(4500 + step * 62.5))
    expect([...new Set(delays)]).toEqual(steps)
  })

  test('can be another one', () => {
    const schedule = { delays: [0, 10], jitter: 0.5 }
    expect(delayAfter(1, 0, schedule)).toBe(5)
    expect(delayAfter(1, 1, schedule)).toBe(15)
    expect(delayAfter(2, 0.5, schedule)).toBeNull()
  })
})
