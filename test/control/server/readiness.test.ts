/** The readiness check while the server starts and stops. The disk and the deliveries: test/hostile, test/webhooks. */
import { expect, test } from 'vitest'
import { head, rawClient } from '../../support/sockets.ts'
import { controlApp } from '../app.ts'

const CHECKS = ['/_sim/health', '/_sim/health/ready']

const message = (text: string) => ({ error: { code: 'unavailable', message: text } })

test('is 503 while the files of --init run; other requests wait, and the process is alive', async () => {
  const app = await controlApp({ ownApp: true, fixtures: 'small' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const release = app.startup.holdRequests()
  for (const path of CHECKS) {
    const answer = await fetch(url + path)
    expect([answer.status, await answer.json()]).toEqual([
      503,
      message('The server is starting: the files of --init still run.'),
    ])
    const { status, headers } = await fetch(url + path, { method: 'HEAD' })
    expect([status, headers.get('content-type')]).toEqual([503, 'application/json; charset=utf-8'])
  }
  expect((await fetch(`${url}/_sim/health/live`)).status).toBe(200)
  let isAnswered = false
  const held = fetch(`${url}/_sim/workspaces`).then((response) => {
    isAnswered = true
    return response.status
  })
  // A later request on another connection.
  await fetch(`${url}/_sim/health/live`)
  expect(isAnswered).toBe(false)
  release()
  expect(await held).toBe(200)
  for (const path of CHECKS) expect((await fetch(url + path)).status).toBe(200)
})

test.each(CHECKS)('%s is 503 while the server stops; the process is alive', async (path) => {
  const app = await controlApp({ ownApp: true, fixtures: 'small' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const clients = await Promise.all([rawClient(url), rawClient(url)])
  const paths = [path, '/_sim/health/live']
  for (const [index, client] of clients.entries()) {
    client.send(head('GET', '/_sim/health/live'))
    await client.until('"uptimeSeconds"')
    // The rest follows during the stop.
    client.send(head('GET', paths[index] ?? '').slice(0, 30))
  }
  const blocker = await rawClient(url)
  blocker.send(
    head('POST', '/_sim/reset', {
      'content-type': 'application/json',
      'content-length': '2',
      expect: '100-continue',
    }),
  )
  await blocker.until('100 Continue')
  const closed = app.close()
  for (const [index, client] of clients.entries()) client.send(head('GET', paths[index] ?? '').slice(30))
  const [ready = '', live = ''] = await Promise.all(clients.map((client) => client.closed))
  expect(ready).toMatch(/HTTP\/1\.1 503 .*"message":"The server is stopping\."/s)
  expect(live.match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
  blocker.send('{}')
  await closed
})
