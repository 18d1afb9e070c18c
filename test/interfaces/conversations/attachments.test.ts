/** The media types of attachments. */
import { expect, test } from 'vitest'
import { freshAccount, type MessageBody } from '../../support/conversations.ts'
import { formOf } from '../../support/forms.ts'
import { soundOf } from '../../support/videos.ts'

test.each([
  ['text/csv', 'a,b\n', 'text/csv; charset=utf-8', 'attachment'],
  ['application/json', '{}', 'application/json', 'attachment'],
  ['text/plain', 'one', 'text/plain; charset=utf-8', 'inline'],
  ['text/html', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline'],
  ['image/svg+xml', '<svg><script/></svg>', 'text/plain; charset=utf-8', 'inline'],
  ['image/svg+xml', '<?xml version="1.0"?><svg><script/></svg>', 'application/xml', 'attachment'],
  ['text/javascript', 'alert(1)', 'text/plain; charset=utf-8', 'inline'],
])('%s with the content %s is served as %s', async (type, content, served, disposition) => {
  const { begin, raw, fresh } = await freshAccount()
  const { id } = await begin()
  const file = { filename: 'file', content, type }
  const { body } = await raw(
    'POST',
    `/conversations/${String(id)}/messages`,
    formOf({ 'attachments[]': [file] }),
  )
  const { pathname, search } = new URL((body as MessageBody).attachments[0]?.data_url ?? '')
  const { headers, payload } = await fresh.app.fastify.inject({ url: pathname + search })
  expect(payload).toBe(content)
  expect(headers).toMatchObject({
    'content-type': served,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(String(headers['content-disposition']).split(';')[0]).toBe(disposition)
})

test.each([
  ['a%22b.txt', 'a"b.txt'],
  ['a%0D%0Ab.txt', 'a\r\nb.txt'],
  ['a%25%41%2522.txt', 'a%25%41%2522.txt'],
])('the file that a browser calls %s has the name %j', async (sent, name) => {
  const { begin, raw, fresh } = await freshAccount()
  const { id } = await begin()
  const { body } = await raw(
    'POST',
    `/conversations/${String(id)}/messages`,
    formOf({ 'attachments[]': [{ filename: sent, content: 'x' }] }),
  )
  const { pathname, search } = new URL((body as MessageBody).attachments[0]?.data_url ?? '')
  expect(decodeURIComponent(pathname.split('/').at(-1) ?? '')).toBe(name)
  const { headers } = await fresh.app.fastify.inject({ url: pathname + search })
  expect(String(headers['content-disposition'])).toContain(`UTF-8''${encodeURIComponent(name)}`)
})

test('a voice note is audio that plays in a page, and so is a WebM with sound only', async () => {
  const { begin, raw, fresh } = await freshAccount()
  const { id } = await begin()
  const opus = Buffer.concat([
    Buffer.from('OggS\0\x02'),
    Buffer.alloc(21, 1),
    Buffer.from('\x13OpusHead\x01'),
  ])
  const files = [
    { filename: 'voice.ogg', content: opus, type: 'audio/ogg; codecs=opus' },
    { filename: 'voice.webm', content: await soundOf('webm'), type: 'video/webm' },
  ]
  const form = formOf({ 'attachments[]': files })
  const { body } = await raw('POST', `/conversations/${String(id)}/messages`, form)
  const { attachments } = body as MessageBody
  expect(attachments.map((each) => [each.file_type, each.extension])).toEqual([
    ['audio', 'ogg'],
    ['audio', 'webm'],
  ])
  const types = []
  for (const { data_url: url } of attachments) {
    const { pathname, search } = new URL(url)
    const { headers } = await fresh.app.fastify.inject({ url: pathname + search })
    types.push([headers['content-type'], String(headers['content-disposition']).split(';')[0]])
  }
  expect(types).toEqual([
    ['audio/ogg', 'inline'],
    ['audio/webm', 'inline'],
  ])
  // A snapshot accepts only types without parameters.
  const snapshot = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { text } = await fresh.call('GET', snapshot)
  expect((await fresh.call('PUT', snapshot, { raw: text })).status).toBe(204)
})
