/** The content and the colors of the lines that `suite-sim listen` prints. */
import { expect, test } from 'vitest'
import { colorOf, formatLine } from '../../src/listen/listen.ts'

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

test.each([
  [undefined, 'GET /pay/v1/payment-links 200'],
  ['agent-7', 'GET /pay/v1/payment-links 200 by agent-7'],
])('the line of a call by %s', (caller, text) => {
  const call = {
    id: 'req_1',
    kind: 'request',
    title: 'GET /pay/v1/payment-links 200',
    causedBy: null,
    ref: 'req_1',
  }
  const line = formatLine({ ...call, at: '2026-11-24T15:00:00.000Z', ...(caller && { caller }) })
  expect(line).toBe(`2026-11-24T15:00:00.000Z request    ${text}`)
})
