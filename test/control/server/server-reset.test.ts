/** POST /_sim/reset deletes the workspaces of everyone, so a server on a network refuses it unless it is allowed. */
import { expect, test } from 'vitest'
import type { AppOptions } from '../../../src/app.ts'
import { bearer, controlApp, error } from '../app.ts'

const admin = bearer('right')

async function setup(options: AppOptions, host: string | null = null) {
  const app = await controlApp({ adminToken: 'right', ownApp: true, ...options })
  if (host !== null) await app.listen({ host, port: 0 })
  await app.sim('POST', '/workspaces', { body: {}, ...admin })
  return {
    reset: async () => {
      const answer = await app.sim('POST', '/reset', admin)
      const { data } = (await app.sim('GET', '/workspaces', admin)).body as { data: unknown[] }
      return { ...answer, left: data.length }
    },
    allowReset: async () => (await app.sim('GET', '/access', admin)).body.allowReset as boolean,
  }
}

const PUBLIC = { publicUrl: 'https://sim.example.com' }

test.each([
  ['on a network', {}, '0.0.0.0'],
  ['with a public URL', PUBLIC, '127.0.0.1'],
  ['on this machine with --allow-reset off', { allowReset: false }, '127.0.0.1'],
])('is refused by a server %s, and nothing is deleted', async (_name, options, host) => {
  const { reset, allowReset } = await setup(options, host)
  const { status, body, left } = await reset()
  expect([status, left]).toEqual([403, 1])
  expect(body).toEqual(
    error('forbidden', expect.stringMatching(/POST \/_sim\/workspaces\/\{id\}\/reset.*--allow-reset/)),
  )
  expect(await allowReset()).toBe(false)
})

test.each([
  ['on this machine', {}, '127.0.0.1'],
  ['on a network with --allow-reset', { allowReset: true }, '0.0.0.0'],
  ['with a public URL and --allow-reset', { ...PUBLIC, allowReset: true }, null],
])('is allowed by a server %s', async (_name, options, host) => {
  const { reset, allowReset } = await setup(options, host)
  expect(await allowReset()).toBe(true)
  expect(await reset()).toMatchObject({ status: 204, left: 0 })
})
