/** The gateway between a client under test and the simulator. */
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { Gateway } from '../../src/exam/caller/gateway.ts'

/** Starts a server behind a gateway; returns the URL of the gateway. */
async function behind(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gateway = new Gateway(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  const url = await gateway.listen()
  onTestFinished(async () => {
    await gateway.close()
    server.close()
    server.closeAllConnections()
  })
  return { server, gateway, url }
}

test('changes an answer with a rule, which gets it before the client', async () => {
  const { gateway, url } = await behind((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': 8 }).end('{"a": 1}')
  })
  const calls: unknown[] = []
  gateway.rule = (passing) => {
    calls.push(passing)
    return { a: 'longer than before' }
  }
  const response = await fetch(`${url}/crm/v1/deals?page=2`, { method: 'POST', body: 'x' })
  expect([response.status, await response.json()]).toEqual([201, { a: 'longer than before' }])
  expect(calls).toEqual([{ method: 'POST', path: '/crm/v1/deals', number: 1, status: 201, json: { a: 1 } }])
})

test('asks for answers that are not compressed, and leaves the control plane alone', async () => {
  const { gateway, url } = await behind((received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received.headers))
  })
  gateway.rule = ({ json }) => ({ changed: json })
  const { changed } = (await (await fetch(`${url}/crm/v1/deals`)).json()) as { changed: object }
  expect(changed).not.toHaveProperty('accept-encoding')
  expect(changed).toMatchObject({ host: new URL(url).host })
  expect(await (await fetch(`${url}/_sim/health`)).json()).not.toHaveProperty('changed')
})

test('cuts the connection of a client if the simulator cuts its own', async () => {
  const { url } = await behind((received) => {
    received.socket.destroy()
  })
  await expect(fetch(`${url}/crm/v1/deals`)).rejects.toThrow('fetch failed')
})

test('passes a WebSocket on', async () => {
  const { server, url } = await behind(() => undefined)
  server.on('upgrade', ({ url: path, headers }: IncomingMessage, socket: Duplex) => {
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n${String(path)} ${String(headers['x-test'])}`,
    )
  })
  const sent = request(`${url}/cable`, {
    headers: { connection: 'upgrade', upgrade: 'websocket', 'x-test': 'yes' },
  })
  sent.end()
  const [, socket, head] = (await once(sent, 'upgrade')) as [IncomingMessage, Duplex, Buffer]
  expect(head.toString() + (await text(socket))).toBe('/cable yes')
})
