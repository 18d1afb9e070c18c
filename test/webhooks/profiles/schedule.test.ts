import { describe, expect, test } from 'vitest'
import { INTERFACES, MACHINES } from '../../../src/app.ts'
import { deliveryMachineOf } from '../../../src/webhooks/deliveries/machine.ts'
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

describe('texts about a schedule', () => {
  const own = { delays: [60_000, 1000, 120_000, 3_600_000, 36_000_000], jitter: 0.5 }

  test('are derived from its delays', () => {
    expect(describeSchedule(own)).toEqual({
      attempts: 'five attempts',
      delays: 'The first follows after 1 min; the others follow after 1 s, 2 min, 1 h and 10 h.',
      length: { seconds: 11 * 3600, words: '11 hours' },
      longest: { seconds: 16 * 3600, words: '16 hours' },
      firstRetrySeconds: 2,
    })
    expect(describeSchedule({ delays: [0, 30_000, 60_000], jitter: 0 })).toMatchObject({
      delays: 'The first is immediate; the others follow after 30 s and 1 min.',
      length: { seconds: 60, words: '1 minute' },
    })
  })

  test('name the interfaces with their own schedule in the label of dead deliveries', () => {
    const label = deliveryMachineOf([{ name: 'crm' }, { name: 'pos', schedule: own }]).moves.give_up.fidelity
    expect(label.why).toContain('After eight attempts (pos: five attempts), or immediately after a 410')
  })

  test('are those of the definitions in docs/FIDELITY.md and in the control plane', () => {
    const label = MACHINES.find(({ name }) => name === 'webhooks.delivery')?.moves.give_up?.fidelity
    expect(label).toEqual(deliveryMachineOf(INTERFACES).moves.give_up.fidelity)
  })

  test('the exam waits for the first retry', () => {
    expect(describeSchedule().firstRetrySeconds * 1000).toBeGreaterThanOrEqual(delayAfter(1, 1) ?? Infinity)
  })
})
