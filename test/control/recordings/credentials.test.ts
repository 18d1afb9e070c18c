/** What the file of a recording hides, and what it keeps so that a replay gives the same answers. */
import { describe, expect, test } from 'vitest'
import { CredentialHider } from '@suite-sim/kit/calls/credentials'
import { replayed } from '../../support/recordings.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'

const LINKS = '/pay/v1/payment-links'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const EQUAL = { isEqual: true, differences: [], skipped: [], isSnapshotEqual: true, isDiffEqual: true }

/** Records what `act` does, and returns the text of the file. */
async function recorded(
  settings: object,
  act: (app: ControlApp, key: string, path: string) => Promise<void>,
  before: (app: ControlApp, key: string, path: string) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const app = await controlApp({ ownApp: true })
  const { id, key } = await makeWorkspace(app, settings)
  const path = `/workspaces/${id}`
  await before(app, key, path)
  const started = await app.sim('POST', `${path}/recordings`, { body: { name: `Of ${key}` } })
  await act(app, key, path)
  return (await app.sim('POST', `${path}/recordings/${(started.body as { id: string }).id}/stop`)).text
}

const KINDS = [
  ['that the server made', {}],
  ['that a test chose', { key: 'acme-furniture' }],
] as const

describe.each(KINDS)('a key %s', (_kind, settings) => {
  test('is nowhere in the file, and the replay is equal', async () => {
    const keys: string[] = []
    const text = await recorded(
      { fixtures: 'small', ...settings },
      async (app, key, path) => {
        keys.push(key)
        const description = `Desk for ${key}`
        await app.call('POST', LINKS, key, { amount: 200, currency: 'USD', description })
        await app.call('GET', `${LINKS}?limit=1&description=${key}&password=first%20word`, key)
        await app.call('GET', `${LINKS}/none?api_key=second-word`, key)
        const form = new FormData()
        form.append('name', `Menu of ${key}`)
        form.append('file', new Blob([PNG], { type: 'image/png' }), `${key}.png`)
        const request = new Request('http://x', { method: 'POST', body: form })
        const media = await app.fastify.inject({
          method: 'POST',
          url: '/grid/v1/media',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': request.headers.get('content-type') ?? '',
          },
          payload: Buffer.from(await request.arrayBuffer()),
        })
        expect([media.statusCode, media.payload]).toEqual([201, expect.stringContaining(key) as string])
        await app.sim('POST', `${path}/reset`)
        await app.call('POST', LINKS, key, { amount: 300, currency: 'USD', description })
      },
      async (app, key, path) => {
        await app.call('POST', LINKS, key, { amount: 100, currency: 'USD', description: `First of ${key}` })
        await app.sim('POST', `${path}/faults`, {
          body: { interface: 'crm', status: 503, body: { note: `Not for ${key}` } },
        })
      },
    )
    expect(keys).toHaveLength(1)
    for (const secret of [...keys, 'first%20word', 'first word', 'second-word']) {
      expect(text).not.toContain(secret)
    }
    expect(await replayed(JSON.parse(text))).toMatchObject(EQUAL)
  })
})

test('a chosen key that is a word of the interface, or part of the id of the workspace, keeps the file whole', async () => {
  for (const settings of [
    { key: 'payment-links' },
    { key: 'currency_rate', fixtures: 'small' },
    { id: 'acme-furniture-1', key: 'acme-furniture' },
  ]) {
    const text = await recorded(settings, async (app, key, path) => {
      await app.call('POST', LINKS, key, { amount: 200, currency: 'USD' })
      await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'P1D' } })
    })
    expect(await replayed(JSON.parse(text))).toMatchObject(EQUAL)
  }
})

test('user names and passwords in URLs are replaced, also in a refused call', async () => {
  const text = await recorded({}, async (app, _key, path) => {
    const refused = await app.sim('POST', `${path}/subscriptions`, {
      body: { interface: 'pos', url: 'http://user:passw0rd@example.com/x' },
    })
    expect(refused.status).toBe(400)
  })
  expect(text).not.toContain('passw0rd')
  expect(text).toMatch(/http:\/\/redacted_[0-9a-f]{24}@example\.com/)
  expect(await replayed(JSON.parse(text))).toMatchObject(EQUAL)
})

test('a form of a hosted page keeps a test card, and no other one', async () => {
  const pay = async (app: ControlApp, url: string, card: string): Promise<number> => {
    const answer = await app.fastify.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `method=card&email=ana%40example.com&card_number=${card}&card_expiry=12%2F40&card_cvc=937`,
    })
    return answer.statusCode
  }
  const statuses: number[] = []
  const text = await recorded({}, async (app, key) => {
    const { body } = await app.call('POST', LINKS, key, { amount: 44900, currency: 'USD' })
    const url = new URL((body as { data: { url: string } }).data.url).pathname
    statuses.push(await pay(app, url, '4111111111111111'), await pay(app, url, '4242+4242+4242+4242'))
  })
  expect(statuses).toEqual([422, 303])
  const [, first, second] = (JSON.parse(text) as { steps: { text: string }[] }).steps
  expect(first?.text).toMatch(/card_number=redacted_\w{24}&card_expiry=12%2F40&card_cvc=redacted_\w{24}$/)
  expect(second?.text).toContain('card_number=4242+4242+4242+4242&card_expiry=12%2F40&card_cvc=937')
  expect(await replayed(JSON.parse(text))).toMatchObject(EQUAL)
})

describe('texts', () => {
  const key = 'a-key-of-mine'
  const hider = new CredentialHider('rec_1', [key, 'short', `${key}-too`])

  test.each([
    ['{"password":"x","token":"y"}', /^\{"password":"redacted_\w{24}","token":"y"\}$/],
    ['{"cvc" : 123, "password":""}', /^\{"cvc" : 0, "password":""\}$/],
    ['{"password":"half', /^\{"password":"redacted_\w{24}$/],
    [`a ${key} b ${key}-too c`, /^a redacted_\w{24} b redacted_\w{24} c$/],
    [`{"${key}": "${key}"}`, new RegExp(`^\\{"${key}": "redacted_\\w{24}"\\}$`)],
    ['a short one', /^a short one$/],
    [`sim_${'a'.repeat(20)}`, /^redacted_\w{24}$/],
  ])('of JSON are hidden: %s', (text, hidden) => {
    const once = hider.json(text)
    expect(once).toMatch(hidden)
    expect(hider.json(once)).toBe(once)
  })

  test.each([
    ['/a?x=1&y', /^\/a\?x=1&y$/],
    ['/a?secret=x&b=%zz', /^\/a\?secret=redacted_\w{24}&b=%zz$/],
    ['/a?url=http%3A%2F%2Fme%3Apw%40host', /^\/a\?url=http%3A%2F%2Fredacted_\w{24}%40host$/],
    [`/${key}?q=${key}`, new RegExp(`^/${key}\\?q=redacted_\\w{24}$`)],
  ])('of URLs are hidden: %s', (url, hidden) => {
    expect(hider.url(url)).toMatch(hidden)
    expect(hider.url(hider.url(url))).toBe(hider.url(url))
  })
})
