/** Work that fits one slice must not take longer when it is requested very often at once. */
import { beforeAll, expect, test } from 'vitest'
import { serverWithoutBlocking } from '../support/loopDelay.ts'
import { build, scratchFolder, start, type Server } from '../support/process.ts'
import { head, rawClient } from '../support/sockets.ts'

const DEMO = '/_sim/workspaces/demo'
const TIMES = 40

beforeAll(build)

const started = (): Promise<Server> =>
  start(['--port', '0', '--db', ':memory:', '--fixtures', 'demo'], { folder: scratchFolder(), probe: true })

const statusesOf = async ({ url }: Server, method: string, path: string, body?: object): Promise<number[]> =>
  Promise.all(
    Array.from({ length: TIMES }, async () => {
      const answer = await fetch(url + path, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      await answer.arrayBuffer()
      return answer.status
    }),
  )

test.each([
  ['snapshots', 'GET', `${DEMO}/snapshot`, undefined, 200],
  ['workspaces with the demo data', 'POST', '/_sim/workspaces', { fixtures: 'demo' }, 201],
  ['clones', 'POST', `${DEMO}/clone`, {}, 201],
  [
    'tables of what was met, the first of which puts all interfaces together',
    'GET',
    `${DEMO}/coverage`,
    undefined,
    200,
  ],
] as const)('handles %s on many connections', async (_what, method, path, body, status) => {
  const server = await started()
  await serverWithoutBlocking(server, async () => {
    expect(await statusesOf(server, method, path, body)).toEqual(Array.from({ length: TIMES }, () => status))
  })
})

test('returns pipelined snapshots on one connection in order, each complete', async () => {
  const server = await started()
  await serverWithoutBlocking(server, async () => {
    const client = await rawClient(server.url)
    client.send(
      head('GET', `${DEMO}/snapshot`).repeat(TIMES) + head('GET', '/nowhere', { connection: 'close' }),
    )
    const statuses = (await client.closed).match(/(?<=HTTP\/1\.1 )\d+/g)
    expect(statuses).toEqual([...Array.from({ length: TIMES }, () => '200'), '404'])
  })
})

test('responds to a client with few requests before one with many', async () => {
  const server = await started()
  const client = await rawClient(server.url)
  const requestHead = head('GET', `${DEMO}/snapshot`)
  client.send(requestHead.repeat(TIMES) + head('GET', '/nowhere', { connection: 'close' }))
  await client.until('200 OK')
  expect((await fetch(`${server.url}/_sim/workspaces`)).status).toBe(200)
  expect(client.received()).not.toContain('404 Not Found')
  expect(await client.closed).toContain('404 Not Found')
})
