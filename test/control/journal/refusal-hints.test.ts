/** Hints of refused calls: whether the refusal rests on the specification, a reading or an assumption. */
import { expect, test } from 'vitest'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'

interface Hint {
  readonly code: string
  readonly message: string
}

async function setup(settings?: object) {
  const app: ControlApp = await controlApp()
  const { id, key } = await makeWorkspace(app, settings)
  /** Calls an interface; returns the status and the hints of the call. */
  const hintsOf = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    path: string,
    body?: unknown,
  ): Promise<[number, Hint[]]> => {
    const { status } = await app.call(method, path, key, body)
    const { data } = (await app.sim('GET', `/workspaces/${id}/requests?limit=1`)).body
    const { hints } = (await app.sim('GET', `/workspaces/${id}/requests/${String(data[0].id)}`)).body
    return [status, hints]
  }
  return { app, id, key, hintsOf }
}

const PRODUCTS = '/workspace/public/v1/products'
const ACTIVITIES = '/workspace/public/v1/activities'

test('a documented refusal has no hint', async () => {
  const { hintsOf } = await setup()
  expect(await hintsOf('GET', `${PRODUCTS}/nothing`)).toEqual([404, []])
  expect(await hintsOf('POST', PRODUCTS, { type: 'physical' })).toEqual([400, []])
  expect(await hintsOf('POST', PRODUCTS, { name: 'x'.repeat(201), type: 'physical' })).toEqual([400, []])
  expect(await hintsOf('GET', `${PRODUCTS}?limit=101`)).toEqual([400, []])
})

test('a refusal with a status that the specification does not list has a hint', async () => {
  const { hintsOf } = await setup()
  const [status, hints] = await hintsOf('PATCH', `${PRODUCTS}/some-product`)
  expect(status).toBe(405)
  expect(hints).toEqual([
    { code: 'assumed_refusal', message: expect.stringContaining('It does not list the status 405 here.') },
  ])
})

test('a refusal by a limit that the specification does not give has a hint that names the field', async () => {
  const { hintsOf } = await setup()
  const description = 'x'.repeat(65_537)
  const [status, hints] = await hintsOf('POST', PRODUCTS, { name: 'A', type: 'physical', description })
  expect(status).toBe(400)
  expect(hints).toEqual([
    { code: 'assumed_refusal', message: expect.stringContaining('It gives no such limit of description.') },
  ])
  const entities = Array.from({ length: 11 }, () => ({ entityType: 'deal', entityId: 'a' }))
  const activity = { title: 'A', type: 'call' }
  expect(await hintsOf('POST', '/workspace/public/v1/activities', { ...activity, entities })).toEqual([
    400,
    [],
  ])
  const longId = { entityType: 'deal', entityId: 'x'.repeat(70_000) }
  const [, ofPart] = await hintsOf('POST', '/workspace/public/v1/activities', {
    ...activity,
    entities: [longId],
  })
  expect(ofPart.map(({ message }) => message)).toEqual([expect.stringContaining('entities.0.entityId')])
})

test('a refusal of a move that the specification does not fully show has a hint with the reason', async () => {
  const { app, id, key, hintsOf } = await setup()
  const created = await app.call('POST', '/pay/v1/payment-links', key, { amount: 100, currency: 'USD' })
  const link = String(created.body.data.id)
  await app.sim('POST', `/workspaces/${id}/triggers/payments.link.pay`, { body: { link_id: link } })
  const [status, hints] = await hintsOf('DELETE', `/pay/v1/payment-links/${link}`)
  expect(status).toBe(409)
  expect(hints).toEqual([
    {
      code: 'assumed_refusal',
      message: expect.stringContaining('Returns 409 if the link is paid or expired'),
    },
  ])
})

const DEAL = { name: 'A', pipeline_id: 'pipe_demo0000000000000001', contact_id: 'con_demo0000000000000001' }

const VACANCY = { title: 'A', department: 'B', modality: 'remote', contract_type: 'full_time', level: 'mid' }

const LAYOUTS = '/grid/v1/layouts'
const layoutOf = (measures: object) => ({
  name: 'A',
  resolution: '1920x1080',
  zones: [
    {
      id: 'main',
      x: 0,
      y: 0,
      width: '100%',
      height: '100%',
      content_type: 'playlist',
      content_id: 'plist_demo0000000000000001',
      ...measures,
    },
  ],
})

/** Calls of the demo workspace that a rule refuses, with what the hint says of it; null without a hint. */
const REFUSED: readonly (readonly ['POST' | 'PUT' | 'GET', string, unknown, string | null])[] = [
  ['POST', PRODUCTS, { name: 'A', type: 'service', basePrice: 'twelve' }, null],
  ['POST', PRODUCTS, { name: 'A', type: 'service', basePrice: '-1' }, null],
  [
    'POST',
    PRODUCTS,
    { name: 'A', type: 'service', basePrice: '1234567890123456' },
    'It gives no such limit of basePrice.',
  ],
  [
    'POST',
    PRODUCTS,
    { name: 'A', type: 'service', basePrice: '1.1234567' },
    'It does not show this rule of basePrice.',
  ],
  ['POST', PRODUCTS, { name: 'A', type: 'service', currency: 'usd' }, null],
  [
    'POST',
    PRODUCTS,
    { name: 'A', type: 'service', ownerId: 'nobody' },
    'It does not show this rule of ownerId.',
  ],
  ['POST', ACTIVITIES, { title: 'A', type: 'call', entityType: 'deal' }, null],
  ['POST', ACTIVITIES, { title: 'A', type: 'call', meetingUrl: 'example.com' }, null],
  [
    'POST',
    ACTIVITIES,
    { title: 'A', type: 'call', meetingUrl: 'https://ana:secret@example.com' },
    'It does not show this rule of meetingUrl.',
  ],
  ['POST', ACTIVITIES, { title: 'A', type: 'call', dueDate: 'tomorrow' }, null],
  [
    'POST',
    ACTIVITIES,
    { title: 'A', type: 'call', dueDate: '20260131T0930Z' },
    'It does not show this rule of dueDate.',
  ],
  ['GET', `${ACTIVITIES}?entity_id=deal-1`, undefined, null],
  ['POST', '/crm/v1/deals', { ...DEAL, value: 1.234 }, 'It does not show this rule of value.'],
  ['POST', '/crm/v1/deals', { ...DEAL, expected_close_date: '2026-02-30' }, null],
  ['POST', '/crm/v1/contacts', { name: 'A', email: 'nobody' }, 'It gives no such format of email.'],
  ['POST', '/crm/v1/contacts', { email: 'a@example.com' }, 'It does not say that name is required.'],
  ['POST', '/crm/v1/contacts', { name: 'A', vertical: 'health' }, null],
  [
    'POST',
    '/crm/v1/pipelines',
    { name: 'A', stages: [{ name: 'B', probability: 12.5 }] },
    'It does not say that stages.0.probability is an integer.',
  ],
  ['POST', '/crm/v1/pipelines', { name: 'A', stages: [{ name: 'B', probability: 101 }] }, null],
  [
    'POST',
    '/recruiting/v1/interviews',
    {
      vacancy_id: 'vac_demo0000000000000007',
      candidate_id: 'cand_demo0000000000000011',
      type: 'phone',
      scheduled_at: '2020-01-31T09:30:00-05:00',
      duration_minutes: 30,
      timezone: 'America/Panama',
      interviewers: [{ name: 'A', email: 'a@example.com' }],
    },
    'It does not show this rule of scheduled_at.',
  ],
  ['POST', '/recruiting/v1/vacancies', { ...VACANCY, location: { country: 'Panama' } }, null],
  ['POST', '/recruiting/v1/vacancies', { ...VACANCY, location: { country: 'XX' } }, null],
  ['POST', LAYOUTS, layoutOf({ width: 'wide' }), null],
  ['POST', LAYOUTS, layoutOf({ width: '100.1%' }), 'It does not show this rule of zones.0.width.'],
  ['POST', LAYOUTS, layoutOf({ x: '-5%' }), 'It does not show this rule of zones.0.x.'],
  ['POST', LAYOUTS, { ...layoutOf({}), resolution: 'wide' }, null],
  ['POST', LAYOUTS, { ...layoutOf({}), resolution: '0x1080' }, 'It does not show this rule of resolution.'],
  ['POST', '/pay/v1/payment-links', { amount: -5, currency: 'USD' }, null],
  ['POST', '/pay/v1/payment-links', { amount: 12.5, currency: 'USD' }, null],
  [
    'POST',
    '/pay/v1/payment-links',
    { amount: 100_000_000, currency: 'USD' },
    'It gives no such limit of amount.',
  ],
  ['POST', '/pos/public/v1/webhooks', { url: 'nowhere', events: ['sale.completed'] }, null],
  ['POST', '/pos/public/v1/webhooks', { url: 'https://a.example', events: [] }, null],
]

test('a refusal of a field has a hint exactly if the specification does not show its rule', async () => {
  const { hintsOf } = await setup({ fixtures: 'demo' })
  for (const [method, path, body, hint] of REFUSED) {
    const [status, hints] = await hintsOf(method, path, body)
    const found = [status >= 400, hints.map(({ message }) => message.replace(/^The .*? refusal\. /, ''))]
    expect(found, `${method} ${path} ${JSON.stringify(body)}`).toEqual([true, hint === null ? [] : [hint]])
  }
})

test('a conflict has a hint that says which rule the simulator assumes, unless the specification shows it', async () => {
  const { app, key, hintsOf } = await setup()
  const make = async (path: string, body: object): Promise<string> => {
    const { body: made } = await app.call('POST', path, key, body)
    return String((made as { id?: string }).id)
  }
  const stages = [{ name: 'New', probability: 10 }]
  const pipeline = await make('/crm/v1/pipelines', { name: 'Sales', stages })
  await make('/crm/v1/deals', { name: 'A', pipeline_id: pipeline })
  await make('/crm/v1/contacts', { name: 'A', email: 'a@example.com' })
  const rfc = { rfc: 'URE180429TM6', nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA' }
  await make('/einvoicing/v1/clients', rfc)

  const rows: [
    method: 'POST' | 'DELETE' | 'PATCH',
    path: string,
    body: object | undefined,
    words: string | null,
  ][] = [
    ['POST', '/crm/v1/contacts', { name: 'B', email: 'A@example.com' }, null],
    ['DELETE', `/crm/v1/pipelines/${pipeline}`, undefined, 'Returns 409 when the pipeline has deals'],
    ['PATCH', `/crm/v1/pipelines/${pipeline}`, { stages }, 'Returns 409 when a stage with deals'],
    ['POST', '/einvoicing/v1/clients', rfc, 'A tax id that another client has returns 409'],
  ]
  for (const [method, path, body, words] of rows) {
    const [status, hints] = await hintsOf(method, path, body)
    const found = hints.filter(({ code }) => code === 'assumed_refusal').map(({ message }) => message)
    expect([status, found], path).toEqual([409, words === null ? [] : [expect.stringContaining(words)]])
  }
})

test('an injected fault has no such hint', async () => {
  const { app, id, hintsOf } = await setup()
  await app.sim('POST', `/workspaces/${id}/faults`, { body: { interface: 'catalog', status: 409 } })
  const [status, hints] = await hintsOf('GET', PRODUCTS)
  expect([status, hints]).toEqual([409, []])
})
