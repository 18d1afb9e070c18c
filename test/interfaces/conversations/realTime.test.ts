/** The guide to the cable and the widget, and what is published of them, say what the server does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LIMITS } from '../../../src/http/cable/server.ts'
import { fidelityPage } from '../../../src/http/fidelity.ts'
import { conversations } from '../../../src/interfaces/conversations/index.ts'
import { PUSHED } from '../../../src/interfaces/conversations/pushing.ts'
import { wire } from '../../../src/interfaces/conversations/wire.ts'
import { freshChat } from '../../support/chatting.ts'
import { ROOT } from '../../support/process.ts'
import { PUBLISHED } from '../../support/published.ts'

const guide = readFileSync(join(ROOT, 'docs/real-time.md'), 'utf8')
const paths = [conversations.cablePath ?? '', `${conversations.pagesPath ?? ''}/{workspace}/{inbox}`]

test('the guide names the addresses, channels, events and limits', () => {
  const told = [...guide.matchAll(/^\| `(\w+\.\w+)` /gm)].map(([, name]) => name)
  expect(told).toEqual(PUSHED)
  for (const name of [...paths, ...Object.keys(wire.channels ?? {})]) expect(guide).toContain(`${name}\``)
  expect(guide).toContain(`after ${String(LIMITS.subscribeMs / 1000)} seconds`)
  expect(guide).toContain(`takes ${String(LIMITS.maxClients)} clients, ${String(LIMITS.maxOfAddress)} of`)
  expect(guide).toContain(`and ${String(LIMITS.maxOfWorkspace)} of one workspace`)
})

test('the subscription of the guide is confirmed as it stands, with another key', async () => {
  const chat = await freshChat()
  const [, text = ''] = /```json\n([^`]+)```/.exec(guide) ?? []
  const { identifier } = JSON.parse(text) as { identifier: string }
  const params = JSON.parse(identifier) as object
  expect(params).toMatchObject({ channel: 'RoomChannel', pubsub_token: 'demo-key', account_id: 1 })
  const own = { ...params, pubsub_token: chat.key, account_id: chat.workspace.tenantId }
  expect((await chat.subscriber(own)).answer).toBe('confirm_subscription')
})

test.each(['/_sim/openapi/conversations.json', '/_sim/openapi.json'])('%s publishes both', async (url) => {
  const { call } = await freshChat()
  const { body } = await call('GET', url)
  const published = (body as { 'x-addresses': Record<string, object> })['x-addresses']
  expect(Object.keys(published)).toEqual(paths)
  expect(published['/chat/cable']).toMatchObject({
    'x-fidelity': 'assumed',
    channel: 'RoomChannel',
    events: PUSHED,
  })
})

test('docs/FIDELITY.md calls both assumed', () => {
  const page = fidelityPage(PUBLISHED, [])
  for (const path of paths) expect(page).toContain(`| \`${path}\` | assumed | `)
})
