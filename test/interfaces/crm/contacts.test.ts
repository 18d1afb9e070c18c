/** Contacts: fields, limits, duplicates, filters, and the effects of a deletion. */
import { beforeEach, describe, expect, test } from 'vitest'
import { freshSales, invalid, type PageBody, type Sales } from '../../support/deals.ts'
import { loadRecords } from '../../support/records.ts'

interface Contact {
  readonly id: string
  readonly name: string
  readonly [field: string]: unknown
}

let sales: Sales

beforeEach(async () => {
  sales = await freshSales()
})

const list = (query = '') => sales.ask<PageBody<Contact>>('GET', `/contacts${query}`)
const names = async (query: string): Promise<string[]> => (await list(query)).data.map(({ name }) => name)
const post = (body: Record<string, unknown>) => sales.call('POST', '/contacts', { body })
const eventNames = (): string[] => sales.events().map(({ name }) => name)

test('returns a contact without an envelope, with every field', async () => {
  const answer = await post({
    name: 'Ana Castillo',
    email: 'Ana@Example.com',
    phone: '+507 6000 0000',
    company: 'Harbor Motors',
    position: 'Buyer',
    vertical: 'automotive',
    tags: ['vip', 'fleet', 'vip'],
    custom_fields: { budget: { from: 1 } },
  })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^con_[A-Za-z0-9]{20}$/) as unknown,
    name: 'Ana Castillo',
    email: 'Ana@Example.com',
    phone: '+507 6000 0000',
    company: 'Harbor Motors',
    position: 'Buyer',
    vertical: 'automotive',
    tags: ['vip', 'fleet'],
    custom_fields: { budget: { from: 1 } },
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  })
  const { id } = answer.body as Contact
  expect((await sales.call('GET', `/contacts/${id}`)).body).toEqual(answer.body)
  expect(sales.events()).toEqual([{ name: 'contact.created', data: { contact: answer.body } }])
})

test('creates a contact with only a name', async () => {
  expect((await post({ name: 'Ana' })).body).toMatchObject({
    email: null,
    phone: null,
    company: null,
    position: null,
    vertical: null,
    tags: [],
    custom_fields: {},
  })
})

describe('duplicate e-mail address', () => {
  let ana: { readonly id: string }

  beforeEach(async () => {
    ana = await sales.addContact({ email: 'ana@example.com' })
  })

  test("returns a conflict with the contact's id, without case", async () => {
    expect(await post({ name: 'Other', email: 'ANA@example.com' })).toMatchObject({
      status: 409,
      body: { error: { code: 'duplicate', existing_id: ana.id } },
    })
    expect((await list()).meta.total_count).toBe(1)
  })

  test('returns a conflict for an update, but not for the contact itself', async () => {
    const ben = await sales.addContact({ name: 'Ben' })
    const update = (id: string, email: string) => sales.call('PATCH', `/contacts/${id}`, { body: { email } })
    expect(await update(ben.id, 'Ana@example.com')).toMatchObject({
      status: 409,
      body: { error: { code: 'duplicate', existing_id: ana.id } },
    })
    expect(await update(ana.id, 'ANA@example.com')).toMatchObject({
      status: 200,
      body: { email: 'ANA@example.com' },
    })
  })

  test('is allowed after the contact is deleted', async () => {
    await sales.ask('DELETE', `/contacts/${ana.id}`)
    expect((await post({ name: 'Other', email: 'ana@example.com' })).status).toBe(201)
  })

  test('is allowed in another workspace', async () => {
    const { key } = sales.fresh.tenant()
    const body = { name: 'Other', email: 'ana@example.com' }
    expect((await sales.call('POST', '/contacts', { key, body })).status).toBe(201)
  })
})

describe('update', () => {
  test('changes the given fields and emits one event', async () => {
    const { id } = await sales.addContact({ phone: '1', custom_fields: { a: 1 } })
    sales.setClock('2026-11-21T13:00:00Z')
    const updated = await sales.ask<Contact>('PATCH', `/contacts/${id}`, {
      phone: null,
      custom_fields: { b: 2 },
    })
    expect(updated).toMatchObject({
      name: 'Ana Castillo',
      phone: null,
      custom_fields: { b: 2 },
      created_at: '2026-11-21T12:00:00.000Z',
      updated_at: '2026-11-21T13:00:00.000Z',
    })
    expect(sales.events().slice(1)).toEqual([{ name: 'contact.updated', data: { contact: updated } }])
  })

  test('with the tags it has, some of them twice, changes nothing and emits no event', async () => {
    const contact = await sales.addContact({ tags: ['vip', 'new'] })
    sales.setClock('2026-11-21T13:00:00Z')
    const tags = ['vip', 'new', 'vip']
    expect(await sales.ask('PATCH', `/contacts/${contact.id}`, { tags })).toEqual(contact)
    expect(eventNames()).toEqual(['contact.created'])
  })

  test('is shown in the deals of the contact', async () => {
    const { id } = await sales.addContact()
    const deal = await sales.addDeal({ contact_id: id })
    await sales.getDeal(deal.id)
    await sales.ask('PATCH', `/contacts/${id}`, {
      name: 'Ana B',
      email: 'b@example.com',
      vertical: 'services',
    })
    const contact = { id, name: 'Ana B', email: 'b@example.com' }
    expect(await sales.getDeal(deal.id)).toMatchObject({ contact })
    expect((await sales.listDeals('?vertical=services')).data).toMatchObject([{ contact }])
  })
})

describe('deletion', () => {
  test('removes the deals and all activities, and emits an event for each', async () => {
    const { id } = await sales.addContact({ email: 'ana@example.com' })
    const deal = await sales.addDeal({ contact_id: id })
    const other = await sales.addDeal({ name: 'Another' })
    const notes = []
    for (const about of [{ contact_id: id }, { deal_id: deal.id }, { deal_id: other.id }]) {
      const fields = { type: 'note', subject: 'Note', ...about }
      notes.push(await sales.ask<{ id: string }>('POST', '/activities', fields))
    }
    const before = eventNames().length
    expect((await sales.call('DELETE', `/contacts/${id}`)).status).toBe(204)

    expect((await sales.call('GET', `/contacts/${id}`)).status).toBe(404)
    expect((await sales.call('GET', `/deals/${deal.id}`)).status).toBe(404)
    expect((await sales.listDeals()).data).toMatchObject([{ id: other.id }])
    expect((await sales.ask<PageBody<Contact>>('GET', '/activities')).data).toMatchObject([
      { deal_id: other.id },
    ])
    expect(sales.events().slice(before)).toEqual([
      {
        name: 'contact.deleted',
        data: {
          contact: { id, name: 'Ana Castillo', email: 'ana@example.com', deleted_at: sales.fresh.now() },
        },
      },
      ...notes.slice(0, 2).map((note) => ({
        name: 'activity.deleted',
        data: { activity: { id: note.id, subject: 'Note', deleted_at: sales.fresh.now() } },
      })),
      {
        name: 'deal.deleted',
        data: { deal: { id: deal.id, name: deal.name, deleted_at: sales.fresh.now() } },
      },
    ])
  })
})

describe('list', () => {
  beforeEach(async () => {
    const contacts = [
      { name: 'ben', email: 'b@example.com', tags: ['vip'], vertical: 'services' },
      { name: 'Ana', phone: '+507 1', tags: ['vip old'] },
      { name: 'Cleo', email: 'ANA@example.com', tags: ['new', 'vip'], vertical: 'education' },
    ]
    for (const [hour, contact] of contacts.entries()) {
      sales.setClock(`2026-11-21T1${String(hour)}:00:00Z`)
      await sales.addContact(contact)
    }
  })

  test.each([
    ['', ['Cleo', 'Ana', 'ben']],
    ['?sort_dir=asc', ['ben', 'Ana', 'Cleo']],
    ['?sort_by=name&sort_dir=asc', ['Ana', 'ben', 'Cleo']],
    ['?sort_by=name', ['Cleo', 'ben', 'Ana']],
    ['?search=aNa', ['Cleo', 'Ana']],
    ['?search=%2B507', ['Ana']],
    ['?search=vip', []],
    ['?tag=vip', ['Cleo', 'ben']],
    ['?tag=VIP', []],
    ['?vertical=education', ['Cleo']],
    ['?tag=vip&vertical=services&search=b', ['ben']],
    ['?per_page=2', ['Cleo', 'Ana']],
    ['?per_page=2&page=2', ['ben']],
    ['?page=9', []],
  ])('returns for %s the contacts %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  describe('finds a phone number', () => {
    beforeEach(async () => {
      await sales.addContact({ name: 'Lot 55-12', phone: '+52 55 1234-5678', email: 'lot78@example.com' })
      await sales.addContact({ name: 'Lot 55 12', phone: '(507) 600.12' })
    })

    test.each([
      ['by its digits only', '5512345678', ['Lot 55-12']],
      ['by digits with another grouping', '55 1234', ['Lot 55-12']],
      ['in every common notation', '+(52) 55.12/34-56', ['Lot 55-12']],
      ['in full-width digits', '５２５５', ['Lot 55-12']],
      ['by three digits', '0760', ['Lot 55 12']],
      ['in its own notation', '5678', ['Lot 55-12']],
      ['only by adjacent digits', '25', []],
      ['not by digits of the name or the address', '5512 78', []],
      ['not by digits among letters', '551234x', []],
      ['and a name that looks like one', '55-12', ['Lot 55-12']],
      ['by any group of digits in it', '07', ['Lot 55 12', 'Ana']],
    ])('%s', async (_how, search, expected) => {
      expect(await names(`?search=${encodeURIComponent(search)}`)).toEqual(expected)
    })

    test('by its current value', async () => {
      const [lot] = (await list('?search=5512345678')).data
      await sales.ask('PATCH', `/contacts/${lot?.id ?? ''}`, { phone: '999 888' })
      expect(await names('?search=5512345678')).toEqual([])
      expect(await names('?search=999888')).toEqual(['Lot 55-12'])
      await sales.ask('PATCH', `/contacts/${lot?.id ?? ''}`, { phone: null })
      expect(await names('?search=999888')).toEqual([])
    })
  })

  test('sorts by the last change', async () => {
    const [, ana] = (await list()).data
    sales.setClock('2026-11-21T15:00:00Z')
    await sales.ask('PATCH', `/contacts/${ana?.id ?? ''}`, { company: 'Harbor Motors' })
    expect(await names('?sort_by=updated_at')).toEqual(['Ana', 'Cleo', 'ben'])
  })

  test('shows the position of the page', async () => {
    expect((await list('?per_page=2&page=2')).meta).toEqual({
      current_page: 2,
      total_pages: 2,
      total_count: 3,
    })
    expect((await list('?tag=nobody')).meta).toEqual({ current_page: 1, total_pages: 0, total_count: 0 })
  })
})

describe('segment', () => {
  beforeEach(async () => {
    const stamps = { createdAt: '2026-01-01T09:00:00.000Z', updatedAt: '2026-01-01T09:00:00.000Z' }
    const contact = { customFields: {}, ...stamps }
    await loadRecords(sales.fresh.app, sales.fresh.workspace, {
      crm: {
        contacts: [
          { ...contact, id: 'con_1', name: 'Ana', tags: ['vip'], vertical: 'services' },
          { ...contact, id: 'con_2', name: 'Ben', tags: ['vip'] },
          { ...contact, id: 'con_3', name: 'Cleo', tags: [] },
        ],
        segments: [
          { id: 'seg_vip', name: 'VIP', filters: { tag: 'vip' }, createdAt: stamps.createdAt },
          {
            id: 'seg_narrow',
            name: 'Narrow',
            filters: { tag: 'vip', search: 'AN', vertical: 'services' },
            createdAt: stamps.createdAt,
          },
        ],
      },
    })
  })

  test('adds its filters to those of the query', async () => {
    expect(await names('?segment_id=seg_vip&sort_by=name&sort_dir=asc')).toEqual(['Ana', 'Ben'])
    expect(await names('?segment_id=seg_vip&search=ben')).toEqual(['Ben'])
    expect(await names('?segment_id=seg_narrow')).toEqual(['Ana'])
    expect(await names('?segment_id=seg_narrow&vertical=education')).toEqual([])
  })

  test('is refused if it is unknown', async () => {
    expect(await sales.call('GET', '/contacts?segment_id=seg_none')).toMatchObject(
      invalid('segment_id', 'unknown'),
    )
  })
})
