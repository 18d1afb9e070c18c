import { describe, expect, test } from 'vitest'
import { filled, LONGEST_TEXT, LONGEST_VALUE } from '../../../src/state/crm/placeholders.ts'

const data = {
  contact: { name: 'Ana {{deal.value}}', tags: ['vip', 'fleet'], vertical: null },
  deal: { value: 1234.5, urgent: false, owner: { id: 'user-1' }, fields: { a: 1 } },
}

test.each([
  ['a text without placeholders', 'Hello', 'Hello'],
  [
    'a placeholder in the text, which is not looked into again',
    'Hi {{contact.name}}!',
    'Hi Ana {{deal.value}}!',
  ],
  ['spaces inside the braces', '{{ deal.value }}', '1234.5'],
  ['several, also side by side', '{{deal.value}}{{deal.urgent}}', '1234.5false'],
  ['a list', '{{contact.tags}}', 'vip, fleet'],
  ['an object', '{{deal.fields}}', '{"a":1}'],
  ['the id of a record by its usual name', '{{deal.owner_id}}', 'user-1'],
  ['null', '[{{contact.vertical}}]', '[]'],
  ['a path that leads nowhere', '[{{nothing.here}}]', '[]'],
  ['an empty placeholder', '[{{}}]', '[]'],
  ['what is not its own', '[{{deal.constructor.name}}]', '[]'],
  ['single braces, which mean nothing', '{deal.value} {{deal.value}', '{deal.value} {{deal.value}'],
  ['a dollar sign in the value, which means nothing', '{{deal.fields.a}}$&', '1$&'],
])('%s', (_what, text, expected) => {
  expect(filled(text, data)).toBe(expected)
})

describe('a text is cut while it is filled', () => {
  const long = (length: number) => ({
    a: 'x'.repeat(length),
    list: ['x'.repeat(length), 'y'],
    of: { it: 'x'.repeat(length) },
  })

  test.each([
    ['a value at its limit is whole', '{{a}}!', long(LONGEST_VALUE), LONGEST_VALUE + 1],
    ['a longer value is cut', '{{a}}!', long(LONGEST_VALUE + 1), LONGEST_VALUE + 1],
    ['so is a list', '{{list}}!', long(LONGEST_VALUE), LONGEST_VALUE + 1],
    ['so is an object', '{{of}}!', long(LONGEST_VALUE), LONGEST_VALUE + 1],
    ['a text at its limit is whole', '{{a}}'.repeat(4), long(LONGEST_VALUE), LONGEST_TEXT],
    ['a longer text is cut in a value', '!' + '{{a}}'.repeat(4), long(LONGEST_VALUE), LONGEST_TEXT],
    ['a longer text is cut behind its values', '{{a}}'.repeat(4) + '!', long(LONGEST_VALUE), LONGEST_TEXT],
    ['a longer text is cut before its values', 'y'.repeat(LONGEST_TEXT) + '{{a}}', long(1), LONGEST_TEXT],
  ])('%s', (_what, text, values, length) => {
    expect(filled(text, values)).toHaveLength(length)
  })

  test('keeps what comes first', () => {
    expect(filled('{{a}}-{{b}}-{{c}}', { a: 'one', b: { it: 'two' }, c: 'three' }, 12)).toBe('one-{"it":"t')
  })

  test('cuts no character in two', () => {
    expect(filled('a{{face}}', { face: '😀😀' }, 4)).toBe('a😀')
  })

  test('shows an object as JSON.stringify does', () => {
    const values = { it: { a: [1, 'two "2"', null, { b: true }], 'c d': {}, e: [] } }
    expect(filled('{{it}}', values)).toBe(JSON.stringify(values.it))
  })

  test('leaves out what lies deeper than a hundred levels', () => {
    const deep = JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)) as object
    expect(filled('{{it}}', { it: deep })).toBe('{"a":'.repeat(100) + 'null' + '}'.repeat(100))
  })
})
