/** The colors of the lines that `suite-sim listen` prints. */
import { expect, test } from 'vitest'
import { colorOf } from '../../../src/command/listen/listen.ts'

test.each([
  ['request', 'succeeded', 'green'],
  ['request', 'refused', 'yellow'],
  ['request', 'failed', 'red'],
  ['delivery', 'succeeded', 'green'],
  ['delivery', 'failed', 'red'],
])('a %s that %s is %s', (kind, outcome, color) => {
  expect(colorOf({ kind, outcome })).toBe(color)
})

test.each(['delivery', 'event', 'trigger', 'email'])(
  'a %s without an outcome is not colored like one',
  (kind) => {
    expect(['green', 'yellow', 'red']).not.toContain(colorOf({ kind }))
  },
)

test('a call that reached no workspace is red', () => {
  expect(colorOf({ kind: 'unmatched' })).toBe('red')
})
