/**
 * Every operation, the control plane and snapshots check webhook URLs in the same way. The operations are found by
 * their schemas.
 */
import { describe, expect, test } from 'vitest'
import { freshApp, type Answer, type FreshApp } from '../support/app.ts'
import { everyOperation, preparedCall } from '../support/examples.ts'

const PUBLIC_URL = 'https://sim.example.com'

const GOOD = [
  'https://receiver.example.com/a?b=c#d',
  'http://localhost:3000/',
  `https://r.example.com/${'a'.repeat(2000)}`,
]

const BAD = [
  ...[
    '',
    'nowhere',
    '/path',
    'ftp://r.example.com/',
    'javascript:alert(1)',
    'https://',
    'https://r .example.com/',
  ],
  ...[
    ' https://r.example.com/',
    'https://r.example.com/ ',
    'https://r.example.com/\r\nx: y',
    'ht\ttps://r.example.com/',
  ],
  ...['https:/r.example.com/', 'https:r.example.com', 'https:///r.example.com', 'https:\\\\r.example.com\\'],
  ...['https://me:secret@r.example.com/', 'https://me@r.example.com/', 'https://r.example.com:0/'],
  ...[
    'https://r.example.com:70000/',
    `https://r.example.com/${'a'.repeat(2048)}`,
    `https://r.example.com/${'a'.repeat(70_000)}`,
  ],
  ...[`${PUBLIC_URL}/_sim/reset`, 'https://SIM.example.com:443/', 'http://sim.example.com/pay/v1'],
]

interface Inlet {
  readonly title: string
  /** Sends the URL to a workspace of this app. */
  readonly send: (fresh: FreshApp, url: string) => Promise<Answer>
}

/** The operations that accept a webhook `url`. */
const operations: Inlet[] = everyOperation()
  .filter(({ route: { path, schema } }) => {
    const { properties = {} } = (schema.body ?? {}) as { properties?: object }
    return path.includes('webhook') && 'url' in properties
  })
  .map((subject) => ({
    title: subject.title,
    async send(fresh, url) {
      const { call, method, path, query, body } = await preparedCall(fresh, subject)
      return call(method, path + query, { body: { ...body, url } })
    },
  }))

const snapshotWith = (url: string): object => ({
  format: 'suite-simulator/1',
  webhooks: {
    subscriptions: [
      {
        ...{ id: 'subscription1', interface: 'pos', url, events: ['*'], secret: 'secret' },
        ...{ active: true, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
      },
    ],
  },
})

const inlets: Inlet[] = [
  ...operations,
  {
    title: 'POST /_sim/workspaces/{id}/subscriptions',
    send: ({ call, workspace }, url) =>
      call('POST', `/_sim/workspaces/${workspace.id}/subscriptions`, { body: { interface: 'crm', url } }),
  },
  {
    title: 'PUT /_sim/workspaces/{id}/snapshot',
    send: ({ call, workspace }, url) =>
      call('PUT', `/_sim/workspaces/${workspace.id}/snapshot`, { body: snapshotWith(url) }),
  },
  {
    title: 'POST /_sim/workspaces',
    send: ({ call }, url) => call('POST', '/_sim/workspaces', { body: { fixtures: snapshotWith(url) } }),
  },
]

test('finds operations that accept a webhook URL', () => {
  expect(operations.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'crm POST /webhooks',
      'payments POST /webhooks',
      'pos POST /webhooks',
      'pos PUT /webhooks/{id}',
    ]),
  )
})

describe.each(inlets)('$title', ({ send }) => {
  test('accepts a valid webhook URL', async () => {
    const fresh = await freshApp({ ownApp: true })
    for (const url of GOOD) expect((await send(fresh, url)).status, url).toBeLessThan(300)
  })

  test('refuses an invalid URL and a URL of the server itself, and changes nothing', async () => {
    const fresh = await freshApp({ publicUrl: PUBLIC_URL, webhookHttpHosts: ['*'] })
    for (const url of BAD) {
      // Each call prepares its own records, such as the webhook to change.
      const answer = await send(fresh, url)
      expect([400, 422], url.slice(0, 100)).toContain(answer.status)
      expect(answer.text).toMatch(/url/)
    }
    const rows = JSON.stringify(fresh.dump())
    for (const url of BAD.slice(1)) expect(rows).not.toContain(JSON.stringify(url))
  })
})
