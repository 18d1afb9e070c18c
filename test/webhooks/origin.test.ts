import { describe, expect, test } from 'vitest'
import { Origin } from '../../src/webhooks/origin.ts'

/** How many more attempts the origin takes, when none of them ends. */
function room(origin: Origin): number {
  let more = 0
  for (; origin.hasRoom; more++) origin.give()
  for (let given = more; given > 0; given--) origin.free()
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
