import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentTypeOf, storedTypeOfUpload } from '../../../src/http/uploads/contentTypes.ts'
import { Upload } from '../../../src/http/uploads/uploads.ts'
import { scratchFolder } from '../../support/process.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test.each([
  ['a picture', PNG, 'image/png', 'image/png'],
  ['a picture declared as a page', PNG, 'text/html', 'image/png'],
  ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), 'application/octet-stream', 'application/pdf'],
  ['a text', Buffer.from('name,email\n'), 'text/csv', 'text/csv'],
  ['a text with a character set', Buffer.from('Año'), 'Text/CSV; charset=utf-8', 'text/csv'],
  ['a page', Buffer.from('<script>'), 'text/html', 'text/html'],
  ['a drawing', Buffer.from('<?xml version="1.0"?><svg/>'), 'image/svg+xml', 'image/svg+xml'],
  ['a text declared as a picture', Buffer.from('<script>'), 'image/png', 'text/plain'],
  ['an empty file', Buffer.alloc(0), 'video/mp4', 'text/plain'],
  ['bytes that are not text', Buffer.from([0xff, 0x00, 0x12]), 'text/html', 'application/octet-stream'],
  ['a text with control characters', Buffer.from('a\u0001b'), 'text/plain', 'application/octet-stream'],
])('detects %s by its content', async (_what, bytes, declared, found) => {
  const path = join(scratchFolder(), 'file')
  writeFileSync(path, bytes)
  expect(await contentTypeOf(path, declared)).toBe(found)
})

test('detects a text whose last character is incomplete in the sample', async () => {
  const path = join(scratchFolder(), 'file')
  writeFileSync(path, `a${'ñ'.repeat(4096)}`)
  expect(await contentTypeOf(path, 'text/plain')).toBe('text/plain')
})

test.each([
  ['a table', 'a,b\n', 'text/csv', 'text/csv'],
  ['a table with tabs', 'a\tb\n', 'text/tab-separated-values', 'text/tab-separated-values'],
  ['a table with a character set', 'a,b\n', 'Text/CSV; charset=utf-8', 'text/csv'],
  ['a Markdown text', '# a', 'text/markdown', 'text/markdown'],
  ['an appointment', 'BEGIN:VCALENDAR', 'text/calendar', 'text/calendar'],
  ['a contact card', 'BEGIN:VCARD', 'text/vcard', 'text/vcard'],
  ['a JSON text', '{"a":1}', 'application/json', 'application/json'],
  ['a text without a declared type', 'a', '', 'text/plain'],
  ['a page', '<script>', 'text/html', 'text/plain'],
  ['a page with a character set', '<script>', 'text/html; charset=utf-8', 'text/plain'],
  ['an XHTML page', '<script/>', 'application/xhtml+xml', 'text/plain'],
  ['a drawing', '<svg><script/></svg>', 'image/svg+xml', 'text/plain'],
  ['a script', 'alert(1)', 'text/javascript', 'text/plain'],
  ['a style sheet', 'a{}', 'text/css', 'text/plain'],
  ['a picture declared as a table', PNG, 'text/csv', 'image/png'],
  ['bytes declared as a table', Buffer.from([0xff, 0x00]), 'text/csv', 'application/octet-stream'],
])('stores %s with a safe type', async (_what, content, declared, stored) => {
  const bytes = Buffer.from(content)
  expect(await storedTypeOfUpload(new Upload('file', declared, bytes.length, { bytes }))).toBe(stored)
  const path = join(scratchFolder(), 'file')
  writeFileSync(path, bytes)
  expect(await storedTypeOfUpload(new Upload('file', declared, bytes.length, { path }))).toBe(stored)
})
