import { beforeEach, describe, expect, test } from 'vitest'
import { POS_EVENTS } from '../../../src/state/pos/eventNames.ts'
import { freshApp, type Call, type FreshApp } from '../../support/app.ts'

const URL = 'https://receiver.example.com/pos'
const BORN = '2026-11-21T10:00:00.000Z'
const LATER = '2026-11-21T10:05:00.000Z'

let fresh: FreshApp
let call: Call<Body>

interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly isActive: boolean
  readonly [field: string]: unknown
}

/** The fields of any response; each test states which ones exist. */
interface Body {
  readonly webhook: Webhook
  readonly webhooks: Webhook[]
  readonly secret: string
  readonly error: string
  readonly message: string
  readonly details: readonly { readonly field: string; readonly code: string; readonly message: string }[]
}

beforeEach(async () => {
  fresh = await freshApp()
  fresh.setClock(BORN)
  call = fresh.at('pos')
})

const create = async (body: object = {}, options: { key?: string } = {}) => {
  const answer = await call('POST', '/webhooks', {
    body: { url: URL, events: ['sale.completed'], ...body },
    ...options,
  })
  expect(answer.status).toBe(201)
  return answer.body
}

const listed = async (options: { key?: string } = {}) => {
  const answer = await call('GET', '/webhooks', options)
  expect(answer.status).toBe(200)
  return answer.body
}

/** An error with one detail. */
const validationError = (field: string, code: string, message: string) => ({
  error: 'validation_error',
  message,
  details: [{ field, code, message }],
})

describe('POST /webhooks', () => {
  test('returns 201 with the webhook and its secret', async () => {
    const { status, headers, body } = await call('POST', '/webhooks', {
      body: { url: URL, events: ['sale.completed', 'stock.low'] },
    })

    expect(status).toBe(201)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      webhook: {
        id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/) as string,
        url: URL,
        events: ['sale.completed', 'stock.low'],
        isActive: true,
        createdAt: BORN,
        updatedAt: BORN,
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{32}$/) as string,
    })
  })

  test.each([
    ['no url', { events: ['stock.low'] }, 'url', 'required', 'url is required'],
    [
      'a URL that is null',
      { url: null, events: ['stock.low'] },
      'url',
      'invalid_type',
      'url must be a string',
    ],
    [
      'an unknown event',
      { url: URL, events: ['stock.low', 'stock.gone'] },
      'events.1',
      'not_allowed',
      `events.1 must be one of ${POS_EVENTS.join(', ')}`,
    ],
  ])('refuses %s and creates nothing', async (_what, body, field, code, message) => {
    const answer = await call('POST', '/webhooks', { body })

    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(validationError(field, code, message))
    expect(await listed()).toEqual({ webhooks: [] })
  })

  test('reports all errors at once', async () => {
    const { status, body } = await call('POST', '/webhooks', {
      body: { events: ['nothing', 'stock.low', 7] },
    })

    expect(status).toBe(400)
    expect(body.error).toBe('validation_error')
    expect(body.details.map(({ field, code }) => [field, code])).toEqual([
      ['url', 'required'],
      ['events.0', 'not_allowed'],
      ['events.2', 'invalid_type'],
    ])
  })
})

describe('URL of a webhook', () => {
  const taken = [
    'https://receiver.example.com',
    'https://receiver.example.com:8443/a/b?c=d',
    'http://localhost:3000/pos',
    'http://sink.localhost/pos',
    'http://127.0.0.1:8080/',
    'http://127.8.9.10/',
    'http://[::1]:8080/',
  ]
  const refused = [
    'http://receiver.example.com/pos',
    'http://10.0.0.1/',
    'http://128.0.0.1/',
    'http://localhost.example.com/',
    'ftp://receiver.example.com/pos',
    'file:///etc/passwd',
    'ws://localhost/pos',
    'https://user:secret@receiver.example.com/pos',
  ]

  test.each(taken)('may be %s', async (url) => {
    expect((await create({ url })).webhook).toMatchObject({ url })
    const { webhook } = await create()

    expect((await call('PUT', `/webhooks/${webhook.id}`, { body: { url } })).body.webhook.url).toBe(url)
  })

  test.each(refused)('may not be %s', async (url) => {
    const { webhook } = await create()
    const created = await call('POST', '/webhooks', { body: { url, events: ['stock.low'] } })
    const updated = await call('PUT', `/webhooks/${webhook.id}`, { body: { url } })

    for (const { status, body } of [created, updated]) {
      expect(status).toBe(400)
      expect(body.error).toBe('validation_error')
      expect(body.details).toHaveLength(1)
      expect(body.details[0]?.field).toBe('url')
    }
    expect(await listed()).toEqual({ webhooks: [webhook] })
  })

  test('may be plain http only for a host that the flag names', async () => {
    const named = await freshApp({ webhookHttpHosts: ['sink.internal'] })
    const post = (url: string) =>
      named.at('pos')('POST', '/webhooks', { body: { url, events: ['stock.low'] } })

    expect((await post('http://sink.internal:9000/pos')).status).toBe(201)
    expect((await post('http://other.internal:9000/pos')).status).toBe(400)
    expect((await post('http://a.sink.internal:9000/pos')).status).toBe(400)
  })
})

describe('GET /webhooks', () => {
  test('shows every webhook, newest first, without secrets', async () => {
    const made = []
    for (let count = 0; count < 3; count++) made.push((await create()).webhook)

    const { text } = await call('GET', '/webhooks')

    expect(JSON.parse(text)).toEqual({ webhooks: made.reverse() })
    expect(text).not.toContain('secret')
  })

  test('is not paged', async () => {
    for (let count = 0; count < 150; count++) await create()

    const { body } = await call('GET', '/webhooks?limit=10&cursor=x&page=2')

    expect(body.webhooks).toHaveLength(150)
    expect(Object.keys(body)).toEqual(['webhooks'])
  })

  test('shows inactive webhooks too', async () => {
    const { webhook } = await create()
    await call('PUT', `/webhooks/${webhook.id}`, { body: { isActive: false } })

    expect((await listed()).webhooks).toEqual([{ ...webhook, isActive: false }])
  })

  test('shows none of another workspace', async () => {
    await create()

    expect(await listed({ key: fresh.tenant().key })).toEqual({ webhooks: [] })
  })
})

describe('PUT /webhooks/{id}', () => {
  test.each([
    ['url', { url: 'https://other.example.com/' }],
    ['events', { events: ['brand.deleted', 'bill.received'] }],
    ['isActive', { isActive: false }],
    ['all three', { url: 'http://localhost/', events: ['stock.low'], isActive: false }],
  ])('changes %s, and nothing else', async (_what, change) => {
    const { webhook } = await create()
    fresh.setClock(LATER)

    const { status, body } = await call('PUT', `/webhooks/${webhook.id}`, { body: change })

    expect(status).toBe(200)
    expect(body).toEqual({ webhook: { ...webhook, ...change, updatedAt: LATER } })
    expect(await listed()).toEqual({ webhooks: [body.webhook] })
  })

  test('never returns the secret', async () => {
    const { webhook, secret } = await create()
    const { text } = await call('PUT', `/webhooks/${webhook.id}`, {
      body: { secret: 'another', isActive: true },
    })

    expect(text).not.toContain(secret)
    expect(text).not.toContain('secret')
  })

  test('removes duplicate events', async () => {
    const { webhook } = await create()
    const { body } = await call('PUT', `/webhooks/${webhook.id}`, {
      body: { events: ['stock.low', 'stock.low'] },
    })

    expect(body.webhook.events).toEqual(['stock.low'])
  })

  test.each([
    ['{}', {}],
    ['only unknown fields', { active: true, secret: 'x' }],
  ])('refuses %s, because at least one field is required', async (_what, body) => {
    const { webhook } = await create()
    const answer = await call('PUT', `/webhooks/${webhook.id}`, { body })

    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(
      validationError('', 'too_few', 'the body must have at least one of url, events and isActive'),
    )
  })

  test.each([
    ['a valid field next to an invalid one', { isActive: false, events: ['x'] }, 'events.0', 'not_allowed'],
  ])('refuses %s and changes nothing', async (_what, body, field, code) => {
    const { webhook } = await create()
    fresh.setClock(LATER)
    const answer = await call('PUT', `/webhooks/${webhook.id}`, { body })

    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'validation_error', details: [{ field, code }] })
    expect(await listed()).toEqual({ webhooks: [webhook] })
  })
})

describe('invalid requests', () => {
  test('return 404 for another path', async () => {
    const { status, body } = await call('GET', '/sales')

    expect(status).toBe(404)
    expect(body).toEqual({
      error: 'not_found',
      message: expect.stringMatching(/^There is no operation at \/pos\/public\/v1\/sales\./),
    })
  })
})
