import { describe, expect, test } from 'vitest'
import { Lane, Origin } from '../../src/webhooks/lanes.ts'

/** How many more attempts the origin takes, when none of them ends. */
function room(origin: Origin): number {
  const before = origin.inFlight
  while (origin.hasRoom) origin.inFlight++
  const more = origin.inFlight - before
  origin.inFlight = before
  return more
}

describe('an origin', () => {
  test('is trusted with four at first, or with fewer when fewer are allowed', () => {
    expect(room(new Origin('http://a', 50))).toBe(4)
    expect(room(new Origin('http://a', 3))).toBe(3)
  })

  test('earns one with each quick answer, up to the bound', () => {
    const origin = new Origin('http://a', 6)
    origin.answered(true)
    expect(room(origin)).toBe(5)
    for (let more = 0; more < 5; more++) origin.answered(true)
    expect(room(origin)).toBe(6)
  })

  test('loses half with a slow answer, but not the last two', () => {
    const origin = new Origin('http://a', 50)
    for (let more = 0; more < 6; more++) origin.answered(true)
    origin.answered(false)
    expect(room(origin)).toBe(5)
    for (let more = 0; more < 5; more++) origin.answered(false)
    expect(room(origin)).toBe(2)
    expect(origin.silent).toBe(false)
  })

  test('has two left when it does not answer, until it does again', () => {
    const origin = new Origin('http://a', 50)
    for (let more = 0; more < 46; more++) origin.answered(true)
    origin.wasSilent()
    expect([room(origin), origin.silent]).toEqual([2, true])
    origin.answered(true)
    expect([room(origin), origin.silent]).toEqual([3, false])
  })

  test('never has more than allowed, not even when it is silent', () => {
    const origin = new Origin('http://a', 1)
    origin.wasSilent()
    expect(room(origin)).toBe(1)
    origin.answered(false)
    expect(room(origin)).toBe(1)
  })
})

describe('a lane', () => {
  const lane = (): Lane => new Lane(1, new Origin('http://a', 50))

  test('gives out what is due, once and in the order of the events, and knows when the rest is', () => {
    const one = lane()
    one.refill(
      [
        { sequence: 3, due: 5 },
        { sequence: 1, due: 10 },
        { sequence: 2, due: 11 },
      ],
      100,
      10,
    )
    expect([one.take(), one.take(), one.take()]).toEqual([1, 3, undefined])
    expect(one.nextDue).toBe(11)
  })

  test('leaves out what is under way', () => {
    const one = lane()
    one.inFlight.add(1)
    one.refill(
      [
        { sequence: 1, due: 1 },
        { sequence: 2, due: 1 },
      ],
      100,
      10,
    )
    expect([one.take(), one.take()]).toEqual([2, undefined])
    expect(one.nextDue).toBe(Infinity)
  })

  test('looks again at once when there may be more than it has seen', () => {
    const one = lane()
    one.refill(
      [
        { sequence: 1, due: 1 },
        { sequence: 2, due: 1 },
      ],
      2,
      10,
    )
    expect(one.nextDue).toBe(-Infinity)
  })

  test('is empty when nothing is ready, under way, waited for or expected', () => {
    const one = lane()
    expect(one.isEmpty).toBe(true)
    one.expect(5)
    expect(one.isEmpty).toBe(false)
    one.refill([{ sequence: 1, due: 5 }], 100, 10)
    expect(one.isEmpty).toBe(false)
    one.take()
    expect(one.isEmpty).toBe(true)
    one.inFlight.add(1)
    expect(one.isEmpty).toBe(false)
  })

  test('looks for more at once while there is more than it has seen, up to a bound', () => {
    const one = lane()
    const looks: number[] = []
    for (let time = 0; time < 5; time++) {
      looks.push(one.look)
      const all = Array.from({ length: one.look }, (_, sequence) => ({ sequence, due: 1 }))
      one.refill(all, one.look, 10)
    }
    expect(looks).toEqual([256, 1024, 4096, 16_384, 16_384])
    one.refill([{ sequence: 1, due: 1 }], one.look, 10)
    expect(one.look).toBe(256)
  })

  test('looks for as many more as are under way', () => {
    const one = lane()
    one.inFlight.add(1).add(2)
    expect(one.look).toBe(258)
  })
})

describe('a fresh delivery', () => {
  const lane = (): Lane => new Lane(1, new Origin('http://a', 50))

  test('is given out once it is on the file, without being looked up', () => {
    const one = lane()
    one.expectFresh(7, 10, 10)
    expect([one.take(), one.isEmpty, one.nextDue]).toEqual([undefined, false, Infinity])
    one.settleFresh(true)
    expect([one.take(), one.take(), one.isEmpty]).toEqual([7, undefined, true])
  })

  test('is forgotten when it is undone', () => {
    const one = lane()
    one.expectFresh(7, 10, 10)
    one.settleFresh(false)
    expect([one.take(), one.isEmpty]).toEqual([undefined, true])
  })

  test('goes behind those that are ready', () => {
    const one = lane()
    one.refill([{ sequence: 1, due: 1 }], 100, 10)
    one.expectFresh(2, 10, 10)
    one.settleFresh(true)
    expect([one.take(), one.take()]).toEqual([1, 2])
  })

  test('is looked up when it is due later', () => {
    const one = lane()
    one.expectFresh(7, 11, 10)
    one.settleFresh(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 11])
  })

  test('is looked up when others that have to be looked up go before it', () => {
    const one = lane()
    one.expect(5)
    one.expectFresh(7, 10, 10)
    one.settleFresh(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 5])
  })

  test('is looked up when the lane holds too many', () => {
    const one = lane()
    for (let sequence = 1; sequence <= 1025; sequence++) one.expectFresh(sequence, 10, 10)
    one.settleFresh(true)
    const given: number[] = []
    for (let next = one.take(); next !== undefined; next = one.take()) given.push(next)
    expect(given).toEqual(Array.from({ length: 1024 }, (_, index) => index + 1))
    expect(one.nextDue).toBe(10)
  })

  test('finds room again for as long as others are given out', () => {
    const one = lane()
    const given: (number | undefined)[] = []
    for (let sequence = 1; sequence <= 5000; sequence++) {
      one.expectFresh(sequence, 10, 10)
      one.settleFresh(true)
      if (sequence > 500) given.push(one.take())
    }
    expect(given).toEqual(Array.from({ length: 4500 }, (_, index) => index + 1))
    expect(one.nextDue).toBe(Infinity)
  })
})
