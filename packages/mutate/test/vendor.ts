/** A simulator in the process of a test that records, or follows a mutation. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { following } from '@suite-sim/mutate/extension'
import type { LogLine, Mutation } from '@suite-sim/mutate/mutation'
import { receiveWebhooks, type WebhookReceiver } from '@suite-sim/client/index'
import { Simulator } from '@suite-sim/library/index'
import { buildApp, observing } from '../../../src/index.ts'

export interface Vendor {
  readonly simulator: Simulator
  readonly receiver: WebhookReceiver
  /** What was written so far. */
  lines(): LogLine[]
}

/** Starts a simulator and a receiver; both end with the test. */
export async function startVendor(
  mutation: Mutation | null = null,
  fixtures: 'none' | 'demo' = 'none',
): Promise<Vendor> {
  const folder = mkdtempSync(join(tmpdir(), 'suite-sim-vendor-'))
  const log = join(folder, 'log.jsonl')
  writeFileSync(log, '')
  const app = await buildApp({
    fixtures,
    rateLimits: false,
    allowReset: true,
    extension: following({ log, mutation })(await observing({})),
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const receiver = await receiveWebhooks()
  onTestFinished(async () => {
    await receiver.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    simulator: new Simulator(url, { adminToken: null, key: null, close: () => Promise.resolve() }),
    receiver,
    lines: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as LogLine),
  }
}

/** What a shop sees of a sale: the link before and after its payment, the list, a refusal, and the webhook. */
export interface Seen {
  readonly created: Called
  readonly paid: Called
  readonly listed: Called
  readonly refused: Called
  /** The data of each webhook. */
  readonly webhooks: readonly Json[]
}

export type Json = Readonly<Record<string, unknown>>

export interface Called {
  readonly status: number
  readonly header: string | null
  readonly json: unknown
  /** "data" of the body. */
  readonly data: Json
}

/** Sells, pays and reads. `webhooks` is the number to wait for. */
export async function sell({ simulator, receiver }: Vendor, webhooks = 1): Promise<Seen> {
  const workspace = await simulator.workspaces.create()
  await receiver.subscribe(workspace, { interface: 'payments', events: ['payment.completed'] })
  const call = async (path: string, json?: object): Promise<Called> => {
    const response = await workspace.fetch('payments', path, json ? { json } : {})
    const body = (await response.json()) as { data: Json }
    const header = response.headers.get('x-vendor-added')
    return { status: response.status, header, json: body, data: body.data }
  }
  const created = await call('/payment-links', {
    amount: 44900,
    currency: 'USD',
    description: 'Standing desk',
  })
  await call('/payment-links', { amount: 1250, currency: 'USD', description: 'A lamp' })
  // From the control plane, which tells the truth.
  const { data: links } = await workspace.records.list('payments.links', { order: 'oldest' })
  const id = links[0]?.['id'] as string
  await workspace.trigger('payments.link.pay', { link_id: id })
  if (webhooks > 0) await receiver.wait(webhooks)
  // Deliveries that are not expected would have been sent by now.
  await workspace.clock.advance('PT1S')
  return {
    created,
    paid: await call(`/payment-links/${id}`),
    listed: await call('/payment-links?per_page=10'),
    refused: await call('/payment-links/pl_unknown'),
    webhooks: receiver.received.map(({ data }) => data as Json),
  }
}
