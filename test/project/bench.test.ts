/** The parts of the bench that decide what its figures say. */
import { expect, test } from 'vitest'
import { Messages } from '../../bench/framing.ts'
import { atMostLogarithmic, table, type Row } from '../../bench/report.ts'

const BODY = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'
const CHUNKED =
  'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;name=1\r\n0123456789\r\n0\r\n\r\n'
const EMPTY = 'HTTP/1.1 204 No Content\r\n\r\n'

/** Returns the status of each message that ended, after each piece. */
function statuses(pieces: readonly string[]): string[][] {
  const messages = new Messages()
  return pieces.map((piece) => {
    const ended: string[] = []
    messages.feed(Buffer.from(piece, 'latin1'), (head) => ended.push(head.slice(9, 12)))
    return ended
  })
}

test('messages end with their length, their last chunk or their head', () => {
  expect(statuses([BODY + CHUNKED + EMPTY + BODY])).toEqual([['200', '201', '204', '200']])
})

test('messages that come byte by byte end with their last byte', () => {
  const all = BODY + CHUNKED + BODY
  const ended = statuses(all.split('')).flatMap((each, index) => (each.length === 0 ? [] : [index + 1]))
  expect(ended).toEqual([BODY.length, BODY.length + CHUNKED.length, all.length])
})

test('a chunked message does not end before the line end of its last chunk', () => {
  expect(statuses([CHUNKED.slice(0, -1), CHUNKED.slice(-1)])).toEqual([[], ['201']])
})

test('a time may grow 1.25 times as much as the logarithm of the number of products', () => {
  expect(atMostLogarithmic(1000, 1_000_000)).toEqual({ of: 'ratio', limit: 'at most', value: 2.5 })
  const row = (ratio: number): Row => ({
    ...{ what: 'get', unit: 'ms', ours: [ratio], beside: 'among 1,000', theirs: [1] },
    target: atMostLogarithmic(1000, 1_000_000),
  })
  expect(table([row(2.5)], true)).toContain('| reached |')
  expect(table([row(2.51)], true)).toContain('| missed |')
})
