/** The guide to the cable and the widget, and their published descriptions, match the server. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LIMITS } from '../../../src/http/cable/server.ts'
import { fidelityPages } from '../../../src/http/openapi/fidelity/pages.ts'
import { conversations } from '../../../src/interfaces/conversations/index.ts'
import { PUSHED } from '../../../src/interfaces/conversations/pushing.ts'
import { wire } from '../../../src/interfaces/conversations/wire.ts'
import { freshChat } from '../../support/chatting.ts'
import { ROOT } from '../../support/process.ts'
import { PUBLISHED } from '../../support/published.ts'

const guide = readFileSync(join(ROOT, 'docs/real-time.md'), 'utf8')
const paths = [conversations.cablePath ?? '', `${conversations.pagesPath ?? ''}/{workspace}/{inbox}`]

test('names the paths, channels, events and limits in the guide', () => {
  const documentedEvents = [...guide.matchAll(/^\| `(\w+\.\w+)` /gm)].map(([, name]) => name)
  expect(documentedEvents).toEqual(PUSHED)
  for (const name of [...paths, ...Object.keys(wire.channels ?? {})]) expect(guide).toContain(`${name}\``)
  expect(guide).toContain(`after ${String(LIMITS.subscribeMs / 1000)} seconds`)
  expect(guide).toContain(`takes ${String(LIMITS.maxClients)} clients, ${String(LIMITS.maxOfAddress)} of`)
  expect(guide).toContain(`and ${String(LIMITS.maxOfWorkspace)} of one workspace`)
})

test('confirms the subscription in the guide with another key', async () => {
  const chat = await freshChat()
  const [, text = ''] = /```json\n([^`]+)```/.exec(guide) ?? []
  const { identifier } = JSON.parse(text) as { identifier: string }
  const params = JSON.parse(identifier) as object
  expect(params).toMatchObject({ channel: 'RoomChannel', pubsub_token: 'demo-key', account_id: 1 })
  const own = { ...params, pubsub_token: chat.key, account_id: chat.workspace.tenantId }
  expect((await chat.subscriber(own)).answer).toBe('confirm_subscription')
})

test.each(['/_sim/openapi/conversations.json', '/_sim/openapi.json'])('publishes both in %s', async (url) => {
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

test('marks both as assumed in docs/fidelity/conversations.md', () => {
  const pages = fidelityPages({ published: PUBLISHED, machines: [], lists: new Map(), rows: [] })
  const page = pages.get('docs/fidelity/conversations.md')
  for (const path of paths) expect(page).toContain(`| \`${path}\` | assumed | `)
})
