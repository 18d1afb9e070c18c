import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentTypeOf } from '../../../src/http/uploads/contentTypes.ts'
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
