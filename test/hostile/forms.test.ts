/** Malformed multipart forms: each gets a clear error, and the next form is accepted. */
import { expect, test } from 'vitest'
import { freshSales } from '../support/deals.ts'
import { formOf } from '../support/forms.ts'

const BOUNDARY = 'b'
const FILE = 'name\nAna\n'

/** A part with these header lines. */
const part = (head: string, content: string | Buffer = FILE): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`, 'latin1'),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])

const named = (name: string, content: string | Buffer = 'x'): Buffer =>
  part(`Content-Disposition: form-data; name="${name}"`, content)

const file = part('Content-Disposition: form-data; name="file"; filename="a.csv"')
const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])

const LATIN_1 = Buffer.from('Jos\u00e9', 'latin1')

test.each<[string, Buffer, number]>([
  ['a part without a name', form(file, part('Content-Disposition: form-data')), 400],
  ['a part with an empty name', form(file, named('')), 400],
  ['a part whose name is an empty list', form(file, named('[]')), 400],
  ['a part named __proto__', form(file, named('__proto__')), 400],
  ['a list named __proto__', form(file, named('__proto__[]')), 400],
  ['a text that is not UTF-8', form(file, named('vertical', LATIN_1)), 400],
  ['a name that is not UTF-8', form(file, named('jos\u00e9')), 400],
  [
    'a file name that is not UTF-8',
    form(part('Content-Disposition: form-data; name="file"; filename="\u00e9.csv"')),
    400,
  ],
  ['a text with a NUL character', form(file, named('vertical', 'a\0b')), 400],
  [
    'a text declared as JSON',
    form(
      file,
      part('Content-Disposition: form-data; name="vertical"\r\nContent-Type: application/json', '{}'),
    ),
    400,
  ],
  ['a missing last boundary', Buffer.concat([file, Buffer.from(`--${BOUNDARY}`)]), 400],
  ['a part with an incomplete header', Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-da`), 400],
  ['nothing', Buffer.from('nothing'), 400],
  ['101 parts', form(file, ...Array.from({ length: 100 }, () => named('other'))), 413],
  ['thousands of parts', form(...Array.from({ length: 20_000 }, () => file)), 413],
  [
    'texts of more than 1 MiB',
    form(file, named('vertical', 'x'.repeat(600_000)), named('vertical', 'x'.repeat(500_000))),
    413,
  ],
  [
    'a header without a name in the first 16 KiB',
    form(
      part(`X-Y: ${'x'.repeat(100_000)}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"`),
    ),
    422,
  ],
  [
    'a file instead of a text',
    form(file, part('Content-Disposition: form-data; name="vertical"; filename="a.csv"')),
    422,
  ],
])('refuses %s, and accepts the next form', async (_what, raw, status) => {
  const { call } = await freshSales()
  const contentType = `multipart/form-data; boundary=${BOUNDARY}`
  const answer = await call('POST', '/contacts/import', { raw, contentType })
  expect(answer.status).toBe(status)
  const next = await call('POST', '/contacts/import', formOf({ file: { filename: 'a.csv', content: FILE } }))
  expect(next).toMatchObject({ status: 200, body: { created: 1 } })
})

test.each([['toString', 'constructor', 'hasOwnProperty']])(
  'treats parts with JavaScript property names as unknown parts: %s',
  async (...names) => {
    const { call } = await freshSales()
    const raw = form(file, ...names.map((name) => named(name)))
    const contentType = `multipart/form-data; boundary=${BOUNDARY}`
    expect(await call('POST', '/contacts/import', { raw, contentType })).toMatchObject({ status: 200 })
  },
)
