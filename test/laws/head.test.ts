/** HEAD answers wherever GET does: the same status and headers, without a body. */
import { expect, test } from 'vitest'
import type { MountedRoute, Published } from '../../src/http/definition/definition.ts'
import { controlApp, makeWorkspace } from '../control/app.ts'
import { credentialHeader } from '../support/app.ts'
import { buildApp, INTERFACES } from '../support/subject.ts'

/** Fills the parameters of a path with their examples, which are ids of the demo. */
function addressOf({ definition }: Published, { path, schema }: MountedRoute): string {
  const { properties = {} } = (schema.params ?? {}) as {
    properties?: Record<string, { examples?: string[] }>
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(properties[name]?.examples?.[0] ?? 'x'),
  )
  return definition.basePath + filled
}

/** Headers that differ between two calls. */
const comparable = ({
  date: _date,
  'x-request-id': _id,
  'transfer-encoding': _coding,
  ...headers
}: Readonly<Record<string, unknown>>) => headers

/** These wait for an event, or measure. */
const MOVING = /^\/_sim\/(?:metrics|health|requests|workspaces)|\/(?:stream|requests|timeline|usage)$/

test('of every operation and page', async () => {
  const app = await buildApp({ fixtures: 'demo', rateLimits: false })
  const parts = await Promise.all(
    [...INTERFACES.map(({ name }) => name), 'control'].map((name) => app.published(name)),
  )
  let [found, compared] = [0, 0]
  for (const published of parts) {
    const { definition, routes } = published
    const isControl = definition.name === 'control'
    const headers = isControl ? {} : credentialHeader(definition, 'demo-key')
    for (const route of routes) {
      const url = addressOf(published, route)
      if (route.method !== 'GET' || url.endsWith('/stream')) continue
      const get = await app.fastify.inject({ method: 'GET', url, headers })
      const head = await app.fastify.inject({ method: 'HEAD', url, headers })
      expect([url, head.statusCode, head.payload]).toEqual([url, get.statusCode, ''])
      compared++
      if (get.statusCode < 300) found++
      if (MOVING.test(url)) continue
      expect([url, comparable(head.headers)]).toEqual([url, comparable(get.headers)])
    }
  }
  expect(compared).toBeGreaterThan(140)
  expect(found).toBeGreaterThan(compared / 2)
  for (const url of [
    '/',
    '/llms.txt',
    '/_sim/',
    '/_sim/docs',
    '/_sim/docs/start.js',
    '/_sim',
    '/nothing',
    '/chat/cable',
  ]) {
    const headers = { accept: 'text/html' }
    const get = await app.fastify.inject({ method: 'GET', url, headers })
    const head = await app.fastify.inject({ method: 'HEAD', url, headers })
    expect([url, head.statusCode, head.payload]).toEqual([url, get.statusCode, ''])
    expect([url, comparable(head.headers)]).toEqual([url, comparable(get.headers)])
  }
  await app.close()
})

test('of a stream has its head and ends', async () => {
  const app = await controlApp()
  const { id } = await makeWorkspace(app)
  const { statusCode, headers, payload } = await app.fastify.inject({
    method: 'HEAD',
    url: `/_sim/workspaces/${id}/stream`,
  })
  expect([statusCode, headers['content-type'], payload]).toEqual([200, 'text/event-stream', ''])
})

test('is recorded as such, without a body, and meets the faults of GET', async () => {
  const app = await controlApp()
  const { id, key } = await makeWorkspace(app)
  const head = () =>
    app.fastify.inject({
      method: 'HEAD',
      url: '/crm/v1/contacts',
      headers: { authorization: `Bearer ${key}` },
    })
  await head()
  const { data } = (await app.sim('GET', `/workspaces/${id}/requests?method=HEAD`)).body
  expect(data).toHaveLength(1)
  const call = (await app.sim('GET', `/workspaces/${id}/requests/${String(data[0].id)}`)).body
  expect(call).toMatchObject({
    method: 'HEAD',
    operation: 'listContacts',
    status: 200,
    response: { body: null },
  })
  const fault = { interface: 'crm', method: 'GET', path: '/contacts', status: 503, times: 2 }
  expect((await app.sim('POST', `/workspaces/${id}/faults`, { body: fault })).status).toBe(201)
  expect((await head()).statusCode).toBe(503)
  expect((await app.call('GET', '/crm/v1/contacts', key)).status).toBe(503)
  expect((await head()).statusCode).toBe(200)
})
