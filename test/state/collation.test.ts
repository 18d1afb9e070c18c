/** How texts are compared when lists sort by them or search in them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digits, fold } from '../../src/state/collation.ts'

describe('a folded text', () => {
  test.each([
    ['has no case', 'Desk', 'desk'],
    ['has no accents', 'José Ángel Güell', 'jose angel guell'],
    ['has none that stand apart from their letter', 'Jose\u0301', 'jose'],
    ['has none that no letter is composed with', 'x\u0301\u0323', 'x'],
    ['has N for Ñ', 'Núñez', 'nunez'],
    ['has C for Ç', 'Açaí', 'acai'],
    ['has two letters for ß', 'Straße', 'strasse'],
    ['has them for ẞ as well', 'STRAẞE', 'strasse'],
    ['has the dot of I in no language', 'İIıi', 'iiii'],
    ['has one sigma', 'ΟΔΥΣΣΕΎΣ', 'οδυσσευσ'],
    ['has the letters of a ligature', 'ﬁn', 'fin'],
    ['has plain digits', '１２³', '123'],
    ['keeps letters with a stroke', 'Søren', 'søren'],
    ['keeps what is no letter', '50% "a"_b\\c\nd', '50% "a"_b\\c\nd'],
    ['is nothing for nothing', '', ''],
  ])('%s', (_what, text, expected) => {
    expect(fold(text)).toBe(expected)
  })

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    // Halves of pairs among them.
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
    fc.string({ unit: fc.constantFrom('a', 'Á', 'ñ', '\u0301', '\u0323', 'ẞ', 'Σ', 'İ', 'ﬁ', '각') }),
  )

  test('is the same however its letters are composed', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(any.normalize('NFC'))).toBe(fold(any))
        expect(fold(any.normalize('NFD'))).toBe(fold(any))
      }),
    )
  })

  test('stays what it is when it is folded again', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(fold(any))).toBe(fold(any))
      }),
    )
  })

  test('stays so for every letter there is', () => {
    const changed: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const letter = String.fromCodePoint(code)
      if (fold(fold(letter)) !== fold(letter)) changed.push(letter)
    }
    expect(changed).toEqual([])
  })

  test('takes no longer for marks that are in no order', () => {
    // To sort so many takes minutes.
    expect(fold('a' + '\u0301\u0323'.repeat(500_000))).toBe('a')
  })
})

test('the digits of a phone are what is left without all that groups them', () => {
  expect(digits('+52 (55) 1234-5678')).toBe('525512345678')
  expect(digits('５５.1234/56')).toBe('55123456')
  expect(digits('none')).toBe('')
})
