/** Faults on the cable, and cable entries in the request log. */
import { describe, expect, test } from 'vitest'
import { freshChat, type Chat } from '../../support/chatting.ts'
import { plainClient } from '../../support/cables.ts'
import { listenTo } from '../../support/payers.ts'

interface Entry {
  readonly status: number
  readonly path: string
  readonly fault?: string
  readonly refusal: { readonly reason: string } | null
}

const setFault = async ({ call, workspace }: Chat, body: object) => {
  const { status, body: made } = await call('POST', `/_sim/workspaces/${workspace.id}/faults`, { body })
  expect(status).toBe(201)
  return (made as { id: string }).id
}

const journalOf = async ({ call, workspace }: Chat): Promise<Entry[]> => {
  const { body } = await call('GET', `/_sim/workspaces/${workspace.id}/requests?path=/chat/cable`)
  return (body as { data: Entry[] }).data
}

const addressOf = async (chat: Chat, query = '') =>
  `${(await listenTo(chat)).replace('http', 'ws')}/chat/cable${query}`

/** Names its workspace in the handshake. */
const naming = async (chat: Chat) => plainClient(await addressOf(chat, `?pubsub_token=${chat.key}`))

describe('a handshake that names its workspace', () => {
  test.each(['/chat/cable', '/cable', '/chat/*'])('returns the status of a fault at %s', async (path) => {
    const chat = await freshChat()
    const id = await setFault(chat, { path, status: 503, times: 1 })
    await expect(naming(chat)).rejects.toThrow('503')
    const client = await naming(chat)
    expect((await client.next()).type).toBe('welcome')
    const [later, first] = await journalOf(chat)
    expect(first).toMatchObject({ status: 503, fault: id, path: '/chat/cable' })
    expect(later).toMatchObject({ status: 101 })
    expect(JSON.stringify([later, first])).not.toContain(chat.key)
  })

  test('gets only faults whose conditions it meets, with placeholders filled', async () => {
    const chat = await freshChat()
    await setFault(chat, {
      path: '/chat/cable',
      when: { headers: { 'sec-websocket-version': '13' }, query: { pubsub_token: chat.key } },
      status: 503,
      template: true,
      body: { for: '{{request.path}}', again: '{{request.headers.user-agent}}' },
      times: 1,
    })
    await setFault(chat, { when: { headers: { 'x-nothing': 'a' } }, status: 500 })
    await setFault(chat, { when: { bodyContains: 'a' }, status: 500 })
    await expect(naming(chat)).rejects.toThrow('503')
    expect((await (await naming(chat)).next()).type).toBe('welcome')
    const [, first] = (await journalOf(chat)) as (Entry & { response: { body: unknown } })[]
    expect(first?.response.body).toEqual({ for: '/chat/cable', again: null })
  })

  test('names it by its id, too', async () => {
    const chat = await freshChat()
    const id = await setFault(chat, { path: '/chat/cable', status: 503, times: 1 })
    const named = async (workspace: string) => plainClient(await addressOf(chat, `?workspace=${workspace}`))
    await expect(named(chat.workspace.id)).rejects.toThrow('503')
    expect(await journalOf(chat)).toMatchObject([{ status: 503, fault: id }])
    expect((await (await named('nobody')).next()).type).toBe('welcome')
  })

  test('is closed by a fault that resets', async () => {
    const chat = await freshChat()
    await setFault(chat, { path: '/chat/cable', reset: true })
    await expect(naming(chat)).rejects.toThrow(/hang up|ECONNRESET/)
    expect(await journalOf(chat)).toMatchObject([{ status: 0 }])
  })

  test('is delayed by a fault until the fault ends', async () => {
    const chat = await freshChat()
    const id = await setFault(chat, { interface: 'conversations', path: '/chat/cable', delayMs: 20 })
    const client = await naming(chat)
    expect((await client.next()).type).toBe('welcome')
    const [entry] = (await journalOf(chat)) as (Entry & { durationMs: number })[]
    expect(entry).toMatchObject({ status: 101, fault: id })
    expect(entry?.durationMs).toBeGreaterThanOrEqual(19)
  })

  test('returns the body and headers of a fault, without line breaks in the headers', async () => {
    const chat = await freshChat()
    await setFault(chat, {
      path: '/chat/cable',
      status: 429,
      headers: { 'retry-after': '7' },
      body: { a: 1 },
    })
    const url = (await addressOf(chat)).replace('ws', 'http')
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-version': '13',
      api_access_token: chat.key,
    }
    const { request } = await import('node:http')
    const answer = await new Promise<{ status: number; retry: unknown; text: string }>((resolve, reject) => {
      request(url, { headers }, (response) => {
        let text = ''
        response.on('data', (part: Buffer) => (text += part.toString()))
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, retry: response.headers['retry-after'], text })
        })
      })
        .on('error', reject)
        .end()
    })
    expect(answer).toEqual({ status: 429, retry: '7', text: '{"a":1}' })
  })

  test.each([{ path: '/contacts' }, { interface: 'crm' }, { method: 'POST', path: '/chat/cable' }])(
    'does not match a fault of %j',
    async (fault) => {
      const chat = await freshChat()
      await setFault(chat, { ...fault, status: 503 })
      expect((await (await naming(chat)).next()).type).toBe('welcome')
    },
  )
})

describe('a connection that names its workspace only when it subscribes', () => {
  test('matches the faults of its workspace then, and is closed with their status', async () => {
    const chat = await freshChat()
    chat.tenant()
    const id = await setFault(chat, { path: '/chat/cable', status: 503, times: 1 })
    const client = await plainClient(await addressOf(chat))
    expect((await client.next()).type).toBe('welcome')
    client.send('subscribe', { channel: 'RoomChannel', pubsub_token: chat.key })
    expect(await client.closed).toBe(4503)
    expect((await chat.agent()).answer).toBe('confirm_subscription')
    expect(await journalOf(chat)).toMatchObject([{ status: 101 }, { status: 503, fault: id }])
  })

  test('is closed, or confirmed later', async () => {
    const chat = await freshChat()
    chat.tenant()
    await setFault(chat, { path: '/chat/cable', reset: true, times: 1 })
    await setFault(chat, { path: '/chat/cable', delayMs: 20, times: 1 })
    const client = await plainClient(await addressOf(chat))
    client.send('subscribe', { channel: 'RoomChannel', pubsub_token: chat.key })
    expect(await client.closed).toBe(1006)
    expect((await chat.agent()).answer).toBe('confirm_subscription')
    expect(await journalOf(chat)).toMatchObject([{ status: 101 }, { status: 0 }])
  })

  test('matches no faults of other workspaces', async () => {
    const chat = await freshChat()
    const { workspace } = chat.tenant()
    await setFault({ ...chat, workspace }, { path: '/chat/cable', status: 503 })
    expect((await chat.agent()).answer).toBe('confirm_subscription')
  })
})

describe('request log', () => {
  test.each([
    [
      'an unknown key of the account',
      (account: number) => ({ pubsub_token: 'wrong-token', account_id: account }),
      401,
    ],
    ['a token of the workspace', (_account: number, id: string) => ({ pubsub_token: `${id}.1.1.x` }), 401],
    ['no channel', (account: number) => ({ channel: 'NoChannel', account_id: String(account) }), 422],
  ])('records a subscription that was rejected for %s, without its token', async (_what, params, status) => {
    const chat = await freshChat()
    chat.tenant()
    const { tenantId, id } = chat.workspace
    const client = await chat.subscriber(params(tenantId, id))
    expect(client.answer).toBe('reject_subscription')
    const [entry, ...others] = await journalOf(chat)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      status,
      interface: 'conversations',
      operation: null,
      request: { body: { command: 'subscribe' } },
      response: { body: { type: 'reject_subscription' } },
    })
    expect(entry?.refusal?.reason).toBe(status === 401 ? 'credential_unknown' : 'invalid')
    expect(JSON.stringify(entry)).not.toMatch(/wrong-token|1\.1\.x/)
  })
})

describe('log of calls without a workspace', () => {
  /** Returns a function that lists the entries added since. Tests of other workspaces may share the server. */
  const unmatchedSince = async ({ call }: Chat) => {
    const list = async () => {
      const { body } = await call('GET', '/_sim/requests?unmatched=true')
      return (body as { data: (Entry & { id: string })[] }).data
    }
    const known = new Set((await list()).map(({ id }) => id))
    return async () => (await list()).filter(({ id }) => !known.has(id))
  }

  test.each([
    ['an unknown token', { pubsub_token: 'wrong-token' }, 401, 'credential_unknown'],
    ['no token', {}, 401, 'credential_unknown'],
    ['an unknown account', { pubsub_token: 'wrong-token', account_id: 999_999 }, 401, 'credential_unknown'],
    ['no channel', { channel: 'NoChannel', pubsub_token: 'wrong-token' }, 422, 'invalid'],
  ])('records a subscription that was rejected for %s', async (_what, params, status, reason) => {
    const chat = await freshChat()
    chat.tenant()
    const added = await unmatchedSince(chat)
    const client = await plainClient(await addressOf(chat, '?pubsub_token=wrong-token-2'))
    await client.next()
    client.send('subscribe', { channel: 'RoomChannel', ...params })
    expect((await client.next()).type).toBe('reject_subscription')
    const [entry, ...others] = await added()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      status,
      interface: 'conversations',
      method: 'GET',
      path: '/chat/cable',
      caller: null,
      refusal: { reason },
      hints: [{ code: reason }],
      request: { query: { pubsub_token: '[redacted]' }, body: { command: 'subscribe' } },
      response: { body: { type: 'reject_subscription' } },
    })
    expect(JSON.stringify(entry)).not.toContain('wrong-token')
    expect(await journalOf(chat)).toEqual([])
  })

  test('records no identifier that is no object, because it may be a token', async () => {
    const chat = await freshChat()
    chat.tenant()
    const added = await unmatchedSince(chat)
    const client = await plainClient(await addressOf(chat))
    await client.next()
    client.socket.send(JSON.stringify({ command: 'subscribe', identifier: 'wrong-token' }))
    expect((await client.next()).type).toBe('reject_subscription')
    const entries = await added()
    expect(entries).toMatchObject([{ status: 422, request: { body: { identifier: null } } }])
    expect(JSON.stringify(entries)).not.toContain('wrong-token')
  })

  test('has no accepted subscriptions and none of a known account', async () => {
    const chat = await freshChat()
    chat.tenant()
    const added = await unmatchedSince(chat)
    expect((await chat.agent()).answer).toBe('confirm_subscription')
    const rejected = await chat.subscriber({
      pubsub_token: 'wrong-token',
      account_id: chat.workspace.tenantId,
    })
    expect(rejected.answer).toBe('reject_subscription')
    expect(await added()).toEqual([])
  })
})
