/** A wait that ends without what it waits for says what is pending, and why. */
import { expect, onTestFinished, test } from 'vitest'
import { receiveWebhooks, type NewWorkspace, type WebhookReceiver } from '@suite-sim/library/index'
import { freshWorkspace } from './simulator.ts'

const EMPTY = { fixtures: 'none' } as const

async function failingReceiver(): Promise<WebhookReceiver> {
  const webhooks = await receiveWebhooks({ answer: 503 })
  onTestFinished(() => webhooks.close())
  return webhooks
}

const sell = (workspace: NewWorkspace) => workspace.trigger('pos.event.emit', { event: 'sale.completed' })

const messageOf = async (wait: Promise<unknown>): Promise<string> => {
  const error: unknown = await wait.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  return (error as Error).message
}

const SALE = { interface: 'pos', event: 'sale.completed', timeout: 0 } as const

test('nobody is subscribed', async () => {
  const workspace = await freshWorkspace(EMPTY)
  expect(await messageOf(workspace.deliveries.wait(SALE))).toBe(
    'Waited 0 s for 1 delivery {"status":"delivered","interface":"pos","event":"sale.completed"}; received 0. Nobody is subscribed to sale.completed.',
  )
  await workspace.subscriptions.create({
    interface: 'pos',
    url: 'http://127.0.0.1:9/',
    events: ['stock.low'],
  })
  expect(await messageOf(workspace.deliveries.wait(SALE))).toMatch(
    / Nobody is subscribed to sale\.completed\. The workspace has 1 other subscription\.$/,
  )
})

test('the event has not occurred, or not again', async () => {
  const workspace = await freshWorkspace(EMPTY)
  await using webhooks = await receiveWebhooks()
  await webhooks.subscribe(workspace, { interface: 'pos' })
  expect(await messageOf(workspace.deliveries.wait(SALE))).toMatch(
    / 1 subscription is subscribed to sale\.completed, but no sale\.completed has occurred since\.$/,
  )
  await sell(workspace)
  await workspace.deliveries.wait({ ...SALE, timeout: 10 })
  expect(await messageOf(workspace.deliveries.wait({ ...SALE, count: 2 }))).toMatch(
    / received 1\. .*, but no other sale\.completed has occurred since\.$/,
  )
  expect(await messageOf(webhooks.wait(2, { event: 'sale.completed', timeout: 0 }))).toMatch(
    / Received in all: sale\.completed\. .*, but no other sale\.completed has occurred since\.$/,
  )
})

test('the event does not exist', async () => {
  const workspace = await freshWorkspace(EMPTY)
  await using webhooks = await receiveWebhooks()
  await webhooks.subscribe(workspace, { interface: 'pos' })
  const nearest = /not "sale\.complete"; did you mean sale\.completed\?/
  expect(await messageOf(workspace.deliveries.wait({ event: 'sale.complete' }))).toMatch(nearest)
  expect(await messageOf(workspace.inbox.wait({ event: 'sale.complete' }))).toMatch(nearest)
  expect(await messageOf(webhooks.next({ event: 'sale.complete', timeout: 0 }))).toMatch(nearest)
  expect(await messageOf(workspace.requests.verify({ operation: 'listProduct' }))).toMatch(
    /did you mean listProducts\?/,
  )
})

test('an attempt has failed, and the next one waits for the clock', async () => {
  const workspace = await freshWorkspace(EMPTY)
  const webhooks = await failingReceiver()
  const { id } = await webhooks.subscribe(workspace, { interface: 'pos' })
  await workspace.clock.freeze()
  await sell(workspace)
  await webhooks.wait(1)
  await expect.poll(async () => (await workspace.deliveries.list())[0]?.attempts.length).toBe(1)
  const pending =
    /Delivery \S+ of sale\.completed to http:\/\/127\.0\.0\.1:\d+\/webhooks is pending: attempt 1 failed \(.*503.*\); the next attempt is due at \S+Z, and the clock of the workspace stands at \S+Z: advance it\./
  expect(await messageOf(workspace.deliveries.wait(SALE))).toMatch(pending)
  expect(await messageOf(webhooks.next({ timeout: 0, event: 'stock.low' }))).toMatch(
    /no stock\.low has occurred since\./,
  )
  expect(await messageOf(webhooks.wait(2, { timeout: 0 }))).toMatch(pending)
  expect(await workspace.deliveries.explain({ subscription: id, status: 'dead' })).toMatch(pending)
  webhooks.answerWith(410)
  await workspace.clock.advance('PT1H')
  expect(await messageOf(workspace.deliveries.wait(SALE))).toMatch(
    /Delivery \S+ of sale\.completed to \S+ is dead: attempt 2 failed \(.*410.*\)\.$/,
  )
  expect(await messageOf(workspace.deliveries.wait({ ...SALE, event: 'stock.low' }))).toMatch(
    / 1 subscription is subscribed to stock\.low, but not active; /,
  )
})

test('a receiver without a subscription asks for one', async () => {
  await using webhooks = await receiveWebhooks()
  expect(await messageOf(webhooks.next({ timeout: 0 }))).toBe(
    `Waited 0 s for another webhook. Received in all: nothing. Is ${webhooks.url} the URL of a subscription?`,
  )
})

test('the inbox names the URL of the built-in receiver', async () => {
  const workspace = await freshWorkspace(EMPTY)
  await workspace.subscriptions.create({ interface: 'pos', url: 'http://127.0.0.1:9/' })
  expect(await messageOf(workspace.inbox.wait({ timeout: 0 }))).toMatch(
    / No subscription has the URL of the built-in receiver, /,
  )
})

test('e-mails: the newest to others, or none', async () => {
  const workspace = await freshWorkspace(EMPTY)
  expect(await messageOf(workspace.emails.wait({ timeout: 0 }))).toMatch(
    /^Waited 0 s for 1 e-mail \{\}; received 0\. The workspace has sent no e-mail\./,
  )
  const demo = await freshWorkspace({ fixtures: 'demo' })
  const [newest] = await demo.emails.list()
  expect(await messageOf(demo.emails.wait({ to: 'nobody@example.com', timeout: 0 }))).toContain(
    `The newest e-mails are "${String(newest?.subject)}" to ${String(newest?.to)}, `,
  )
})

test('requests: the newest of the workspace, or those with another key', async () => {
  const workspace = await freshWorkspace(EMPTY)
  expect(await messageOf(workspace.requests.wait({ timeout: 0 }))).toMatch(
    / received 0\. The journal of the workspace has no calls\.$/,
  )
  await workspace.withKey('mistyped').fetch('payments', '/payment-links')
  expect(await messageOf(workspace.requests.verify({ path: '/payment-links' }))).toMatch(
    /The journal of the workspace has no calls\.\nNewest calls with another key, or to an unknown path:\n {2}GET \/pay\/v1\/payment-links 401/,
  )
  await workspace.fetch('catalog', '/products')
  expect(await messageOf(workspace.requests.wait({ status: '5xx', timeout: 0 }))).toMatch(
    / The newest calls are GET \/workspace\/public\/v1\/products 200\.$/,
  )
})
