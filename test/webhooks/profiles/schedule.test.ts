import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SCHEDULE, delayAfter, describeSchedule } from '../../../src/webhooks/profiles/schedule.ts'

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

describe('texts about the schedule', () => {
  const { attempts, retries, hours, longestHours, firstRetrySeconds } = describeSchedule()
  const page = (name: string): string =>
    readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')

  test('are derived from its delays', () => {
    expect(describeSchedule({ delays: [0, 1000, 120_000, 3_600_000, 36_000_000], jitter: 0.5 })).toEqual({
      attempts: 'five',
      retries: '1 s, 2 min, 1 h and 10 h',
      hours: 11,
      longestHours: 16,
      firstRetrySeconds: 2,
    })
  })

  test.each([
    [
      'webhooks.md',
      `**Schedule**: ${attempts} attempts. The first is immediate; the others follow after ${retries}.`,
    ],
    ['webhooks.md', `wait up to ${String(hours)} hours`],
    ['exam.md', `an outage of ${String(hours)} hours`],
    ['exam.md', `the events are ${String(hours)}.5 hours old when the retries arrive`],
    ['exam.md', `The last retry can be ${String(longestHours)} hours old.`],
    ['FIDELITY.md', `After ${attempts} attempts, or immediately after a 410, the delivery is dead.`],
  ])('are true in %s: %s', (name, text) => {
    expect(page(name)).toContain(text)
  })

  test('the exam waits for the first retry', () => {
    expect(firstRetrySeconds * 1000).toBeGreaterThanOrEqual(delayAfter(1, 1) ?? Infinity)
  })
})
