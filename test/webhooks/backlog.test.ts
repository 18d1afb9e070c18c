import { describe, expect, test } from 'vitest'
import { Backlog, type InFlight } from '../../src/webhooks/backlog.ts'
import { Origin } from '../../src/webhooks/origin.ts'

describe('a backlog', () => {
  const backlog = (): Backlog => new Backlog(1, new Origin('http://a', 50))

  /** Nothing else is owed. */
  const nothing = (): number => Infinity

  const inFlight: InFlight = { over: () => undefined }

  test('gives out what is due, once and in the order of the events, and knows when the rest is', () => {
    const one = backlog()
    one.refill([1, 3], () => 11)
    expect([one.take(), one.take(), one.take()]).toEqual([1, 3, undefined])
    expect(one.nextDue).toBe(11)
  })

  test('leaves out what is under way', () => {
    const one = backlog()
    one.inFlight.set(1, inFlight)
    one.refill([1, 2], nothing)
    expect([one.take(), one.take()]).toEqual([2, undefined])
    expect(one.nextDue).toBe(Infinity)
  })

  test('looks again at once when there may be more than it has seen', () => {
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

  test('is empty when nothing is ready, under way, waited for or expected', () => {
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

  test('looks for more at once while there is more than it has seen, up to a bound', () => {
    const one = backlog()
    const looks: number[] = []
    for (let time = 0; time < 6; time++) {
      looks.push(one.look)
      one.refill(
        Array.from({ length: one.look }, (_, sequence) => sequence),
        nothing,
      )
    }
    expect(looks).toEqual([256, 1024, 4096, 16_384, 65_536, 65_536])
    one.refill([1], nothing)
    expect(one.look).toBe(256)
  })

  test('looks for as many more as are under way', () => {
    const one = backlog()
    one.inFlight.set(1, inFlight).set(2, inFlight)
    expect(one.look).toBe(258)
  })
})

describe('a fresh delivery', () => {
  const backlog = (): Backlog => new Backlog(1, new Origin('http://a', 50))

  test('is given out once it is on the file, without being looked up', () => {
    const one = backlog()
    one.expectFresh(7, 10, 10)
    expect([one.take(), one.isEmpty, one.nextDue]).toEqual([undefined, false, Infinity])
    one.settle(true)
    expect([one.take(), one.take(), one.isEmpty]).toEqual([7, undefined, true])
  })

  test('is forgotten when it is undone', () => {
    const one = backlog()
    one.expectFresh(7, 10, 10)
    one.settle(false)
    expect([one.take(), one.nextDue]).toEqual([undefined, -Infinity])
    one.refill([], () => Infinity)
    expect(one.isEmpty).toBe(true)
  })

  test('goes behind those that are ready', () => {
    const one = backlog()
    one.refill([1], () => Infinity)
    one.expectFresh(2, 10, 10)
    one.settle(true)
    expect([one.take(), one.take()]).toEqual([1, 2])
  })

  test('is looked up when it is due later', () => {
    const one = backlog()
    one.expectFresh(7, 11, 10)
    one.settle(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 11])
  })

  test('is looked up when others that have to be looked up go before it', () => {
    const one = backlog()
    one.expect(5)
    one.expectFresh(7, 10, 10)
    one.settle(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 5])
  })

  test('is looked up when the backlog holds too many', () => {
    const one = backlog()
    for (let sequence = 1; sequence <= 1025; sequence++) one.expectFresh(sequence, 10, 10)
    one.settle(true)
    const given: number[] = []
    for (let next = one.take(); next !== undefined; next = one.take()) given.push(next)
    expect(given).toEqual(Array.from({ length: 1024 }, (_, index) => index + 1))
    expect(one.nextDue).toBe(10)
  })

  test('finds room again for as long as others are given out', () => {
    const one = backlog()
    const given: (number | undefined)[] = []
    for (let sequence = 1; sequence <= 5000; sequence++) {
      one.expectFresh(sequence, 10, 10)
      one.settle(true)
      if (sequence > 500) given.push(one.take())
    }
    expect(given).toEqual(Array.from({ length: 4500 }, (_, index) => index + 1))
    expect(one.nextDue).toBe(Infinity)
  })
})
