/** Readings: where the specification can be read in several ways, a workspace or a server chooses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { READINGS } from '../../../src/control/shared/readings.ts'
import { ROOT } from '../../support/root.ts'
import { controlApp, makeWorkspace } from '../app.ts'

const DEFAULTS = Object.fromEntries(READINGS.map((each) => [each.name, each.default]))

const ACTIVITIES = '/workspace/public/v1/activities'

describe('GET /_sim/readings', () => {
  test('lists every reading with its alternatives, the default first', async () => {
    const { sim } = await controlApp()
    const { status, body } = await sim('GET', '/readings')
    expect(status).toBe(200)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
      'scopes.unlisted',
      'catalog.products_module',
      'recruiting.vacancy_status',
      'recruiting.delete_vacancy',
      'payments.refund_event',
      'integration-payments.invalid_state',
      'integration-payments.unknown_key',
      'tax-invoicing.cancellation_exempt',
      'conversations.webhook_payload',
      'conversations.message_type',
    ])
    for (const { title, section, alternatives, default: fallback } of body.data) {
      expect(title).toMatch(/\w/)
      expect(section).toMatch(/^part [1-3]/)
      expect(alternatives.length).toBeGreaterThan(1)
      expect(alternatives[0].value).toBe(fallback)
      for (const each of alternatives) expect(each.title).toMatch(/\.$/)
    }
  })

  test('has every reading that the source declares', () => {
    const source = join(ROOT, 'src')
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const declared = files.flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(/= reading\(\{\s*name: '([^']+)'/g)].map(
        ([, name]) => name,
      ),
    )
    expect(declared.toSorted()).toEqual(READINGS.map(({ name }) => name).toSorted())
  })
})

describe('the readings of a workspace', () => {
  test('are chosen when it is created, changed one by one, and shown', async () => {
    const { sim } = await controlApp()
    const created = await sim('POST', '/workspaces', { body: { readings: { 'scopes.unlisted': 'any' } } })
    const { id, readings } = created.body.workspace as { id: string; readings: object }
    expect(readings).toEqual({ ...DEFAULTS, 'scopes.unlisted': 'any' })

    const changed = await sim('PATCH', `/workspaces/${id}`, {
      body: { readings: { 'recruiting.delete_vacancy': '200' } },
    })
    const both = { ...DEFAULTS, 'scopes.unlisted': 'any', 'recruiting.delete_vacancy': '200' }
    expect([changed.status, changed.body.readings]).toEqual([200, both])
    expect((await sim('GET', `/workspaces/${id}`)).body.readings).toEqual(both)
  })

  test.each([
    [{ 'scopes.unlistd': 'any' }, 'did you mean scopes.unlisted?'],
    [{ 'scopes.unlisted': 'anyone' }, 'readings.scopes.unlisted must be one of'],
    [{ 'scopes.unlisted': null }, 'readings.scopes.unlisted must be'],
    [['scopes.unlisted'], 'readings must be an object'],
  ])('refuse %j', async (readings, words) => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const before = (await app.sim('GET', '/workspaces')).body
    for (const answer of [
      await app.sim('POST', '/workspaces', { body: { readings } }),
      await app.sim('PATCH', `/workspaces/${id}`, { body: { readings } }),
    ]) {
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(words)])
    }
    expect((await app.sim('GET', '/workspaces')).body).toEqual(before)
  })

  test('are carried by snapshots, named snapshots and clones, and restored by a reset', async () => {
    const { sim } = await controlApp()
    const chosen = { 'payments.refund_event': 'requested' }
    const made = await sim('POST', '/workspaces', { body: { readings: chosen } })
    const { id } = made.body.workspace as { id: string }
    const readingsOf = async (of: string) => (await sim('GET', `/workspaces/${of}`)).body.readings
    const first = { ...DEFAULTS, ...chosen }

    const snapshot = (await sim('GET', `/workspaces/${id}/snapshot`)).body
    expect(snapshot.workspace.readings).toEqual(chosen)
    await sim('POST', `/workspaces/${id}/snapshots`, { body: { name: 'first' } })
    const other = { 'conversations.message_type': 'string' }
    await sim('PATCH', `/workspaces/${id}`, { body: { readings: other } })
    const clone = await sim('POST', `/workspaces/${id}/clone`)
    expect(await readingsOf(clone.body.workspace.id)).toEqual({ ...first, ...other })

    await sim('POST', `/workspaces/${id}/snapshots/first/restore`)
    expect(await readingsOf(id)).toEqual(first)
    await sim('PATCH', `/workspaces/${id}`, { body: { readings: other } })
    await sim('PUT', `/workspaces/${id}/snapshot`, { body: snapshot })
    expect(await readingsOf(id)).toEqual(first)
    await sim('PATCH', `/workspaces/${id}`, { body: { readings: other } })
    await sim('POST', `/workspaces/${id}/reset`)
    expect(await readingsOf(id)).toEqual(first)

    const fromSnapshot = await sim('POST', '/workspaces', { body: { fixtures: snapshot } })
    expect(fromSnapshot.body.workspace.readings).toEqual(first)
    const both = await sim('POST', '/workspaces', { body: { fixtures: snapshot, readings: other } })
    expect(both.body.workspace.readings).toEqual({ ...first, ...other })
    const wrong = { ...snapshot, workspace: { ...snapshot.workspace, readings: { 'a.b': 'c' } } }
    expect((await sim('PUT', `/workspaces/${id}/snapshot`, { body: wrong })).status).toBe(400)
  })
})

describe('the readings of a server', () => {
  test('apply to workspaces that choose none, and can be overruled by one', async () => {
    const app = await controlApp({ readings: { 'catalog.products_module': 'products' } })
    const { id, key } = await makeWorkspace(app)
    const change = (body: object) => app.sim('PATCH', `/workspaces/${id}`, { body })
    expect((await change({ modules: { products: false } })).body.readings['catalog.products_module']).toBe(
      'products',
    )
    expect((await app.call('GET', ACTIVITIES, key)).status).toBe(200)
    await change({ readings: { 'catalog.products_module': 'interface' } })
    expect((await app.call('GET', ACTIVITIES, key)).status).toBe(403)
  })

  test('decide for calls with an unknown key', async () => {
    const path = '/integration-pay/v1/products'
    const headers = { 'x-api-key': 'unknown' }
    const statusOf = async (readings: Record<string, string>) => {
      const { fastify, sim } = await controlApp({ readings, ownApp: true })
      const { statusCode } = await fastify.inject({ url: path, headers })
      const { data } = (await sim('GET', '/requests?unmatched=true&limit=1')).body
      const hint = (data[0].hints as { code: string; message: string }[]).find(
        ({ code }) => code === 'reading',
      )
      return [statusCode, hint?.message.match(/--readings (\S+)/)?.[1]]
    }
    const name = 'integration-payments.unknown_key'
    expect(await statusOf({})).toEqual([404, `${name}=401`])
    expect(await statusOf({ [name]: '401' })).toEqual([401, `${name}=404`])
  })

  test.each([
    [{ 'scopes.unlistd': 'any' }, 'scopes.unlistd is not a reading. Did you mean scopes.unlisted?'],
    [{ 'scopes.unlisted': 'all' }, 'scopes.unlisted must be area or any, not all.'],
  ])('refuse %j at the start', async (readings, words) => {
    await expect(controlApp({ readings, ownApp: true })).rejects.toThrow(words)
  })
})

describe('the hint of a refusal', () => {
  test('names the reading that would change the answer', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const lastHints = async () => {
      const { data } = (await app.sim('GET', `/workspaces/${id}/requests?limit=1`)).body
      return (await app.sim('GET', `/workspaces/${id}/requests/${String(data[0].id)}`)).body.hints
    }
    await app.sim('PATCH', `/workspaces/${id}`, { body: { modules: { products: false } } })
    expect((await app.call('GET', ACTIVITIES, key)).status).toBe(403)
    expect(await lastHints()).toEqual([
      {
        code: 'reading',
        message: expect.stringMatching(
          /follows the reading catalog\.products_module = interface.*\{"readings":\{"catalog\.products_module":"products"\}\}/,
        ),
      },
    ])
    // Under no reading would this call be accepted.
    expect((await app.call('GET', '/workspace/public/v1/products', key)).status).toBe(403)
    expect(await lastHints()).toEqual([])

    const limited = (await app.sim('POST', '/keys', { body: { workspaceId: id, scopes: ['crm:write'] } }))
      .body.key
    expect((await app.call('GET', '/crm/v1/deals', limited)).status).toBe(403)
    expect((await lastHints())[0].message).toContain('scopes.unlisted = area')
    expect((await app.call('GET', '/crm/v1/contacts', limited)).status).toBe(403)
    expect(await lastHints()).toEqual([])
  })
})
