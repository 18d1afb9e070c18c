/** Encoded bodies (Content-Encoding), and the charset of a body. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../../control/app.ts'
import { rawClient } from '../../support/sockets.ts'

const LIMIT = 1_048_576

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const CODINGS: Readonly<Record<string, (bytes: Buffer | string) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  ' deflate': deflateRawSync,
  br: brotliCompressSync,
}

async function setup(ownApp = false) {
  const app = await controlApp({ ownApp })
  const made = await makeWorkspace(app)
  const at = `/_sim/workspaces/${made.id}`
  const send = async (
    url: string,
    payload: Buffer | string,
    headers: Readonly<Record<string, string>>,
    method: 'POST' | 'PUT' = 'POST',
  ) => {
    const all = { authorization: `Bearer ${made.key}`, api_access_token: made.key, ...headers }
    const {
      statusCode,
      payload: text,
      headers: answered,
    } = await app.fastify.inject({ method, url, headers: all, payload })
    return { status: statusCode, text, headers: answered }
  }
  const json = (coding: string, body: Buffer | string, url = '/crm/v1/contacts') =>
    send(url, body, { 'content-type': 'application/json', 'content-encoding': coding })
  return { ...app, ...made, at, send, json }
}

const BODY = JSON.stringify({ name: 'Zoë Núñez', email: 'zoe@example.com' })

describe('an encoded body', () => {
  test.each(Object.keys(CODINGS))('of the encoding "%s" is decoded', async (coding) => {
    const { json } = await setup()
    const { status, text } = await json(coding, (CODINGS[coding] ?? gzipSync)(BODY))
    expect([status, text]).toEqual([201, expect.stringContaining('Núñez')])
  })

  test.each(['identity', ''])('of the encoding "%s" is none', async (coding) => {
    const { json } = await setup()
    expect((await json(coding, BODY)).status).toBe(201)
  })

  test.each(['zstd', 'compress', 'aes128gcm', 'gzip, br', 'constructor', 'utf-8'])(
    'of the encoding "%s" is refused with its name',
    async (coding) => {
      const { json } = await setup()
      const { status, text, headers } = await json(coding, BODY)
      expect([status, text]).toEqual([
        415,
        expect.stringContaining(`The content encoding ${coding} is not supported`),
      ])
      expect(headers['accept-encoding']).toBe('gzip, deflate, br')
    },
  )

  test.each(Object.keys(CODINGS))(
    'of "%s" that is damaged, cut off or no such format is refused',
    async (coding) => {
      const { json, call, key } = await setup()
      const encode = CODINGS[coding] ?? gzipSync
      const whole = encode(BODY)
      for (const bytes of [whole.subarray(0, -9), Buffer.from('{"name":"Ana"}'), Buffer.from('\x1f\x8b')]) {
        const { status, text } = await json(coding, bytes)
        expect([status, text]).toEqual([
          400,
          expect.stringMatching(/not valid (?:x-)?(?:gzip|deflate|br)|not valid JSON/i),
        ])
      }
      expect((await call('GET', '/crm/v1/contacts?search=zoe@example.com', key)).text).not.toContain(
        'zoe@example.com',
      )
    },
  )

  test('may be as large as a plain one, and no larger', async () => {
    const { json } = await setup()
    const padded = (size: number) => '{"name":"Ana"}'.padEnd(size)
    for (const encode of [gzipSync, brotliCompressSync, deflateSync] as const) {
      const coding = encode === gzipSync ? 'gzip' : encode === deflateSync ? 'deflate' : 'br'
      expect((await json(coding, encode(padded(LIMIT)))).status).toBe(201)
      expect((await json(coding, encode(padded(LIMIT + 1)))).status).toBe(413)
    }
  })

  test('that decodes to 256 MiB is refused after its limit, on a connection that stays', async () => {
    const { listen, key } = await setup(true)
    const url = await listen({ host: '127.0.0.1', port: 0 })
    const bomb = brotliCompressSync(Buffer.alloc(256 * LIMIT), FAST)
    expect(bomb.length).toBeLessThan(LIMIT / 10)
    const before = process.memoryUsage().arrayBuffers
    const client = await rawClient(url)
    const head = [
      'POST /crm/v1/contacts HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      'content-encoding: br',
      `content-length: ${String(bomb.length)}`,
      '\r\n',
    ].join('\r\n')
    client.send(head)
    await client.sendAll(bomb)
    await client.until('HTTP/1.1 413 ')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * LIMIT)
    client.send('GET /_sim/health HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await client.until('HTTP/1.1 200 ')
  })

  test('is decoded in every kind of body: forms of pages, files, snapshots', async () => {
    const { send, sim, at, id } = await setup()
    const snapshot = (await sim('GET', `/workspaces/${id}/snapshot`)).text
    const gzip = { 'content-encoding': 'gzip' }
    const put = await send(
      `${at}/snapshot`,
      gzipSync(snapshot),
      { ...gzip, 'content-type': 'application/json', authorization: '' },
      'PUT',
    )
    expect([put.status, put.text]).toEqual([204, ''])

    const file = [
      '--x',
      'content-disposition: form-data; name="file"; filename="people.csv"',
      'content-type: text/csv',
      '',
      'email,first_name\nform@example.com,Form',
      '--x--',
      '',
    ].join('\r\n')
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const importing = '/crm/v1/contacts/import'
    const plain = await send(importing, file, type)
    for (const encode of [gzipSync, brotliCompressSync]) {
      const coding = encode === gzipSync ? 'gzip' : 'br'
      const sent = await send(importing, encode(file), { ...type, 'content-encoding': coding })
      expect([coding, sent.status]).toEqual([coding, plain.status])
    }
    const cut = await send(importing, gzipSync(file).subarray(0, 40), { ...type, ...gzip })
    expect([cut.status, cut.text]).toEqual([400, expect.stringContaining('not valid gzip')])
    expect((await send(importing, gzipSync(file), { ...type, 'content-encoding': 'zstd' })).status).toBe(415)
  })

  test('of a form on a page has the limit of the page', async () => {
    const { send, id } = await setup()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = (form: string, headers = {}) =>
      send(`/pay/links/${id}/none`, gzipSync(form), { ...type, 'content-encoding': 'gzip', ...headers })
    expect((await post('a=1')).status).toBe(404)
    expect((await post(`a=${'b&'.repeat(40_000)}`)).status).toBe(413)
    const refused = await post('a=1', { 'content-encoding': 'zstd' })
    expect([refused.status, refused.text]).toEqual([415, expect.stringContaining('encoding zstd is not')])
    const latin = await post('a=1', { 'content-type': `${type['content-type']}; charset=latin1` })
    expect([latin.status, latin.text]).toEqual([415, expect.stringContaining('charset latin1 is not')])
  })

  test('is shown decoded in the journal, and repeated without the encoding', async () => {
    const { json, sim, fastify, id } = await setup()
    await json('gzip', gzipSync(BODY))
    const [{ id: call }] = (await sim('GET', `/workspaces/${id}/requests?limit=1`)).body.data
    const entry = (await sim('GET', `/workspaces/${id}/requests/${String(call)}`)).body
    expect(entry.request.body).toMatchObject({ name: 'Zoë Núñez' })
    expect(entry.request.headers['content-encoding']).toBe('gzip')
    const url = `/_sim/workspaces/${id}/requests/${String(call)}?as=curl`
    const { payload: curl } = await fastify.inject({ url })
    expect(curl).not.toContain('content-encoding')
  })

  test('of an unknown path or without a key is not looked at', async () => {
    const { json, send } = await setup()
    expect((await json('zstd', BODY, '/crm/v1/nothing')).status).toBe(404)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'zstd', authorization: '' }
    expect((await send('/crm/v1/contacts', BODY, headers)).status).toBe(401)
  })
})

describe('the charset of a body', () => {
  const post = async (type: string, url = '/crm/v1/contacts', payload: Buffer | string = BODY) =>
    (await setup()).send(url, payload, { 'content-type': type })

  test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii'])('may be %s', async (charset) => {
    expect((await post(`application/json; charset=${charset}`)).status).toBe(201)
    expect((await post(`application/json;charset=${charset};v=1`)).status).toBe(201)
  })

  test.each(['iso-8859-1', 'ISO-8859-1', '"windows-1252"', 'utf-16', 'utf-7', 'x'])(
    'may not be %s',
    async (charset) => {
      for (const [type, url] of [
        ['application/json', '/crm/v1/contacts'],
        ['multipart/form-data; boundary=x', '/crm/v1/contacts/import'],
      ] as const) {
        const { status, text } = await post(`${type}; charset=${charset}`, url)
        const name = charset.replaceAll('"', '')
        expect([status, text]).toEqual([415, expect.stringContaining(`The charset ${name} is not supported`)])
      }
    },
  )
})
