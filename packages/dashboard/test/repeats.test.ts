/** The grouping of repeats in lists. */
import { describe, expect, test } from 'vitest'
import { keyOfRow, rowsOf } from '../src/parts/repeats.ts'

interface Item {
  readonly id: number
  readonly text: string
}

/** Returns the items of a text, one for each letter: "aab" is two a, then b. Capitals group only if they adjoin, ! anywhere. */
const itemsOf = (letters: string): Item[] => Array.from(letters, (text, id) => ({ id, text })).reverse()

const shown = (letters: string, { open, isGrouped = true }: { open?: string; isGrouped?: boolean } = {}) =>
  rowsOf(itemsOf(letters), {
    idOf: ({ id }) => String(id),
    repeatOf: ({ text }) => ({
      key: text,
      reach: text === '!' ? 'any' : text === text.toLowerCase() ? 'near' : 'next',
    }),
    open,
    isGrouped,
  })

/** Returns the rows, newest first: "2a" is a group of two. */
const rowTexts = (...args: Parameters<typeof shown>): string[] =>
  shown(...args).map(
    ({ items, item, isMember }) => `${isMember ? '-' : ''}${String(items.length)}${item.text}`,
  )

describe('repeats', () => {
  test('that adjoin are one row', () => {
    expect(rowTexts('aaab')).toEqual(['1b', '3a'])
    expect(rowTexts('AAB')).toEqual(['1B', '2A'])
    expect(rowTexts('')).toEqual([])
  })

  test('are one row if at most nine rows are between them, unless they must adjoin', () => {
    expect(rowTexts('a123456789a')).toHaveLength(10)
    expect(rowTexts('a1234567890a')).toHaveLength(12)
    expect(rowTexts('AbA')).toEqual(['1A', '1b', '1A'])
    expect(rowTexts('abab')).toEqual(['2b', '2a'])
  })

  test('change no key and no place of a row when new ones arrive', () => {
    const before = shown('xabab')
    const after = shown('xababaab')
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key))
    expect(rowTexts('xababaab')).toEqual(['3b', '4a', '1x'])
    expect(after[1]?.item.id).toBe(6)
  })

  test('have rows of their own in the open group, newest first', () => {
    const rows = shown('abaa', { open: '0' })
    expect(rowTexts('abaa', { open: '0' })).toEqual(['1b', '3a', '-1a', '-1a', '-1a'])
    expect(rows.slice(2).map(({ item }) => item.id)).toEqual([3, 2, 0])
    expect(new Set(rows.map(({ key }) => key)).size).toBe(5)
    // A row that is no group does not open.
    expect(rowTexts('abaa', { open: '1' })).toEqual(['1b', '3a'])
  })

  test('from anywhere are one row at the place of the newest, whose key older and newer items keep', () => {
    expect(rowTexts('!1234567890!A!')).toEqual([
      '3!',
      '1A',
      '10',
      '19',
      ...[8, 7, 6, 5, 4, 3, 2, 1].map((n) => `1${String(n)}`),
    ])
    expect(rowTexts('!A'.repeat(200))).toEqual(['200!', '200A'])
    const keyIn = (letters: string) => shown(letters).find(({ item }) => item.text === '!')?.key
    expect(keyIn('!a!')).toBe(keyIn('!!a!b!'))
    expect(rowTexts('a!b!', { open: keyIn('a!b!') ?? '' })).toEqual(['2!', '-1!', '-1!', '1b', '1a'])
  })

  test('are not grouped on request', () => {
    expect(rowTexts('aab', { isGrouped: false })).toEqual(['1b', '1a', '1a'])
  })
})

test('finds the row of an item: its own one, or its group', () => {
  const keyOf = (id: number, open?: string) =>
    keyOfRow(shown('abaa', open === undefined ? {} : { open }), (item) => item.id === id)
  expect(keyOf(1)).toBe('1')
  expect(keyOf(2)).toBe('0')
  expect(keyOf(2, '0')).toBe('2 in 0')
  expect(keyOf(9)).toBeUndefined()
})
