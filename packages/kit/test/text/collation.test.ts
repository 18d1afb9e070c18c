/** How lists compare texts for sorts and searches. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digits, findFolded, fold } from '../../src/text/collation.ts'

describe('folded text', () => {
  test.each([
    ['has no case', 'Desk', 'desk'],
    ['has no accents', 'José Ángel Güell', 'jose angel guell'],
    ['has no combining accents', 'Jose\u0301', 'jose'],
    ['has no accents without a composed letter', 'x\u0301\u0323', 'x'],
    ['has N for Ñ', 'Núñez', 'nunez'],
    ['has C for Ç', 'Açaí', 'acai'],
    ['has two letters for ß', 'Straße', 'strasse'],
    ['has two letters for ẞ', 'STRAẞE', 'strasse'],
    ['has a plain i in every language', 'İIıi', 'iiii'],
    ['has one sigma', 'ΟΔΥΣΣΕΎΣ', 'οδυσσευσ'],
    ['has the letters of a ligature', 'ﬁn', 'fin'],
    ['has plain digits', '１２³', '123'],
    ['has plain letters for those with a stroke', 'Łódź, Søren, Đorđe, Ħal', 'lodz, soren, dorde, hal'],
    ['has two letters for a ligature of the alphabet', 'Ærø, Œuvre, Þór', 'aero, oeuvre, thor'],
    ['keeps other characters', '50% "a"_b\\c\nd', '50% "a"_b\\c\nd'],
    ['is empty for an empty text', '', ''],
  ])('%s', (_what, text, expected) => {
    expect(fold(text)).toBe(expected)
  })

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    // Includes lone surrogates.
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
    fc.string({
      unit: fc.constantFrom('a', 'Á', 'ñ', '\u0301', '\u0323', 'ẞ', 'Σ', 'İ', 'ﬁ', '각', 'Ł', 'Ø', 'Æ', 'Đ'),
    }),
  )

  test('does not depend on the composition of letters', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(any.normalize('NFC'))).toBe(fold(any))
        expect(fold(any.normalize('NFD'))).toBe(fold(any))
      }),
    )
  })

  test('does not change when folded again', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(fold(any))).toBe(fold(any))
      }),
    )
  })

  test('does not change when folded again, for every letter', () => {
    const changed: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const letter = String.fromCodePoint(code)
      const folded = fold(letter)
      if (folded !== letter && fold(folded) !== folded) changed.push(letter)
    }
    expect(changed).toEqual([])
  })

  test('handles combining marks in any order in linear time', () => {
    // Sorting this many marks would take minutes.
    expect(fold('a' + '\u0301\u0323'.repeat(500_000))).toBe('a')
  })
})

describe('a folded text', () => {
  test.each([
    ['desk', 'a DESK', 'DESK'],
    // These letters have other lengths when they are folded.
    ['ana', '\u2026x Ána', 'Ána'],
    ['name', '김철수 name', 'name'],
    ['strasse', '\u2026Straße 5', 'Straße'],
    ['i', 'o\u0301\u0302fin', 'i'],
    ['i', 'ﬁn', 'ﬁ'],
    ['e', 'e\u0301\u0301x', 'e\u0301\u0301'],
    ['b', '𝐀𝐁', '𝐁'],
    ['', 'abc', ''],
  ])('%j is found in %j as %j', (folded, text, expected) => {
    expect(text.slice(...(findFolded(text, folded) ?? []))).toBe(expected)
  })

  test('is not found where it is not', () => {
    expect(findFolded('Straße', 'strase')).toBeNull()
  })

  test('is found between any other texts', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'Á', '\u2026', 'o\u0301', 'ẞ', 'ﬁ', '각', '𝐀', '½'),
    })
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const text = `${before}Yẏ${after}`
        expect(text.slice(...(findFolded(text, 'yy') ?? []))).toBe('Yẏ')
      }),
    )
  })
})

test('keeps only the digits of a phone number', () => {
  expect(digits('+52 (55) 1234-5678')).toBe('525512345678')
  expect(digits('５５.1234/56')).toBe('55123456')
  expect(digits('none')).toBe('')
})
