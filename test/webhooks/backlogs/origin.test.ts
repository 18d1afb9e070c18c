import { describe, expect, test } from 'vitest'
import { Origin } from '../../../src/webhooks/backlogs/origin.ts'

/** The number of further attempts that the origin allows while none of them ends. */
function room(origin: Origin): number {
  let more = 0
  for (; origin.hasFreeSlot; more++) origin.takeSlot()
  for (let count = more; count > 0; count--) origin.releaseSlot()
  return more
}

describe('origin', () => {
  test('starts with four attempts, or with fewer if the limit is lower', () => {
    expect(room(new Origin('http://a', 50))).toBe(4)
    expect(room(new Origin('http://a', 3))).toBe(3)
  })

  test('gets one more with each quick response, up to the limit', () => {
    const origin = new Origin('http://a', 6)
    origin.answered(true)
    expect(room(origin)).toBe(5)
    for (let more = 0; more < 5; more++) origin.answered(true)
    expect(room(origin)).toBe(6)
  })

  test('loses half with a slow response, but keeps two', () => {
    const origin = new Origin('http://a', 50)
    for (let more = 0; more < 6; more++) origin.answered(true)
    origin.answered(false)
    expect(room(origin)).toBe(5)
    for (let more = 0; more < 5; more++) origin.answered(false)
    expect(room(origin)).toBe(2)
    expect(origin.silent).toBe(false)
  })

  test('keeps two while it does not respond', () => {
    const origin = new Origin('http://a', 50)
    for (let more = 0; more < 46; more++) origin.answered(true)
    origin.wasSilent()
    expect([room(origin), origin.silent]).toEqual([2, true])
    origin.answered(true)
    expect([room(origin), origin.silent]).toEqual([3, false])
  })

  test('never exceeds the limit, even when it does not respond', () => {
    const origin = new Origin('http://a', 1)
    origin.wasSilent()
    expect(room(origin)).toBe(1)
    origin.answered(false)
    expect(room(origin)).toBe(1)
  })
})
