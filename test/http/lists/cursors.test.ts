import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursors } from '../../../src/http/lists/cursors.ts'
import type { Position } from '../../../src/state/storage/queries/pageEnds.ts'
import { Refusal } from '../../../src/state/model/refusal.ts'

const text = fc.string({ unit: 'binary' })
const position: fc.Arbitrary<Position> = fc.tuple(fc.oneof(text, fc.maxSafeInteger()), fc.maxSafeNat())

function refusalOf(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
  return 'none'
}

test('opens to the position that it was made of, and needs no encoding in a URL', () => {
  fc.assert(
    fc.property(text, position, text, (secret, at, scope) => {
      const sealer = cursors(secret)
      const cursor = sealer.seal(at, scope)
      expect(cursor).toMatch(/^[\w-]+$/)
      expect(sealer.open(cursor, scope)).toEqual(at)
    }),
  )
})

test('is refused with any one character changed', () => {
  fc.assert(
    fc.property(
      position,
      text,
      fc.nat(),
      fc.constantFrom(...Array.from('AZaz09-_.=/+ ')),
      (at, scope, place, character) => {
        const sealer = cursors('secret')
        const cursor = sealer.seal(at, scope)
        const index = place % cursor.length
        fc.pre(cursor[index] !== character)
        const altered = cursor.slice(0, index) + character + cursor.slice(index + 1)
        expect(refusalOf(() => sealer.open(altered, scope))).toBe('invalid_cursor')
      },
    ),
  )
})

test('is refused in another spelling of the same bytes', () => {
  const sealer = cursors('secret')
  for (let at = 0; at < 100; at++) {
    const cursor = sealer.seal(['created', at], 'scope')
    const bytes = Buffer.from(cursor, 'base64url')
    for (const spelling of [bytes.toString('base64'), `${cursor}=`, ` ${cursor}`]) {
      const expected = spelling === cursor ? 'none' : 'invalid_cursor'
      expect(refusalOf(() => sealer.open(spelling, 'scope'))).toBe(expected)
    }
  }
})

test('is refused if it is cut short or made longer', () => {
  fc.assert(
    fc.property(position, text, fc.nat(), fc.base64String({ minLength: 1 }), (at, scope, length, more) => {
      const sealer = cursors('secret')
      const cursor = sealer.seal(at, scope)
      expect(refusalOf(() => sealer.open(cursor.slice(0, length % cursor.length), scope))).toBe(
        'invalid_cursor',
      )
      expect(refusalOf(() => sealer.open(cursor + more, scope))).toBe('invalid_cursor')
    }),
  )
})

test('is refused with another query', () => {
  fc.assert(
    fc.property(position, text, text, (at, scope, other) => {
      fc.pre(scope !== other)
      const sealer = cursors('secret')
      expect(refusalOf(() => sealer.open(sealer.seal(at, scope), other))).toBe('invalid_cursor')
    }),
  )
})

test('is refused if another server sealed it', () => {
  fc.assert(
    fc.property(position, text, (at, scope) => {
      const cursor = cursors('one secret').seal(at, scope)
      expect(refusalOf(() => cursors('another').open(cursor, scope))).toBe('invalid_cursor')
    }),
  )
})

test('is refused if it never was a cursor', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.base64String(), fc.json()), (cursor) => {
      expect(refusalOf(() => cursors('secret').open(cursor, 'scope'))).toBe('invalid_cursor')
    }),
  )
})
