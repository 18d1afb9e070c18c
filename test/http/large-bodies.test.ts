/** Whoever sends more than is taken, and listens only when all of it is sent, reads the refusal. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { credentialHeader } from '../support/app.ts'
import { CONTROL, PUBLISHED } from '../support/published.ts'
import { firstOf, head } from '../support/sockets.ts'
import { buildApp } from '../support/subject.ts'

const MB = 1024 * 1024
const PIECE = Buffer.alloc(MB, 'x')

/** The first call of each interface that takes a body, and all of the control plane that do. */
const takers = [...PUBLISHED, CONTROL].flatMap((published) => {
  const { definition, routes } = published
  const taking = routes.filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH')
  return taking.slice(0, published === CONTROL ? undefined : 1).map(({ method, path, operation }) => ({
    id: operation.id,
    head: (length: number) =>
      head(method, definition.basePath + path.replaceAll(/\{\w+\}/g, 'demo'), {
        ...credentialHeader(definition, 'demo-key'),
        'content-type': 'application/json',
        'content-length': String(length),
      }),
  }))
})

const app = await buildApp({ fixtures: 'demo', closeGraceMs: 0 })
let url: URL
beforeAll(async () => {
  url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
})
afterAll(() => app.close())

async function connected() {
  const socket = connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return {
    async write(bytes: string | Buffer) {
      if (!socket.closed && !socket.write(bytes)) await firstOf(socket, 'drain', 'close')
    },
    /** Begins to listen: the statuses of so many answers, or of those that come before the connection ends. */
    async statuses(many: number) {
      let text = ''
      socket.on('data', (piece) => (text += String(piece)))
      const found = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
      while (!socket.closed && found().length < many) await firstOf(socket, 'data', 'close')
      return found()
    },
    async end() {
      if (!socket.closed) await firstOf(socket, 'close')
    },
  }
}

test.each(takers)('$id', async ({ head: asked }) => {
  const line = await connected()
  await line.write(asked(5 * MB))
  for (let count = 0; count < 5; count++) await line.write(PIECE)
  // The connection can be used on.
  await line.write(head('GET', '/_sim/health'))
  const [refused, healthy] = await line.statuses(2)
  // Snapshots may be large: what is wrong with this one is that it is no JSON. Forms take no JSON at all.
  expect(refused).toBeOneOf([413, 400, 415])
  expect(healthy).toBe(200)
})

test('a body without an end is cut', async () => {
  const line = await connected()
  for (const { head: asked } of takers.slice(0, 1)) await line.write(asked(4096 * MB))
  for (let count = 0; count < 200; count++) await line.write(PIECE)
  await line.end()
})
