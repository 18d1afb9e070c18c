import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../app.ts'
import { receiver } from '../receiver.ts'

const CATALOG = '/workspace/public/v1'

/** Runs the same requests on a new server and returns all responses. */
async function responsesOf(seed: string, url: string): Promise<string[]> {
  const app = await controlApp({ seed, fixtures: 'demo' })
  const { id, key, userId } = await makeWorkspace(app, { fixtures: 'small' })
  const path = `/workspaces/${id}`
  const texts = [id, key, userId]
  const note = ({ text }: { text: string }) => {
    texts.push(text)
  }
  note(await app.sim('PUT', `${path}/clock`, { body: { now: '2026-11-01T12:00:00Z', frozen: true } }))
  note(await app.sim('POST', `${path}/users`, { body: { name: 'Ana', email: 'ana@example.com' } }))
  note(await app.sim('POST', '/keys', { body: { workspaceId: id } }))
  for (const name of ['catalog', 'pos']) {
    note(await app.sim('POST', `${path}/subscriptions`, { body: { interface: name, url } }))
  }
  note(await app.call('POST', `${CATALOG}/products`, key, { name: 'Desk', type: 'physical' }))
  note(await app.call('POST', `${CATALOG}/activities`, key, { title: 'Call', type: 'call' }))
  note(await app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'sale.completed' } }))
  // The simulator does not control how many are in progress when the clock is moved.
  await app.sim('GET', `${path}/deliveries?status=delivered&count=3&wait=300`)
  note(await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'P60D' } }))
  note(await app.call('GET', `${CATALOG}/activities?limit=100`, key))
  note(await app.call('GET', `${CATALOG}/products?limit=2`, key))
  const deliveries = await app.sim('GET', `${path}/deliveries?limit=1000`)
  // The simulator does not control how long a receiver takes.
  texts.push(deliveries.text.replaceAll(/"durationMs":[\d.]+/g, ''))
  note(await app.sim('GET', `${path}/snapshot`))
  return texts
}

describe('seed', () => {
  test('makes two servers return the same bytes', async () => {
    const { url } = await receiver()
    expect(await responsesOf('one', url)).toEqual(await responsesOf('one', url))
  })

  test('returns different ids with a different value', async () => {
    const { url } = await receiver()
    const [first] = await responsesOf('one', url)
    const [second] = await responsesOf('two', url)
    expect(first).not.toBe(second)
  })

  test('returns unpredictable ids if it is missing', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await makeWorkspace(await controlApp())).id))
    expect(ids[0]).not.toBe(ids[1])
  })
})
