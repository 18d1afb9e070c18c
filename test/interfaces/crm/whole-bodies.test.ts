/** Clients that read a record, change a field and send the complete record back. */
import { expect, test } from 'vitest'
import { freshSales, invalid } from '../../support/deals.ts'

type Body = Readonly<Record<string, unknown>>

/** One record of each kind, by its path. */
async function records() {
  const sales = await freshSales()
  const { addContact, addDeal, ask, fresh, pipeline } = sales
  const contact = await addContact({ email: 'ana@example.com', tags: ['vip'], custom_fields: { size: 4 } })
  const deal = await addDeal({ contact_id: contact.id, value: 12.5, expected_close_date: '2026-12-15' })
  const won = await addDeal({ contact_id: contact.id })
  await ask('POST', `/deals/${won.id}/won`, { reason: 'Price' })
  const activity = await ask<{ id: string }>('POST', '/activities', {
    type: 'call',
    subject: 'Call',
    deal_id: deal.id,
    duration_minutes: 5,
    due_at: '2026-12-01T10:00:00Z',
    completed: true,
  })
  const automation = await ask<{ id: string }>('POST', '/automations', {
    name: 'Owners',
    trigger: {
      event: 'deal.created',
      conditions: [{ field: 'deal.value', operator: 'greater_than', value: 1 }],
    },
    actions: [{ type: 'create_task', config: { title: 'Call', assign_to: fresh.user.id } }],
  })
  const paths: Readonly<Record<string, string>> = {
    contact: `/contacts/${contact.id}`,
    deal: `/deals/${deal.id}`,
    'won deal': `/deals/${won.id}`,
    pipeline: `/pipelines/${pipeline.id}`,
    activity: `/activities/${activity.id}`,
    automation: `/automations/${automation.id}`,
  }
  return { ...sales, pathOf: (kind: string) => paths[kind] ?? '' }
}

test.each(['contact', 'deal', 'won deal', 'pipeline', 'activity', 'automation'])(
  'accepts the complete body of a GET in an update of a %s',
  async (kind) => {
    const { ask, call, pathOf } = await records()
    const body = await ask<Body>('GET', pathOf(kind))
    const updated = await call('PATCH', pathOf(kind), { body })
    expect(updated).toMatchObject({ status: 200 })
    expect(updated.body).toEqual(body)
  },
)

test.each([
  ['deal', { status: 'open' }, 200],
  ['deal', { status: 'won' }, 422],
  ['won deal', { status: 'won' }, 200],
  ['won deal', { status: 'open' }, 200],
  ['won deal', { status: 'lost' }, 422],
])('updates a %s with %j and returns %i', async (kind, body, status) => {
  const { call, pathOf } = await records()
  const answer = await call('PATCH', pathOf(kind), { body })
  expect(answer.status).toBe(status)
  if (status === 422) expect(answer).toMatchObject(invalid('status', 'not_allowed'))
})

test('accepts the current pipeline and stage in an update of a deal', async () => {
  const { call, offer, pathOf, pipeline, talk } = await records()
  const patch = (body: Body) => call('PATCH', pathOf('deal'), { body })
  expect((await patch({ pipeline_id: pipeline.id, stage_id: talk })).status).toBe(200)
  expect(await patch({ pipeline_id: pipeline.id, stage_id: offer })).toMatchObject(
    invalid('stage_id', 'not_allowed'),
  )
})

test.each([
  ['open', 201],
  ['won', 422],
  ['lost', 422],
  ['closed', 422],
])('creates a deal from %s and returns %i', async (status, expected) => {
  const { call, listDeals, pipeline } = await freshSales()
  const answer = await call('POST', '/deals', { body: { name: 'Vans', pipeline_id: pipeline.id, status } })
  expect(answer.status).toBe(expected)
  if (expected === 422) expect(answer).toMatchObject(invalid('status', 'not_allowed'))
  expect((await listDeals()).meta.total_count).toBe(expected === 201 ? 1 : 0)
})
