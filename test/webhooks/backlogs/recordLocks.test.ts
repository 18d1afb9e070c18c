import { expect, test } from 'vitest'
import { Backlog } from '../../../src/webhooks/backlogs/backlog.ts'
import { Origin } from '../../../src/webhooks/backlogs/origin.ts'
import { RecordLocks } from '../../../src/webhooks/backlogs/recordLocks.ts'

const backlog = (): Backlog => new Backlog(1, new Origin('http://a', 50))

test('starts an attempt if no other one of the record is in progress, and then notifies the waiting backlogs', () => {
  const turns = new RecordLocks()
  const [one, other] = [backlog(), backlog()]
  expect([turns.take('a', one), turns.take('b', one)]).toEqual([true, true])
  expect([turns.take('a', one), turns.take('a', other), turns.take('a', other)]).toEqual([
    false,
    false,
    false,
  ])
  expect([one.isEmpty, other.isEmpty]).toEqual([false, false])
  expect([...turns.free('b')]).toEqual([])
  expect(other.nextDue).toBe(Infinity)
  expect([...turns.free('a')]).toEqual([one, other])
  expect([one.nextDue, other.nextDue]).toEqual([-Infinity, -Infinity])
  expect([one.blocked, other.blocked]).toEqual([0, 0])
  expect(turns.take('a', other)).toBe(true)
})
