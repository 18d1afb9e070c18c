/** The nearest names of the server, the commands and the library. */
import { describe, expect, test } from 'vitest'
import { editDistance, nearestName } from '../../src/text/nearestName.ts'

const NAMES = ['count', 'limit', 'event', 'kind', 'wait', 'name', 'status', 'interface', 'created_at']

const CASES: readonly (readonly [string, string | null])[] = [
  // Swapped letters.
  ['cuont', 'count'],
  ['lmiit', 'limit'],
  ['evnet', 'event'],
  ['knid', 'kind'],
  ['wiat', 'wait'],
  ['nmae', 'name'],
  ['tsatus', 'status'],
  ['stauts', 'status'],
  // One missing, added or replaced letter.
  ['cout', 'count'],
  ['limits', 'limit'],
  ['nane', 'name'],
  // Up to a third of the letters.
  ['interfce', 'interface'],
  ['intrfcae', 'interface'],
  ['intfcae', 'interface'],
  ['createdAt', 'created_at'],
  ['CREATED-AT', 'created_at'],
  ['Wait', 'wait'],
  // Too far.
  ['tiaw', null],
  ['nm', null],
  ['cnuot', null],
  ['infeca', null],
  ['', null],
  ['x'.repeat(101), null],
]

test.each(CASES)('%s suggests %s', (written, expected) => {
  expect(nearestName(written, NAMES)).toBe(expected)
})

test('the first of several equally near names is suggested', () => {
  expect(nearestName('nate', ['name', 'note'])).toBe('name')
})

describe('the number of edits', () => {
  test.each([
    ['', '', 0],
    ['abc', '', 3],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['ab', 'ba', 1],
    ['abcd', 'badc', 2],
    ['abc', 'ca', 3],
    ['kitten', 'sitting', 3],
  ])('between %j and %j is %d', (one, other, edits) => {
    expect(editDistance(one, other)).toBe(edits)
    expect(editDistance(other, one)).toBe(edits)
  })
})
