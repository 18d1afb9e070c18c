import { describe, expect, test } from 'vitest'
import {
  fillPlaceholders,
  LONGEST_VALUE,
} from '../../../../../src/state/crm/automations/actions/placeholders.ts'
import { LONGEST_TEXT } from '../../../../../src/state/crm/tables.ts'

const data = {
  contact: { name: 'Ana {{deal.value}}', tags: ['vip', 'fleet'], vertical: null },
  deal: { value: 1234.5, urgent: false, owner: { id: 'user-1' }, fields: { a: 1 } },
}

test.each([
  ['leaves a text without placeholders unchanged', 'Hello', 'Hello'],
  ['does not expand a placeholder in a value', 'Hi {{contact.name}}!', 'Hi Ana {{deal.value}}!'],
  ['allows spaces inside the braces', '{{ deal.value }}', '1234.5'],
  ['replaces several, also adjacent ones', '{{deal.value}}{{deal.urgent}}', '1234.5false'],
  ['writes a list', '{{contact.tags}}', 'vip, fleet'],
  ['writes an object', '{{deal.fields}}', '{"a":1}'],
  ['accepts the usual name of a record id', '{{deal.owner_id}}', 'user-1'],
  ['null', '[{{contact.vertical}}]', '[]'],
  ['replaces an unknown path with nothing', '[{{nothing.here}}]', '[]'],
  ['replaces an empty placeholder with nothing', '[{{}}]', '[]'],
  ['ignores inherited properties', '[{{deal.constructor.name}}]', '[]'],
  ['leaves single braces unchanged', '{deal.value} {{deal.value}', '{deal.value} {{deal.value}'],
  ['leaves a dollar sign in the value unchanged', '{{deal.fields.a}}$&', '1$&'],
])('%s', (_what, text, expected) => {
  expect(fillPlaceholders(text, data)).toBe(expected)
})

describe('limits of a text', () => {
  const long = (length: number) => ({
    a: 'x'.repeat(length),
    list: ['x'.repeat(length), 'y'],
    of: { it: 'x'.repeat(length) },
  })

  test.each([
    ['keeps a value at its limit', '{{a}}!', long(LONGEST_VALUE), LONGEST_VALUE + 1],
    ['cuts a longer value', '{{a}}!', long(LONGEST_VALUE + 1), LONGEST_VALUE + 1],
    ['cuts a longer list', '{{list}}!', long(LONGEST_VALUE), LONGEST_VALUE + 1],
    ['cuts a longer object', '{{of}}!', long(LONGEST_VALUE), LONGEST_VALUE + 1],
    ['keeps a text at its limit', '{{a}}'.repeat(4), long(LONGEST_VALUE), LONGEST_TEXT],
    ['cuts a longer text within a value', '!' + '{{a}}'.repeat(4), long(LONGEST_VALUE), LONGEST_TEXT],
    ['cuts a longer text after its values', '{{a}}'.repeat(4) + '!', long(LONGEST_VALUE), LONGEST_TEXT],
    ['cuts a longer text before its values', 'y'.repeat(LONGEST_TEXT) + '{{a}}', long(1), LONGEST_TEXT],
  ])('%s', (_what, text, values, length) => {
    expect(fillPlaceholders(text, values)).toHaveLength(length)
  })

  test('keeps the beginning', () => {
    expect(fillPlaceholders('{{a}}-{{b}}-{{c}}', { a: 'one', b: { it: 'two' }, c: 'three' }, 12)).toBe(
      'one-{"it":"t',
    )
  })

  test('splits no character', () => {
    expect(fillPlaceholders('a{{face}}', { face: '😀😀' }, 4)).toBe('a😀')
  })

  test('writes an object like JSON.stringify', () => {
    const values = { it: { a: [1, 'two "2"', null, { b: true }], 'c d': {}, e: [] } }
    expect(fillPlaceholders('{{it}}', values)).toBe(JSON.stringify(values.it))
  })

  test('omits content below a hundred levels', () => {
    const deep = JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)) as object
    expect(fillPlaceholders('{{it}}', { it: deep })).toBe('{"a":'.repeat(100) + 'null' + '}'.repeat(100))
  })
})
