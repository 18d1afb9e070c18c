/** Many connections with incomplete requests must not block other clients. */
import { expect, onTestFinished, test } from 'vitest'
import { withoutBlocking } from '../support/loopDelay.ts'
import { head, rawClient, type RawClient } from '../support/sockets.ts'
import { buildApp } from '../support/subject.ts'

const SLOW = [
  '',
  'GET / HT',
  'GET /_sim/health HTTP/1.1\r\nhost: localhost\r\nx-slow: ',
  head('POST', '/crm/v1/contacts', { 'content-type': 'application/json', 'content-length': '1000' }) + '{',
]

async function listening(options: { maxHalfOpen?: number } = {}): Promise<string> {
  const app = await buildApp({ fixtures: 'demo', closeGraceMs: 0, ...options })
  onTestFinished(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

async function opened(url: string, texts: readonly string[]): Promise<RawClient[]> {
  const clients: RawClient[] = []
  for (const text of texts) {
    const client = await rawClient(url)
    client.send(text)
    clients.push(client)
  }
  return clients
}

test('keeps responding during hundreds of incomplete requests', async () => {
  const url = await listening()
  await fetch(`${url}/_sim/health`)
  await opened(
    url,
    Array.from({ length: 400 }, (_none, index) => SLOW[index % SLOW.length] ?? ''),
  )
  await withoutBlocking(async () => {
    for (let count = 0; count < 5; count++) expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
  })
})

test('closes the oldest of too many incomplete requests, and accepts complete ones', async () => {
  const url = await listening({ maxHalfOpen: 10 })
  const [activeClient] = await opened(url, [head('GET', '/_sim/health')])
  await activeClient?.until('"uptimeSeconds"')
  const slow = await opened(
    url,
    Array.from({ length: 10 }, () => 'GET /nowhere HT'),
  )
  const next = await rawClient(url)
  expect(await slow[0]?.closed).toBe('')
  next.send(head('GET', '/_sim/health'))
  await next.until('"uptimeSeconds"')
  // A connection with a complete request does not count, however long it is idle.
  activeClient?.send(head('GET', '/nowhere'))
  await activeClient?.until('404 Not Found')
  const [, ...others] = slow
  for (const other of others) other.send('TP/1.1\r\nhost: localhost\r\n\r\n')
  for (const other of others) await other.until('404 Not Found')
})
