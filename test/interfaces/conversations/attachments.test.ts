/** The media types of attachments. */
import { expect, test } from 'vitest'
import { freshAccount, type MessageBody } from '../../support/conversations.ts'
import { formOf } from '../../support/forms.ts'

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
