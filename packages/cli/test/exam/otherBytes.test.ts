/** The body of the exam that no serializer writes. */
import { expect, test } from 'vitest'
import { asOtherBytes } from '../../src/exam/samples.ts'

test.each([
  [{ name: 'Peña 🙂', total: 12.5, count: 3, tax: -0.07, none: null, list: [], of: {}, ok: true }],
  [{ data: { lines: [{ a: 'x', b: ['', '"q"', '\\n', '{}'] }], total: 683.52, tiny: 1e-7 } }],
])('means the same as %j', (value) => {
  const text = asOtherBytes(JSON.stringify(value))
  expect(JSON.parse(text)).toEqual(value)
  expect(text).not.toMatch(/[\u0080-\uFFFF]/)
  expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(value).reverse())
})

test('has spaces, escapes and trailing zeros', () => {
  const text = asOtherBytes('{"total":12.5,"name":"Peña"}')
  expect(text).toMatch(/^\{\n +"name" : "\\u0050e\\u00f1a" ,\n +"total" : 12\.50\n\}$/)
})
