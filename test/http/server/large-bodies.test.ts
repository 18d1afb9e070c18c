/** A client that reads only after it has sent the whole body must receive the error of a refused body. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentialHeader } from '../../support/app.ts'
import { CONTROL, PUBLISHED } from '../../support/published.ts'
import { head, rawClient } from '../../support/sockets.ts'
import { buildApp } from '../../support/subject.ts'

const MB = 1024 * 1024
const PIECE = Buffer.alloc(MB, 'x')

/** These accept large bodies; their body is refused because it is not JSON. */
const TAKING_SNAPSHOTS = ['createWorkspace', 'putSnapshot']

interface Taker {
  readonly id: string
  readonly status: number
  readonly head: (length: number) => string
}

/** The first operation of each interface that takes a body, and all of the control plane. */
const operations: readonly Taker[] = [...PUBLISHED, CONTROL].flatMap((published) => {
  const { definition, routes } = published
  const taking = routes.filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH')
  return taking
    .slice(0, published === CONTROL ? undefined : 1)
    .map(({ method, path, operation: { id } }) => ({
      id,
      status: TAKING_SNAPSHOTS.includes(id) ? 400 : 413,
      head: (length: number) =>
        head(method, definition.basePath + path.replaceAll(/\{\w+\}/g, 'demo'), {
          ...credentialHeader(definition, 'demo-key'),
          'content-type': 'application/json',
          'content-length': String(length),
        }),
    }))
})

const page: Taker = {
  id: 'a page',
  status: 413,
  head: (length) =>
    head('POST', '/grid/player/demo/', {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(length),
    }),
}

const app = await buildApp({ fixtures: 'demo', closeGraceMs: 0 })
let url: string
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

test.each([...operations, page])('$id', async ({ head: requestHead, status }) => {
  const client = await rawClient(url, { reads: false })
  await client.sendAll(requestHead(5 * MB))
  for (let count = 0; count < 5; count++) await client.sendAll(PIECE)
  // The next request uses the same connection.
  await client.sendAll(head('GET', '/_sim/health'))
  client.read()
  await client.until('"uptimeSeconds"')
  expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `))
})

/** Bytes that the server reads of a refused body, and those that buffers of both ends can hold. */
const MAX_SENT = (64 + 32) * MB

test.each([
  ['refuses while it reads', 512 * MB],
  // It is larger than a workspace may be.
  ['refuses before it reads', 4096 * MB],
])('stops reading an endless body that it %s', async (_when, length) => {
  const client = await rawClient(url)
  await client.sendAll(page.head(length))
  let sent = 0
  for (; sent < 2 * MAX_SENT && !client.socket.closed; sent += MB) await client.sendAll(PIECE)
  expect(sent).toBeLessThan(MAX_SENT)
  expect(await client.closed).toMatch(/^HTTP\/1\.1 413 /)
})
