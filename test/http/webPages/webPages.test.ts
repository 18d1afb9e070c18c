/** Hosted pages: the headers and texts of each, and their responses to invalid input. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { html } from '../../../src/http/webPages/html.ts'
import { frameworkErrorHandler } from '../../../src/http/lifecycle/sendRefusal.ts'
import { createServerFactory } from '../../../src/http/server/server.ts'
import { mountPages, sendPage, typedInto } from '../../../src/http/webPages/webPages.ts'
import type { Resource } from '../../../src/http/definition/definition.ts'
import { freshApp } from '../../support/app.ts'

const echo: Resource = async (pages) => {
  pages.get('/:id', { exposeHeadRoute: true }, (request, reply) => {
    const { id } = request.params as { id: string }
    sendPage(reply, { title: () => `Page ${id}`, body: html`<h1>${id}</h1>`, script: true })
  })
  pages.post('/:id', (request, reply) => {
    const typed = typedInto(request)
    sendPage(reply, { title: () => 'Sent', body: html`<p>[${typed('text')}] [${typed('__proto__')}]</p>` })
  })
  pages.get('/fails/deep/:id', () => {
    throw new Error('secret detail')
  })
}

/** A server with these pages below /pages and an interface below /pages/v1; `workspace` exists. */
async function servePages(): Promise<{ server: FastifyInstance; at: string }> {
  const { app, workspace, definition } = await freshApp()
  const { dialect } = await definition('pos')
  const pagesPath = '/api/pages'
  const server = createServerFactory(false)(frameworkErrorHandler({ dialect, pagesPath }))
  const pages = { resources: [echo], script: 'void 0' }
  mountPages(server, { pagesPath, pages }, app.workspaces, (_request, _reply, done) => {
    done()
  })
  onTestFinished(() => server.close())
  return { server, at: `/api/pages/${workspace.id}` }
}

const send = (server: FastifyInstance, url: string, payload: string | Buffer, type?: string) =>
  server.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': type ?? 'application/x-www-form-urlencoded' },
  })

const titleOf = ({ payload }: LightMyRequestResponse): string =>
  /<title>(.*?)<\/title>/.exec(payload)?.[1] ?? ''

describe('every page', () => {
  test('runs only its own script and style, and is neither framed nor cached', async () => {
    const { server, at } = await servePages()
    for (const path of [`${at}/one`, `${at}/none/here`, `${at}/fails/deep/x`]) {
      const { headers } = await server.inject(path)
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': [
          "default-src 'none'",
          "style-src 'self'",
          "script-src 'self'",
          "img-src 'self' https: http: data:",
          "form-action 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ].join('; '),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      })
      // A checkout popup communicates with the page of another origin that opened it.
      expect(headers).not.toHaveProperty('cross-origin-opener-policy')
    }
  })

  test('declares its language, fits a phone, and finds its style and script with relative URLs', async () => {
    const { server, at } = await servePages()
    const { payload } = await server.inject(`${at}/one`)
    expect(payload).toContain('<html lang="en">')
    expect(payload).toContain('<meta name="viewport" content="width=device-width, initial-scale=1" />')
    expect(payload).toContain('<link rel="stylesheet" href="../style.css" />')
    expect(payload).toContain('<script src="../script.js" defer></script>')
    const deep = await server.inject(`${at}/fails/deep/x?y=/z/`)
    expect(deep.payload).toContain('href="../../../style.css"')
    expect((await server.inject('/api/pages/style.css')).headers['content-type']).toBe(
      'text/css; charset=utf-8',
    )
    const script = await server.inject('/api/pages/script.js')
    expect([script.headers['content-type'], script.payload]).toEqual([
      'text/javascript; charset=utf-8',
      'void 0',
    ])
  })

  test('becomes an entry of the history without its form if it answers one', async () => {
    const { server, at } = await servePages()
    const script = '<script src="../sent.js"></script>'
    expect((await server.inject(`${at}/one`)).payload).not.toContain(script)
    expect((await send(server, `${at}/one`, 'text=a')).payload).toContain(script)
    const { headers, payload } = await server.inject('/api/pages/sent.js')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(payload).toContain('history.replaceState')
  })

  test('escapes values as text', async () => {
    const { server, at } = await servePages()
    const { payload } = await server.inject(`${at}/${encodeURIComponent('<script>"&\'')}`)
    expect(payload).toContain('<h1>&lt;script&gt;&quot;&amp;&#39;</h1>')
    expect(payload).toContain('<title>Page &lt;script&gt;&quot;&amp;&#39;</title>')
  })

  test('responds to HEAD as to GET, without the body', async () => {
    const { server, at } = await servePages()
    const { statusCode, payload, headers } = await server.inject({ method: 'HEAD', url: `${at}/one` })
    expect([statusCode, payload, headers['cache-control']]).toEqual([200, '', 'no-store'])
  })
})

describe('an unknown page', () => {
  test.each(['/api/pages', '/api/pages/', '/api/pages/nobody/one', '/api/pages/nobody'])(
    '%s is a page with the status 404',
    async (path) => {
      const { server } = await servePages()
      const answer = await server.inject(path)
      expect([answer.statusCode, titleOf(answer)]).toEqual([404, 'Page not found'])
    },
  )

  test('also for an unsupported method', async () => {
    const { server, at } = await servePages()
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      expect((await server.inject({ method, url: `${at}/one` })).statusCode).toBe(404)
    }
  })

  test.each([
    ['%ZZ', 400],
    ['%00', 400],
    ['%ff', 400],
    ['a'.repeat(1000), 200],
    ['a'.repeat(1001), 400],
    ['..%2f..%2fetc', 200],
  ])('the path %s is a page too', async (name, status) => {
    const { server, at } = await servePages()
    const answer = await server.inject(`${at}/${name}`)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.statusCode).toBe(status)
    expect(answer.payload).toContain('href="../style.css"')
  })
})

describe('form', () => {
  test('is decoded as typed', async () => {
    const { server, at } = await servePages()
    const answer = await send(server, `${at}/one`, 'text=+a%26b+%C3%A9&other=1')
    expect(answer.payload).toContain('[ a&amp;b é] []')
    expect((await send(server, `${at}/one`, '__proto__=x')).payload).toContain('[] [x]')
    expect((await send(server, `${at}/one`, '')).payload).toContain('[] []')
    expect((await server.inject({ method: 'POST', url: `${at}/one` })).payload).toContain('[] []')
  })

  test.each([
    [
      'bytes that are not text',
      Buffer.from([...Buffer.from('text='), 0xff, 0xfe]),
      'The form is not valid UTF-8.',
    ],
    ['escapes that are not text', 'text=%ff', 'The form is not percent-encoded UTF-8.'],
    ['half an escape', 'text=%zz', 'The form is not percent-encoded UTF-8.'],
  ])('with %s is refused', async (_what, form, words) => {
    const { server, at } = await servePages()
    const answer = await send(server, `${at}/one`, form)
    expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'Not possible'])
    expect(answer.payload).toContain(words)
  })

  test('with a field of 1,000 characters is accepted, and with one more is refused', async () => {
    const { server, at } = await servePages()
    expect((await send(server, `${at}/one`, `text=${'a'.repeat(1000)}`)).statusCode).toBe(200)
    const answer = await send(server, `${at}/one`, `text=${'a'.repeat(1001)}`)
    expect([answer.statusCode, titleOf(answer)]).toEqual([413, 'Not possible'])
  })

  test('with a NUL byte is refused', async () => {
    const { server, at } = await servePages()
    for (const text of ['text=a%00b', 'text=a\0b']) {
      const answer = await send(server, `${at}/one`, text)
      expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'Not possible'])
      expect(answer.payload).toContain('The form contains a NUL byte.')
    }
  })

  test('of 65,536 bytes is accepted, and one more byte is refused', async () => {
    const { server, at } = await servePages()
    const largest = `text=a${'&b=aaa'.repeat(10_921)}aaaa`
    expect((await send(server, `${at}/one`, largest)).statusCode).toBe(200)
    const answer = await send(server, `${at}/one`, `${largest}a`)
    expect([answer.statusCode, titleOf(answer)]).toEqual([413, 'Not possible'])
    expect(answer.payload).toContain('The form is larger than this page accepts.')
  })

  test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'nonsense'])(
    'sent as %s is refused',
    async (type) => {
      const { server, at } = await servePages()
      const answer = await send(server, `${at}/one`, '{"text":"a"}', type)
      expect([answer.statusCode, titleOf(answer)]).toEqual([415, 'Not possible'])
      expect(answer.payload).toContain('application/x-www-form-urlencoded')
    },
  )
})

test('shows only a general message if a page fails', async () => {
  const { server, at } = await servePages()
  const answer = await server.inject(`${at}/fails/deep/x`)
  expect([answer.statusCode, titleOf(answer)]).toEqual([500, 'Something went wrong'])
  expect(answer.payload).not.toContain('secret detail')
})
