import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HeavyWork } from '../../../src/http/files/heavyWork/index.ts'
import { contentTypeOf, storedTypeOfUpload } from '../../../src/http/uploads/contentTypes.ts'
import { Upload } from '../../../src/http/uploads/uploads.ts'
import { scratchFolder } from '../../support/process.ts'
import { soundOf, videoOf } from '../../support/videos.ts'

const HEAVY = new HeavyWork(undefined)
const SMALL = { seconds: 2, width: 320, height: 240 }

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

/** The first page of an Ogg file whose stream begins with `head`. */
const ogg = (head: string): Buffer =>
  Buffer.concat([
    Buffer.from('OggS\0\x02'),
    Buffer.alloc(20),
    Buffer.from([1, head.length]),
    Buffer.from(head, 'latin1'),
  ])

test.each([
  ['a voice note', ogg('OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0'), 'audio/ogg', 'audio/ogg'],
  ['a voice note', ogg('Speex   1.2'), 'application/octet-stream', 'audio/ogg'],
  ['sound in WebM', await soundOf('webm'), 'video/webm', 'audio/webm'],
  ['sound in MP4', await soundOf('mp4'), 'audio/mp4', 'audio/mp4'],
  ['a video', await videoOf('webm', SMALL), 'audio/webm', 'video/webm'],
  ['a video', await videoOf('mp4', SMALL), 'video/mp4', 'video/mp4'],
  ['half a video', (await videoOf('webm', SMALL)).subarray(0, 60), 'audio/webm', 'video/webm'],
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
  expect(await storedTypeOfUpload(new Upload('file', declared, bytes.length, { bytes }), HEAVY)).toBe(stored)
  const path = join(scratchFolder(), 'file')
  writeFileSync(path, bytes)
  expect(await storedTypeOfUpload(new Upload('file', declared, bytes.length, { path }), HEAVY)).toBe(stored)
})
