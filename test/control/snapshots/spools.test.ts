/** Closes the temporary file of a large snapshot after use. Node would close it only during garbage collection. */
import { once } from 'node:events'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../support/process.ts'
import { firstOf, head } from '../../support/sockets.ts'
import { buildApp } from '../../support/subject.ts'

/** The number of open temporary files in this process. */
const open = (): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).endsWith('/spool (deleted)')
    } catch {
      // The folder itself was open while it was read.
      return false
    }
  }).length

async function started(fixtures = 'demo') {
  const app = await buildApp({ fixtures, closeGraceMs: 0 })
  onTestFinished(() => app.close())
  return app
}

const demo = await (async () => {
  const app = await buildApp({ fixtures: 'demo' })
  const { payload } = await app.fastify.inject('/_sim/workspaces/demo/snapshot')
  await app.close()
  return JSON.parse(payload) as { users: object[] }
})()

const unfit = JSON.stringify({ ...demo, users: [...demo.users, ...demo.users] })

function fileOf(text: string): string {
  const file = join(scratchFolder(), 'fixture.json')
  writeFileSync(file, text)
  return file
}

const put = async (app: Awaited<ReturnType<typeof started>>, body: string): Promise<number> =>
  (
    await app.fastify.inject({
      method: 'PUT',
      url: '/_sim/workspaces/demo/snapshot',
      headers: { 'content-type': 'application/json' },
      body,
    })
  ).statusCode

test('closes that of a fixture when the server ends', async () => {
  const before = open()
  const app = await started(fileOf(JSON.stringify(demo)))
  expect(open()).toBe(before + 1)
  await app.fastify.inject({ method: 'POST', url: '/_sim/reset' })
  expect((await app.fastify.inject('/_sim/workspaces')).json<{ data: object[] }>().data).toHaveLength(1)
  await app.close()
  expect(open()).toBe(before)
})

test('opens none for a small snapshot', async () => {
  const before = open()
  await started(fileOf('{"format":"suite-simulator/1"}'))
  expect(open()).toBe(before)
})

test('closes that of an invalid fixture and of a server that does not start', async () => {
  const before = open()
  await expect(buildApp({ fixtures: fileOf(unfit) })).rejects.toThrow('is the id of another user')
  const beyond = JSON.stringify(demo).replace('"price":', '"price":1e999,"was":')
  await expect(buildApp({ fixtures: fileOf(beyond) })).rejects.toThrow('a number out of range')
  await expect(buildApp({ fixtures: fileOf(JSON.stringify(demo)), db: '/dev/null/x' })).rejects.toThrow()
  expect(open()).toBe(before)
})

test('closes that of a sent snapshot, accepted or not', async () => {
  const app = await started()
  const before = open()
  expect(await put(app, JSON.stringify(demo))).toBe(204)
  expect(await put(app, unfit)).toBe(400)
  expect(await put(app, JSON.stringify(demo).slice(0, -1))).toBe(400)
  expect(open()).toBe(before)
})

test('closes that of a requested snapshot, read or not', async () => {
  const app = await started()
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const before = open()
  expect((await fetch(new URL('/_sim/workspaces/demo/snapshot', url))).status).toBe(200)
  const socket = connect(Number(url.port), url.hostname)
  socket.write(head('GET', '/_sim/workspaces/demo/snapshot'))
  await once(socket, 'data')
  socket.destroy()
  await firstOf(socket, 'close')
  while (open() > before) await nextTurn()
})

test('closes that of a disconnected client', async () => {
  const app = await started()
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const before = open()
  const text = JSON.stringify(demo)
  const requestHead = head('PUT', '/_sim/workspaces/demo/snapshot', {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  })
  for (const sent of [text.slice(0, -1), text]) {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(requestHead)
    socket.write(sent)
    while (open() === before) await nextTurn()
    socket.destroy()
    while (open() > before) await nextTurn()
  }
})
