import { describe, expect, test } from 'vitest'
import { Backlog, type InFlight } from '../../../src/webhooks/backlogs/backlog.ts'
import { Origin } from '../../../src/webhooks/backlogs/origin.ts'

describe('backlog', () => {
  const backlog = (): Backlog => new Backlog(1, new Origin('http://a', 50))

  /** No other delivery is pending. */
  const nothing = (): number => Infinity

  const inFlight: InFlight = { over: () => undefined }

  test('returns due deliveries once in the order of their events, and the time of the next ones', () => {
    const one = backlog()
    one.refill([1, 3], () => 11)
    expect([one.take(), one.take(), one.take()]).toEqual([1, 3, undefined])
    expect(one.nextDue).toBe(11)
  })

  test('leaves out deliveries in progress', () => {
    const one = backlog()
    one.inFlight.set(1, inFlight)
    one.refill([1, 2], nothing)
    expect([one.take(), one.take()]).toEqual([2, undefined])
    expect(one.nextDue).toBe(Infinity)
  })

  test('looks again at once if there may be more deliveries than it has loaded', () => {
    const one = backlog()
    one.refill(
      Array.from({ length: 255 }, (_, sequence) => sequence),
      nothing,
    )
    expect(one.nextDue).toBe(Infinity)
    one.refill(
      Array.from({ length: 256 }, (_, sequence) => sequence),
      nothing,
    )
    expect(one.nextDue).toBe(-Infinity)
  })

  test('is empty if no delivery is ready, in progress, waiting or expected', () => {
    const one = backlog()
    expect(one.isEmpty).toBe(true)
    one.expect(5)
    expect(one.isEmpty).toBe(false)
    one.refill([1], nothing)
    expect(one.isEmpty).toBe(false)
    one.take()
    expect(one.isEmpty).toBe(true)
    one.inFlight.set(1, inFlight)
    expect(one.isEmpty).toBe(false)
  })

  test('loads more at once while there are unloaded deliveries, up to a limit', () => {
    const one = backlog()
    const looks: number[] = []
    for (let time = 0; time < 6; time++) {
      looks.push(one.lookupLimit)
      one.refill(
        Array.from({ length: one.lookupLimit }, (_, sequence) => sequence),
        nothing,
      )
    }
    expect(looks).toEqual([256, 1024, 4096, 16_384, 65_536, 65_536])
    one.refill([1], nothing)
    expect(one.lookupLimit).toBe(256)
  })

  test('loads as many more as are in progress', () => {
    const one = backlog()
    one.inFlight.set(1, inFlight).set(2, inFlight)
    expect(one.lookupLimit).toBe(258)
  })
})

describe('new delivery', () => {
  const backlog = (): Backlog => new Backlog(1, new Origin('http://a', 50))

  test('is returned after its commit without a lookup', () => {
    const one = backlog()
    one.expectFresh(7, 10, 10)
    expect([one.take(), one.isEmpty, one.nextDue]).toEqual([undefined, false, Infinity])
    one.settle(true)
    expect([one.take(), one.take(), one.isEmpty]).toEqual([7, undefined, true])
  })

  test('is dropped when it is rolled back', () => {
    const one = backlog()
    one.expectFresh(7, 10, 10)
    one.settle(false)
    expect([one.take(), one.nextDue]).toEqual([undefined, -Infinity])
    one.refill([], () => Infinity)
    expect(one.isEmpty).toBe(true)
  })

  test('comes after those that are ready', () => {
    const one = backlog()
    one.refill([1], () => Infinity)
    one.expectFresh(2, 10, 10)
    one.settle(true)
    expect([one.take(), one.take()]).toEqual([1, 2])
  })

  test('is looked up if it is due later', () => {
    const one = backlog()
    one.expectFresh(7, 11, 10)
    one.settle(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 11])
  })

  test('is looked up if earlier ones must be looked up first', () => {
    const one = backlog()
    one.expect(5)
    one.expectFresh(7, 10, 10)
    one.settle(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 5])
  })

  test('is looked up if the backlog holds too many', () => {
    const one = backlog()
    for (let sequence = 1; sequence <= 1025; sequence++) one.expectFresh(sequence, 10, 10)
    one.settle(true)
    const returned: number[] = []
    for (let next = one.take(); next !== undefined; next = one.take()) returned.push(next)
    expect(returned).toEqual(Array.from({ length: 1024 }, (_, index) => index + 1))
    expect(one.nextDue).toBe(10)
  })

  test('fits again after others were taken', () => {
    const one = backlog()
    const returned: (number | undefined)[] = []
    for (let sequence = 1; sequence <= 5000; sequence++) {
      one.expectFresh(sequence, 10, 10)
      one.settle(true)
      if (sequence > 500) returned.push(one.take())
    }
    expect(returned).toEqual(Array.from({ length: 4500 }, (_, index) => index + 1))
    expect(one.nextDue).toBe(Infinity)
  })
})
