/**
 * Invalid HTTP and oversized requests: the response is an error of the addressed interface, or the connection is
 * closed.
 */
import { connect } from 'node:net'
import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { withoutBlocking } from '../support/loopDelay.ts'
import { freshApp } from '../support/app.ts'

let port: number
let app: App

beforeAll(async () => {
  app = (await freshApp()).app
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  // Loads all parts before the measurement.
  for (const name of ['catalog', 'payments', 'control']) await app.published(name)
})

interface Said {
  readonly status: number
  readonly head: string
  readonly body: unknown
}

/** Sends the bytes and returns everything received until the connection is closed. */
const say = (...pieces: readonly string[]): Promise<Said> =>
  withoutBlocking(async () => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    // Writes to a closed connection fail; only the earlier response matters.
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    for (const piece of pieces) socket.write(piece, 'latin1')
    await once(socket, 'close')
    const [head = '', body = ''] = received.split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), head, body: body.startsWith('{') ? JSON.parse(body) : body }
  })

const HOST = 'Host: localhost\r\n'
const catalogRefusal = { error: { code: 'malformed_request', message: expect.any(String) as string } }
const paymentsRefusal = { error: expect.any(String) as string, message: expect.any(String) as string }

test.each([
  [
    'a header without a colon',
    `GET /workspace/public/v1/products HTTP/1.1\r\nnonsense\r\n\r\n`,
    400,
    catalogRefusal,
  ],
  ['another protocol', `GET /pay/v1/payment-links HTTQ/1.1\r\n\r\n`, 400, paymentsRefusal],
  ['text that is not HTTP', `\x16\x03\x01\x02\x00\x01`, 400, catalogRefusal],
  ['an unknown method', `FLY /pay/v1/payment-links HTTP/1.1\r\n${HOST}\r\n`, 400, paymentsRefusal],
  [
    'two lengths',
    `POST /pay/v1/payment-links HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    400,
    paymentsRefusal,
  ],
  [
    'a length and chunks',
    `POST /pay/v1/payment-links HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    400,
    paymentsRefusal,
  ],
  [
    'a long header',
    `GET /pay/v1/payment-links HTTP/1.1\r\n${HOST}x: ${'y'.repeat(20_000)}\r\n\r\n`,
    431,
    paymentsRefusal,
  ],
  [
    'a long path',
    `GET /pay/v1/payment-links?${'y'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    431,
    paymentsRefusal,
  ],
  [
    'a control character in a header',
    `GET /pay/v1/payment-links HTTP/1.1\r\n${HOST}x: a\x00b\r\n\r\n`,
    400,
    paymentsRefusal,
  ],
])('refuses %s with an error of the interface', async (_what, text, status, body) => {
  const said = await say(text)
  expect(said).toMatchObject({ status, body })
  expect(said.head.toLowerCase()).toContain('connection: close')
})

test('refuses invalid chunks with an error of the interface, also late ones', async () => {
  const head = `POST /pay/v1/payment-links HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  expect(await say(head + 'zz\r\n{}\r\n')).toMatchObject({ status: expect.toBeOneOf([400, 401]) as number })
})

test('returns 417 for an unknown expectation', async () => {
  const said = await say(`GET /pay/v1/payment-links HTTP/1.1\r\n${HOST}Expect: a-miracle\r\n\r\n`)
  expect(said).toMatchObject({ status: 417, body: paymentsRefusal })
})

test('refuses a request without a host, except for HTTP/1.0', async () => {
  const close = 'Connection: close\r\n'
  const path = '/workspace/public/v1/products'
  expect(await say(`GET ${path} HTTP/1.1\r\n${close}\r\n`)).toMatchObject({
    status: 400,
    body: catalogRefusal,
  })
  expect(await say(`GET ${path} HTTP/1.0\r\n\r\n`)).toMatchObject({ status: 401 })
})

test('ignores an upgrade to another protocol', async () => {
  const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'
  const said = await say(`GET /workspace/public/v1/products HTTP/1.1\r\n${HOST}${upgrade}\r\n`)
  expect(said.status).toBe(401)
})

test('closes a tunnel request silently', async () => {
  expect((await say(`CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`)).head).not.toMatch(/ (?:200|5\d\d) /)
})
