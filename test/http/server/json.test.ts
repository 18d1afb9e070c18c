/** The JSON values that are stored, on both sides of each limit. */
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'

const product = (metadata: string): { raw: string } => ({
  raw: `{"name":"Desk","type":"physical","metadata":${metadata}}`,
})

/** This many nested objects and arrays, including the two of the body. */
const nested = (levels: number): string => `{"x":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}`

async function storedMetadata(metadata: string): Promise<{ status: number; metadata: unknown }> {
  const call = (await freshApp()).at('catalog')
  const { status, body } = await call('POST', '/products', product(metadata))
  if (status !== 201) return { status, metadata: undefined }
  const { data } = body as { data: { id: string } }
  const found = (await call('GET', `/products/${data.id}`)).body as { data: { metadata: unknown } }
  return { status, metadata: found.data.metadata }
}

test.each([
  ['64 levels', nested(64)],
  ['the largest number', '{"x":1.7976931348623157e308}'],
  ['a whole surrogate pair', '{"x":"\\ud83e\\udd86"}'],
  ['control characters other than NUL', '{"x":"\\u0001\\u001f\\u007f\\u2028"}'],
  ['inherited property names', '{"constructor":{"prototype":1},"toString":"x","hasOwnProperty":null}'],
  ['an empty name', '{"":""}'],
])('stores %s unchanged', async (_what, metadata) => {
  expect(await storedMetadata(metadata)).toEqual({ status: 201, metadata: JSON.parse(metadata) as unknown })
})

test.each([
  ['65 levels', nested(65)],
  ['a number above the largest', '{"x":1.8e308}'],
  ['a number below the lowest', '{"x":-1.8e308}'],
  ['the first half of a surrogate pair', '{"x":"\\ud83e"}'],
  ['the second half of a surrogate pair', '{"x":"\\udd86"}'],
  ['a name with a NUL character', '{"\\u0000":1}'],
])('refuses %s', async (_what, metadata) => {
  expect(await storedMetadata(metadata)).toEqual({ status: 400, metadata: undefined })
})

test.each([
  ['a byte order mark', '\uFEFF{}', 'begins with a byte order mark (BOM); send UTF-8 without one'],
  ['blanks alone', ' \r\n', 'The body is not valid JSON: it has only blanks'],
  ['no body', '', 'the body must be an object; it is empty'],
  ['half a body', '{"name":', 'Unexpected end of JSON input'],
])('names what is wrong with %s', async (_what, raw, says) => {
  const call = (await freshApp()).at('catalog')
  const { status, text } = await call('POST', '/products', { raw })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(text).toContain(says)
})

test.each([
  ['text/plain', 'The content type text/plain is not supported here; send application/json.'],
  ['', 'The body has no content type; send application/json.'],
])('names the content type "%s"', async (contentType, says) => {
  const call = (await freshApp()).at('catalog')
  const { status, text } = await call('POST', '/products', { raw: '{}', contentType })
  expect(status).toBe(415)
  expect(text).toContain(says)
})

test('uses the last of two fields with the same name', async () => {
  expect(await storedMetadata('{"a":1,"a":2}')).toEqual({ status: 201, metadata: { a: 2 } })
})
