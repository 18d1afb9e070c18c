import { describe, expect, test } from 'vitest'
import { Ahead, Lane, Origin, type InFlight } from '../../src/webhooks/lanes.ts'

/** How many more attempts the origin takes, when none of them ends. */
function room(origin: Origin): number {
  let more = 0
  for (; origin.hasRoom; more++) origin.give(0)
  for (let given = more; given > 0; given--) origin.free(0)
  return more
}

/** An origin that has answered quickly so often that it has all its slots. */
function trusted(slots: number, ahead: number, aheadOfAll = new Ahead()): Origin {
  const origin = new Origin('http://a', slots, ahead, aheadOfAll)
  for (let answers = 0; answers < slots; answers++) origin.answered(true)
  return origin
}

/** Gives an origin as many as it takes, and tells how many that were. */
function fill(origin: Origin, characters = 1): number {
  const before = origin.given
  while (origin.hasRoom || origin.hasRoomAhead) origin.give(characters)
  return origin.given - before
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

describe('what an origin is given ahead', () => {
  test('is nothing before it has all its slots', () => {
    const origin = new Origin('http://a', 6, 10)
    origin.answered(true)
    expect(fill(origin)).toBe(5)
    origin.answered(true)
    expect(fill(origin)).toBe(11)
  })

  test('comes on top of its slots, and is counted with that of others', () => {
    const all = new Ahead()
    const [one, other] = [trusted(6, 10, all), trusted(4, 3, all)]
    expect([fill(one), fill(other), all.count]).toEqual([16, 7, 13])
    one.free(1)
    expect([fill(one), all.count]).toEqual([1, 13])
    for (let ended = 0; ended < 12; ended++) one.free(1)
    expect([one.given, all.count]).toEqual([4, 3])
  })

  test('is nothing after an answer that was late, or none, until the next', () => {
    const all = new Ahead()
    const origin = trusted(6, 10, all)
    fill(origin)
    origin.answered(true, false)
    expect([origin.hasRoomAhead, all.count]).toEqual([false, 10])
    origin.answered(true, true)
    origin.free(1)
    expect(origin.hasRoomAhead).toBe(true)
    origin.wasSilent()
    expect([origin.hasRoomAhead, all.count]).toEqual([false, 13])
  })

  test('is no more than a million characters', () => {
    expect(fill(trusted(6, 10), 100_000)).toBe(10)
    expect(fill(trusted(6, 10), 1_000_000)).toBe(6)
    const origin = trusted(6, 10)
    expect(fill(origin, 200_000)).toBe(6)
    origin.free(200_000)
    expect(fill(origin, 1)).toBe(1)
    origin.free(200_000)
    expect(fill(origin, 1)).toBe(11)
  })

  test('is no more than 1024 for all origins', () => {
    const all = new Ahead()
    expect(fill(trusted(6, 1000, all))).toBe(1006)
    expect(fill(trusted(6, 1000, all))).toBe(30)
    expect([all.count, fill(trusted(6, 1000, all))]).toEqual([1024, 6])
  })
})

describe('a lane', () => {
  const lane = (): Lane => new Lane(1, new Origin('http://a', 50))

  /** Nothing else is owed. */
  const nothing = (): number => Infinity

  /** Given to the courier; `begun` can't be recalled. */
  const inFlight = (begun: boolean): InFlight => ({ characters: 1, recall: () => !begun })

  const taken = (one: Lane): number[] => {
    const sequences: number[] = []
    for (let next = one.take(); next !== undefined; next = one.take()) sequences.push(next)
    return sequences
  }

  test('gives out what is due, once and in the order of the events, and knows when the rest is', () => {
    const one = lane()
    one.refill([1, 3], () => 11)
    expect([one.take(), one.take(), one.take()]).toEqual([1, 3, undefined])
    expect(one.nextDue).toBe(11)
  })

  test('leaves out what is under way', () => {
    const one = lane()
    one.inFlight.set(1, inFlight(true))
    one.refill([1, 2], nothing)
    expect([one.take(), one.take()]).toEqual([2, undefined])
    expect(one.nextDue).toBe(Infinity)
  })

  test('looks again at once when there may be more than it has seen', () => {
    const one = lane()
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
    const one = lane()
    expect(one.isEmpty).toBe(true)
    one.expect(5)
    expect(one.isEmpty).toBe(false)
    one.refill([1], nothing)
    expect(one.isEmpty).toBe(false)
    one.take()
    expect(one.isEmpty).toBe(true)
    one.inFlight.set(1, inFlight(true))
    expect(one.isEmpty).toBe(false)
  })

  test('looks for more at once while there is more than it has seen, up to a bound', () => {
    const one = lane()
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
    const one = lane()
    one.inFlight.set(1, inFlight(true)).set(2, inFlight(false))
    expect(one.look).toBe(258)
  })

  test('takes back what has not begun, and gives it out before all else', () => {
    const one = lane()
    one.refill([1, 2, 3, 4, 5], nothing)
    for (const begun of [true, false, false]) {
      one.inFlight.set(one.take() ?? NaN, inFlight(begun))
      one.origin.give(1)
    }
    expect(one.unsettled).toBe(false)
    one.recall()
    expect(one.unsettled).toBe(true)
    one.settle(true)
    expect(one.unsettled).toBe(false)
    expect([...one.inFlight.keys()]).toEqual([1])
    expect([one.origin.given, one.hasReady, one.isEmpty]).toEqual([1, true, false])
    expect(taken(one)).toEqual([2, 3, 4, 5])
  })
})

describe('a fresh delivery', () => {
  const lane = (): Lane => new Lane(1, new Origin('http://a', 50))

  test('is given out once it is on the file, without being looked up', () => {
    const one = lane()
    one.expectFresh(7, 10, 10)
    expect([one.take(), one.isEmpty, one.nextDue]).toEqual([undefined, false, Infinity])
    one.settle(true)
    expect([one.take(), one.take(), one.isEmpty]).toEqual([7, undefined, true])
  })

  test('is forgotten when it is undone', () => {
    const one = lane()
    one.expectFresh(7, 10, 10)
    one.settle(false)
    expect([one.take(), one.nextDue]).toEqual([undefined, -Infinity])
    one.refill([], () => Infinity)
    expect(one.isEmpty).toBe(true)
  })

  test('goes behind those that are ready', () => {
    const one = lane()
    one.refill([1], () => Infinity)
    one.expectFresh(2, 10, 10)
    one.settle(true)
    expect([one.take(), one.take()]).toEqual([1, 2])
  })

  test('is looked up when it is due later', () => {
    const one = lane()
    one.expectFresh(7, 11, 10)
    one.settle(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 11])
  })

  test('is looked up when others that have to be looked up go before it', () => {
    const one = lane()
    one.expect(5)
    one.expectFresh(7, 10, 10)
    one.settle(true)
    expect([one.take(), one.nextDue]).toEqual([undefined, 5])
  })

  test('is looked up when the lane holds too many', () => {
    const one = lane()
    for (let sequence = 1; sequence <= 1025; sequence++) one.expectFresh(sequence, 10, 10)
    one.settle(true)
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
      one.settle(true)
      if (sequence > 500) given.push(one.take())
    }
    expect(given).toEqual(Array.from({ length: 4500 }, (_, index) => index + 1))
    expect(one.nextDue).toBe(Infinity)
  })
})
