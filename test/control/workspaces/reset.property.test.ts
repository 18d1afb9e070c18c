import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../support/extent.ts'
import { controlApp, makeWorkspace, type ControlApp, type Made, type Method } from '../app.ts'

const CATALOG = '/workspace/public/v1'
const CRM = '/crm/v1'
const PAY = '/pay/v1'

/** Lists whose order and content a reset must restore, with records that the steps change. */
const LISTS = [
  `${CATALOG}/products?limit=100`,
  `${CATALOG}/products?limit=100&sort=name&order=asc`,
  `${CATALOG}/activities?limit=100`,
  `${CRM}/contacts`,
  `${CRM}/deals`,
  `${CRM}/pipelines`,
  `${CRM}/automations`,
  `${CRM}/activities`,
  `${CRM}/webhooks`,
  `${PAY}/payment-links`,
  `${PAY}/transactions`,
  `${PAY}/reports/settlements`,
  `${PAY}/webhooks`,
]

/** A call in which `RECORD` stands for a record of the list before it; `null` if it needs no record. */
type Step = readonly [list: string | null, method: Method, path: string, body?: object]

const TRIGGERS = '/_sim/workspaces/:id/triggers'

const STEPS: readonly Step[] = [
  [null, 'POST', `${CATALOG}/products`, { name: 'Added', type: 'physical' }],
  [
    `${CATALOG}/products?limit=100`,
    'PUT',
    `${CATALOG}/products/RECORD`,
    { name: 'Renamed', basePrice: '1.50' },
  ],
  [`${CATALOG}/products?limit=100`, 'PUT', `${CATALOG}/products/RECORD`, { category: 'Other' }],
  [`${CATALOG}/products?limit=100`, 'DELETE', `${CATALOG}/products/RECORD`],
  [
    null,
    'POST',
    `${CATALOG}/activities`,
    { title: 'Added', type: 'task', entityType: 'deal', entityId: 'd' },
  ],
  [
    `${CATALOG}/activities?limit=100`,
    'PUT',
    `${CATALOG}/activities/RECORD`,
    { entities: [{ entityType: 'contact', entityId: 'c' }] },
  ],
  [`${CATALOG}/activities?limit=100`, 'PATCH', `${CATALOG}/activities/RECORD/complete`],
  [`${CATALOG}/activities?limit=100`, 'DELETE', `${CATALOG}/activities/RECORD`],
  [null, 'POST', `${CRM}/contacts`, { name: 'Added', email: 'added@example.com' }],
  [`${CRM}/contacts`, 'PATCH', `${CRM}/contacts/RECORD`, { name: 'Renamed', vertical: 'services' }],
  [`${CRM}/contacts`, 'DELETE', `${CRM}/contacts/RECORD`],
  [`${CRM}/deals`, 'PATCH', `${CRM}/deals/RECORD`, { value: 12.5 }],
  [`${CRM}/deals`, 'POST', `${CRM}/deals/RECORD/won`],
  [`${CRM}/deals`, 'POST', `${CRM}/deals/RECORD/lost`, { reason: 'price' }],
  [`${CRM}/pipelines`, 'PATCH', `${CRM}/pipelines/RECORD`, { vertical: 'services' }],
  [`${CRM}/pipelines`, 'DELETE', `${CRM}/pipelines/RECORD`],
  [`${CRM}/automations`, 'PATCH', `${CRM}/automations/RECORD`, { active: true }],
  [`${CRM}/automations`, 'DELETE', `${CRM}/automations/RECORD`],
  [`${CRM}/activities`, 'PATCH', `${CRM}/activities/RECORD`, { completed: true }],
  [null, 'POST', `${CRM}/webhooks`, { url: 'http://127.0.0.1:1/', events: ['deal.won'] }],
  [`${CRM}/webhooks`, 'DELETE', `${CRM}/webhooks/RECORD`],
  [`${PAY}/payment-links`, 'DELETE', `${PAY}/payment-links/RECORD`],
  [`${PAY}/payment-links`, 'POST', `${TRIGGERS}/payments.link.pay`, { link_id: 'RECORD' }],
  [`${PAY}/transactions`, 'POST', `${PAY}/transactions/RECORD/refund`, { reason: 'asked for' }],
  [null, 'POST', `${TRIGGERS}/payments.settlement.create`, {}],
  [`${PAY}/webhooks`, 'DELETE', `${PAY}/webhooks/RECORD`],
  [null, 'PATCH', '/_sim/workspaces/:id', { currency: 'JPY', modules: { products: true } }],
  [null, 'POST', '/_sim/workspaces/:id/clock/advance', { duration: 'P10D' }],
  [null, 'POST', '/_sim/workspaces/:id/reset'],
]

/** The first array in the body of a list. */
const recordsIn = (body: unknown): { id: string }[] =>
  Object.values(body as object).find((value) => Array.isArray(value)) as { id: string }[]

async function take(app: ControlApp, { id, key }: Made, step: Step, chosen: number): Promise<number> {
  const [list, method, path, body] = step
  const records = list === null ? [] : recordsIn((await app.call('GET', list, key)).body)
  // Alternates between both ends, because the records that allow a move may be at either end.
  const place = Math.floor(chosen / 2) % Math.max(1, records.length)
  const record = records.at(chosen % 2 === 0 ? place : -1 - place)?.id ?? 'none'
  const named = (text: string): string => text.replace('RECORD', record).replace(':id', id)
  const sent = body && (JSON.parse(named(JSON.stringify(body))) as object)
  return (await app.call(method, named(path), key, sent)).status
}

/** The demo data with webhooks and an additional pipeline without deals. */
async function demoWithWebhooks(app: ControlApp): Promise<object> {
  const { id, key } = await makeWorkspace(app, { fixtures: 'small' })
  const stages = [{ name: 'Talk', probability: 20 }]
  await app.call('POST', `${CRM}/pipelines`, key, { name: 'Without deals', stages })
  const url = 'http://127.0.0.1:1/'
  for (const path of [CRM, CRM, PAY]) {
    const events = [path === PAY ? 'payment.completed' : 'deal.won']
    const { status, text } = await app.call('POST', `${path}/webhooks`, key, { url, events })
    if (status !== 201) throw new Error(text)
  }
  return (await app.sim('GET', `/workspaces/${id}/snapshot`)).body as object
}

test('restores every record, list order and setting with a reset after any calls', async () => {
  const app = await controlApp({ rateLimits: false })
  const fixtures = await demoWithWebhooks(app)
  const made = await makeWorkspace(app, { fixtures })
  const other = await makeWorkspace(app, { fixtures })
  const path = `/workspaces/${made.id}`
  const look = async (): Promise<string[]> => {
    const lists = []
    // Requested twice, because responses are cached from the second request on.
    for (const list of [...LISTS, ...LISTS]) lists.push((await app.call('GET', list, made.key)).text)
    return lists
  }
  const seen = async () => {
    const lists = await look()
    return [(await app.sim('GET', `${path}/snapshot`)).text, (await app.sim('GET', path)).text, ...lists]
  }
  const before = await seen()
  const succeeded = new Set<number>()
  const actions = fc.array(fc.tuple(fc.nat({ max: STEPS.length - 1 }), fc.nat({ max: 50 })), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(actions, fc.nat({ max: 12 }), async (steps, looksAfter) => {
      for (const [index, [which, chosen]] of steps.entries()) {
        const step = STEPS[which]
        if (!step) continue
        const status = await take(app, made, step, chosen)
        expect(status).toBeLessThan(500)
        if (status < 300) succeeded.add(which)
        if (index + 1 === looksAfter) await look()
        // Another workspace writes to the same tables.
        await take(app, other, step, chosen)
      }
      await app.sim('POST', `${path}/reset`)
      expect(await seen()).toEqual(before)
    }),
    {
      numRuns: STEPS.length + runs(60),
      examples: STEPS.map((_step, which) => [[0, 1, 2, 3, 4].map((chosen) => [which, chosen]), 5]),
    },
  )
  expect(STEPS.filter((_step, which) => !succeeded.has(which))).toEqual([])
})
