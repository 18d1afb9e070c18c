import { describe, expect, test } from 'vitest'
import { Origin, Prefetched } from '../../src/webhooks/origin.ts'

/** How many more attempts the origin takes, when none of them ends. */
function room(origin: Origin): number {
  let more = 0
  for (; origin.hasRoom; more++) origin.give(0)
  for (let given = more; given > 0; given--) origin.free(0)
  return more
}

/** An origin that has answered quickly so often that it has all its slots. */
function trusted(slots: number, prefetch: number, prefetchedOfAll = new Prefetched()): Origin {
  const origin = new Origin('http://a', slots, prefetch, prefetchedOfAll)
  for (let answers = 0; answers < slots; answers++) origin.answered(true)
  return origin
}

/** Gives an origin as many as it takes, and tells how many that were. */
function fill(origin: Origin, characters = 1): number {
  const before = origin.given
  while (origin.hasRoom || origin.hasRoomToPrefetch) origin.give(characters)
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

describe('what is prefetched for an origin', () => {
  test('is nothing before it has all its slots', () => {
    const origin = new Origin('http://a', 6, 10)
    origin.answered(true)
    expect(fill(origin)).toBe(5)
    origin.answered(true)
    expect(fill(origin)).toBe(11)
  })

  test('comes on top of its slots, and is counted with that of others', () => {
    const all = new Prefetched()
    const [one, other] = [trusted(6, 10, all), trusted(4, 3, all)]
    expect([fill(one), fill(other), all.count]).toEqual([16, 7, 13])
    one.free(1)
    expect([fill(one), all.count]).toEqual([1, 13])
    for (let ended = 0; ended < 12; ended++) one.free(1)
    expect([one.given, all.count]).toEqual([4, 3])
  })

  test('is nothing after an answer that was late, or none, until the next', () => {
    const all = new Prefetched()
    const origin = trusted(6, 10, all)
    fill(origin)
    origin.answered(true, false)
    expect([origin.hasRoomToPrefetch, all.count]).toEqual([false, 10])
    origin.answered(true, true)
    origin.free(1)
    expect(origin.hasRoomToPrefetch).toBe(true)
    origin.wasSilent()
    expect([origin.hasRoomToPrefetch, all.count]).toEqual([false, 13])
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
    const all = new Prefetched()
    expect(fill(trusted(6, 1000, all))).toBe(1006)
    expect(fill(trusted(6, 1000, all))).toBe(30)
    expect([all.count, fill(trusted(6, 1000, all))]).toEqual([1024, 6])
  })
})
