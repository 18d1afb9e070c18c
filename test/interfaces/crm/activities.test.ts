/** CRM activities: fields, references, completion, filters. */
import { beforeEach, describe, expect, test } from 'vitest'
import { freshSales, invalid, type PageBody, type Sales } from '../../support/deals.ts'

interface Activity {
  readonly id: string
  readonly subject: string
  readonly [field: string]: unknown
}

let sales: Sales

beforeEach(async () => {
  sales = await freshSales()
})

const post = (fields: Record<string, unknown> = {}) =>
  sales.call('POST', '/activities', { body: { type: 'call', subject: 'Call', ...fields } })
const add = (fields: Record<string, unknown> = {}) =>
  sales.ask<Activity>('POST', '/activities', { type: 'call', subject: 'Call', ...fields })
const patch = (id: string, fields: Record<string, unknown>) =>
  sales.ask<Activity>('PATCH', `/activities/${id}`, fields)
const eventNames = (): string[] =>
  sales
    .events()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('activity.'))

test('returns an activity without an envelope, with every field', async () => {
  const contact = await sales.addContact()
  const deal = await sales.addDeal()
  const fields = {
    type: 'meeting',
    contact_id: contact.id,
    deal_id: deal.id,
    owner_id: sales.fresh.user.id,
    subject: 'Show the vans',
    description: 'At the yard',
    duration_minutes: 30,
    due_at: '2026-12-01T15:00:00.000Z',
    completed: false,
  }
  const activity = await add(fields)
  expect(activity).toEqual({
    id: expect.stringMatching(/^act_[A-Za-z0-9]{20}$/) as unknown,
    ...fields,
    completed_at: null,
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  })
  expect(await sales.ask('GET', `/activities/${activity.id}`)).toEqual(activity)
  expect(sales.events().at(-1)).toEqual({ name: 'activity.created', data: { activity } })
})

test('creates an open activity with only a type and a subject', async () => {
  expect(await add()).toMatchObject({
    contact_id: null,
    deal_id: null,
    owner_id: sales.fresh.user.id,
    description: null,
    duration_minutes: null,
    due_at: null,
    completed: false,
    completed_at: null,
  })
})

test.each(['contact_id', 'deal_id', 'owner_id'])('refuses an unknown reference in %s', async (field) => {
  expect(await post({ [field]: 'nobody' })).toMatchObject(invalid(field, 'unknown'))
  const { id } = await add()
  const answer = await sales.call('PATCH', `/activities/${id}`, { body: { [field]: 'nobody' } })
  expect(answer).toMatchObject(invalid(field, 'unknown'))
  const [record = ''] = field.split('_id')
  const what = record === 'owner' ? 'user' : record
  expect(answer.body).toMatchObject({ error: { message: `${field} must be a ${what} of this workspace` } })
})

test('counts the activities of a deal, also when one moves to another deal', async () => {
  const [first, second] = [await sales.addDeal(), await sales.addDeal()]
  const countOf = async (id: string): Promise<number> => (await sales.getDeal(id)).activities_count
  const { id } = await add({ deal_id: first.id })
  expect([await countOf(first.id), await countOf(second.id)]).toEqual([1, 0])
  await patch(id, { deal_id: second.id })
  expect([await countOf(first.id), await countOf(second.id)]).toEqual([0, 1])
})

describe('completing', () => {
  test('sets the time, emits one event, and does nothing a second time', async () => {
    const { id } = await add()
    sales.setClock('2026-11-21T13:00:00Z')
    const done = await patch(id, { completed: true })
    expect(done).toMatchObject({ completed: true, completed_at: '2026-11-21T13:00:00.000Z' })
    sales.setClock('2026-11-21T14:00:00Z')
    expect(await patch(id, { completed: true })).toEqual(done)
    expect(eventNames()).toEqual(['activity.created', 'activity.completed'])
  })

  test('can be undone', async () => {
    const { id } = await add({ completed: true })
    expect(await patch(id, { completed: false })).toMatchObject({ completed: false, completed_at: null })
    expect(eventNames()).toEqual(['activity.created', 'activity.completed', 'activity.updated'])
  })

  test('together with other changes emits both events', async () => {
    const { id } = await add()
    await patch(id, { completed: true, description: 'They agreed' })
    expect(eventNames()).toEqual(['activity.created', 'activity.updated', 'activity.completed'])
  })
})

describe('list', () => {
  const subjects = async (query = ''): Promise<string[]> =>
    (await sales.ask<PageBody<Activity>>('GET', `/activities${query}`)).data.map(({ subject }) => subject)

  test('is newest first, with filters for type, contact and deal', async () => {
    const contact = await sales.addContact()
    const deal = await sales.addDeal()
    await add({ subject: 'a', contact_id: contact.id })
    await add({ subject: 'b', deal_id: deal.id, type: 'note' })
    expect(await subjects()).toEqual(['b', 'a'])
    expect(await subjects(`?contact_id=${contact.id}`)).toEqual(['a'])
    expect(await subjects(`?deal_id=${deal.id}`)).toEqual(['b'])
    expect(await subjects('?type=note')).toEqual(['b'])
    expect(await subjects('?contact_id=nobody')).toEqual([])
  })

  test.each([
    ['?from=2026-11-20', ['c', 'b']],
    ['?to=2026-11-20', ['b', 'a']],
    ['?from=2026-11-20&to=2026-11-20', ['b']],
    ['?from=2026-11-20T23:59:59.999Z', ['c', 'b']],
    ['?from=2026-11-21T00:00:00Z', ['c']],
    ['?to=2026-11-20T23:59:59.998Z', ['a']],
    ['?to=2026-11-20T23:59:59.999Z', ['b', 'a']],
  ])('returns for %s the activities %j', async (query, expected) => {
    for (const [subject, at] of [
      ['a', '2026-11-19T23:59:59.999Z'],
      ['b', '2026-11-20T23:59:59.999Z'],
      ['c', '2026-11-21T00:00:00.000Z'],
    ] as const) {
      sales.setClock(at)
      await add({ subject })
    }
    expect(await subjects(query)).toEqual(expected)
  })

  test('refuses a period that ends before it begins', async () => {
    const answer = await sales.call('GET', '/activities?from=2026-11-21&to=2026-11-20')
    expect(answer).toMatchObject(invalid('to'))
  })
})

test('assigns the user of the key unless the request contains an owner or null', async () => {
  const { id } = sales.fresh.workspace.addUser({ name: 'Marco Vega', email: 'marco@example.com' })
  expect(await add()).toMatchObject({ owner_id: sales.fresh.user.id })
  expect(await add({ owner_id: id })).toMatchObject({ owner_id: id })
  expect(await add({ owner_id: null })).toMatchObject({ owner_id: null })
})

test('finds an activity of a deal by the contact of the deal', async () => {
  const [ana, eva] = [await sales.addContact(), await sales.addContact({ name: 'Eva' })]
  const deal = await sales.addDeal({ contact_id: ana.id })
  const ofDeal = await add({ deal_id: deal.id })
  const ofAna = await add({ contact_id: ana.id, deal_id: deal.id })
  await add()
  const found = async (contact: string) =>
    (await sales.ask<PageBody<Activity>>('GET', `/activities?contact_id=${contact}`)).data.map(({ id }) => id)
  expect((await found(ana.id)).sort()).toEqual([ofDeal.id, ofAna.id].sort())
  expect(await found(eva.id)).toEqual([])
  await sales.ask('PATCH', `/deals/${deal.id}`, { contact_id: eva.id })
  expect(await found(ana.id)).toEqual([ofAna.id])
  expect((await found(eva.id)).sort()).toEqual([ofDeal.id, ofAna.id].sort())
})
