import { expect, test } from 'vitest'
import { filled } from '../../../src/state/crm/placeholders.ts'

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
