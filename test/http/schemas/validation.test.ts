/** The code and the message of each rule of a field. The invariant of bounds checks that each field has its rules. */
import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/http/schemas/schemas.ts'
import { problemsOf } from '../../../src/http/schemas/validation.ts'

const Email = Type.String({ format: 'email', maxLength: 254 })
const Address = Type.String({ format: 'uri', maxLength: 2048 })
const Free = Type.Object({}, { additionalProperties: true, maxProperties: 1, 'x-max-size': 20 })

test.each([
  ['a missing field', Type.String(), undefined, 'required', 'is required'],
  ['another type', Type.String(), 5, 'invalid_type', 'must be a string'],
  ['null', Type.Integer(), null, 'invalid_type', 'must be an integer'],
  ['a fraction', Type.Integer(), 1.5, 'invalid_type', 'must be an integer'],
  ['an empty text', Type.String({ minLength: 1 }), '', 'empty', 'must not be empty'],
  ['an empty name', Type.String({ minLength: 1, pattern: '\\S' }), '', 'empty', 'must not be empty'],
  ['a short text', Type.String({ minLength: 2 }), 'x', 'too_short', 'must have at least 2 characters'],
  ['a long text', Type.String({ maxLength: 2 }), 'xxx', 'too_long', 'must have at most 2 characters'],
  ['many emoji', Type.String({ maxLength: 2 }), '😀😀😀', 'too_long', 'must have at most 2 characters'],
  ['a small number', Type.Number({ minimum: 1 }), 0.99, 'too_small', 'must be at least 1'],
  ['zero', Type.Number({ exclusiveMinimum: 0 }), 0, 'too_small', 'must be greater than 0'],
  ['a large number', Type.Number({ maximum: 1 }), 1.01, 'too_large', 'must be at most 1'],
  [
    'a negative decimal',
    Decimal(),
    '-1.5',
    'invalid_format',
    'must be a decimal number that is not negative',
  ],
  [
    'a negative decimal that must be above 0',
    Decimal({ pattern: '^[1-9]$', minimum: 1, 'x-wording': 'must be above 0' }),
    '-1.5',
    'invalid_format',
    'must be above 0',
  ],
  [
    'a country by its name',
    Type.String({ format: 'iso-3166' }),
    'Panama',
    'invalid_format',
    'must be an ISO 3166 country code of two letters, such as PA',
  ],
  ['few items', Type.Array(Type.String(), { minItems: 1 }), [], 'too_few', 'must have at least 1 item'],
  [
    'many items',
    Type.Array(Type.String(), { maxItems: 1 }),
    ['', ''],
    'too_many',
    'must have at most 1 item',
  ],
  [
    'equal items',
    Type.Array(Type.String(), { uniqueItems: true }),
    ['', ''],
    'duplicate',
    'must not hold anything twice',
  ],
  ['many names', Free, { a: 1, b: 1 }, 'too_many', 'must have at most 1 field'],
  ['a large value', Free, { a: 'x'.repeat(20) }, 'too_long', 'must have at most 20 characters as JSON'],
  ['another value', Type.Unsafe({ enum: ['a', 'b'] }), 'c', 'not_allowed', 'must be one of a, b'],
  ['another pattern', Type.String({ pattern: '^a$' }), 'b', 'invalid_format', 'must match ^a$'],
  ['no address', Email, 'ana', 'invalid_format', 'must be an e-mail address'],
  [
    'an invisible character',
    Email,
    'ana@example.com\u200b',
    'invalid_format',
    'must be an e-mail address without invisible characters, such as U+200B',
  ],
  [
    'emoji of the length of an address',
    Email,
    '😀'.repeat(254),
    'invalid_format',
    'must be an e-mail address',
  ],
  ['a long address', Email, 'x'.repeat(255), 'too_long', 'must have at most 254 characters'],
  [
    'emoji of the length of a URL',
    Address,
    '😀'.repeat(2048),
    'invalid_format',
    'must be a URL including its protocol, such as https://example.com/path',
  ],
  ['a long URL', Address, '😀'.repeat(2049), 'too_long', 'must have at most 2048 characters'],
])('%s', (_what, schema, value, code, rule) => {
  const problems = problemsOf(Type.Object({ field: schema }), { field: value })
  expect(problems).toEqual([{ field: 'field', code, message: `field ${rule}` }])
})

const EXAMPLE = 'such as https://example.com/path'

test.each([
  ['example.com/a', `must be a URL including its protocol, ${EXAMPLE}`],
  ['localhost:3000/a', `must be a URL including its protocol, ${EXAMPLE}`],
  ['/done', `must be a URL including its protocol, ${EXAMPLE}`],
  ['javascript:alert(1)', `must be a URL with a host, ${EXAMPLE}, not a javascript: URL`],
  ['data:text/html,x', `must be a URL with a host, ${EXAMPLE}, not a data: URL`],
  ['mailto:ana@example.com', `must be a URL with a host, ${EXAMPLE}, not a mailto: URL`],
  ['https:/example.com', `must be a URL with two slashes and a host after https:, ${EXAMPLE}`],
  ['http:example.com', `must be a URL with two slashes and a host after http:, ${EXAMPLE}`],
  ['https://ana@example.com/', 'must not contain credentials'],
  ['https://ana:secret@example.com/', 'must not contain credentials'],
  ['https://@example.com/', 'must not contain credentials'],
  ['https://example.com/a b', 'must not contain spaces, control characters or backslashes'],
  ['https://example.com\\a', 'must not contain spaces, control characters or backslashes'],
  ['https://example.com:99999/', `must be a URL with a valid host and port, ${EXAMPLE}`],
])('says why %j is no URL', (value, rule) => {
  expect(problemsOf(Type.Object({ field: Address }), { field: value })).toEqual([
    { field: 'field', code: 'invalid_format', message: `field ${rule}` },
  ])
})
