/** Specification part 1, "Activity (catalog interface)", "Catalog interface", "Errors", "Limits". */
import { describe, expect, test } from 'vitest'
import { freshCatalog, invalid, NANOID, NOON } from '../../support/catalog.ts'

const LATER = '2026-11-21T12:30:00.000Z'
const TOMORROW = '2026-11-22T12:00:00.000Z'
const ENTITY_TYPES = [
  'contact',
  'company',
  'deal',
  'product',
  'subscription',
  'booking',
  'quote',
  'order',
  'invoice',
]

const deals = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ entityType: 'deal', entityId: String(index) }))

describe('creating an activity', () => {
  test('with only a title and a type returns 201 with the default of every other field', async () => {
    const { call, fresh } = await freshCatalog()

    const answer = await call('POST', '/activities', { body: { title: 'Call back', type: 'call' } })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(NANOID) as string,
        title: 'Call back',
        type: 'call',
        description: null,
        priority: 'medium',
        status: 'pending',
        ownerId: fresh.user.id,
        ownerName: 'Test User',
        entityType: null,
        entityId: null,
        dueDate: null,
        durationMinutes: null,
        location: null,
        meetingUrl: null,
        notes: null,
        completedAt: null,
        customData: {},
        createdAt: NOON,
        updatedAt: NOON,
      },
    })
  })

  test('with every field returns each value, but not the further entities', async () => {
    const { call, fresh } = await freshCatalog()
    const other = fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    const body = {
      title: 'Show the desk',
      type: 'meeting',
      description: 'In the showroom',
      priority: 'high',
      ownerId: other.id,
      entityType: 'deal',
      entityId: '42',
      dueDate: TOMORROW,
      durationMinutes: 45,
      location: 'Showroom 2',
      meetingUrl: 'https://meet.example.com/abc?pin=1#room',
      notes: 'Bring samples',
      customData: { source: 'fair', seats: 2 },
    }

    const answer = await call('POST', '/activities', {
      body: { ...body, entities: [{ entityType: 'contact', entityId: 'c1' }] },
    })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      data: {
        ...body,
        id: expect.stringMatching(NANOID) as string,
        status: 'pending',
        ownerName: 'Second User',
        completedAt: null,
        createdAt: NOON,
        updatedAt: NOON,
      },
    })
  })

  test('assigns it to the user of the key', async () => {
    const { fresh, addActivity } = await freshCatalog()
    const user = fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    const key = fresh.makeKey({ userId: user.id })

    expect(await addActivity({}, { key })).toMatchObject({ ownerId: user.id, ownerName: 'Second User' })
  })
})

/** Texts that are no date: other formats, impossible ones, and years outside of 0000 to 9999 in UTC. */
const NO_DATES = [
  '',
  'tomorrow',
  '2026-02-29',
  '2026-13-01',
  '2026-11-31',
  '2026-11-22T25:00:00Z',
  '2026-11-22T12:60:00Z',
  '2026-11-22 12:00',
  '2026-11-22T12:00:00 Z',
  '2026-11-22T12Z',
  '22/11/2026',
  '20261122',
  '2026-W47-7',
  '1764000000000',
  '10000-01-01',
  '0000-01-01',
  '+012026-01-01',
  '9999-12-31T23:59:59-01:00',
  '0001-01-01T00:00:00+01:00',
]

const NO_URLS = [
  '',
  'meet.example.com/abc',
  '//meet.example.com',
  'https://',
  'https:///abc',
  'https://a b.example',
  'a:b',
]

describe('each field', () => {
  test.each([
    ['dueDate', '2026-11-22T12:00:00.123Z'],
    ['dueDate', '9999-12-31T23:59:59.999Z'],
    ['meetingUrl', 'https://meet.example.com/abc'],
    ['meetingUrl', 'http://localhost:8080'],
    ['meetingUrl', 'tel-app://join/5'],
  ])('%s accepts %s and returns it unchanged', async (field, value) => {
    const { addActivity, getActivity } = await freshCatalog()

    const activity = await addActivity({ [field]: value })

    expect(activity).toMatchObject({ [field]: value })
    expect(await getActivity(activity.id)).toEqual(activity)
  })

  test.each([
    ...NO_DATES.map((text) => ['dueDate', text] as const),
    ...NO_URLS.map((text) => ['meetingUrl', text] as const),
  ])('%s refuses %j', async (field, value) => {
    const { call } = await freshCatalog()

    const answer = await call('POST', '/activities', {
      body: { title: 'Call', type: 'call', [field]: value },
    })

    expect(answer).toMatchObject(invalid(field, 'invalid_format'))
  })

  test('changes alone, and nothing else changes', async () => {
    const { addActivity, putActivity, getActivity, setClock } = await freshCatalog()
    const activity = await addActivity({
      description: 'About the quote',
      dueDate: TOMORROW,
      location: 'Office',
      entityType: 'deal',
      entityId: '42',
    })
    setClock(LATER)

    let expected = activity
    for (const [field, value] of Object.entries({ location: null, notes: 'None yet', title: ' padded ' })) {
      expected = { ...expected, [field]: value, updatedAt: LATER }
      expect(await putActivity(activity.id, { [field]: value })).toEqual(expected)
    }
    expect(await getActivity(activity.id)).toEqual(expected)
  })

  test('ownerId accepts a user of the workspace and refuses one of another', async () => {
    const { call, fresh, addActivity, putActivity } = await freshCatalog()
    const colleague = fresh.workspace.addUser({ name: 'Second User', email: 'second.user@example.com' })
    const stranger = fresh.tenant().user
    const { id } = await addActivity()

    expect(await putActivity(id, { ownerId: colleague.id })).toMatchObject({
      ownerId: colleague.id,
      ownerName: 'Second User',
    })
    expect(await call('PUT', `/activities/${id}`, { body: { ownerId: stranger.id } })).toMatchObject(
      invalid('ownerId', 'unknown'),
    )
    expect(
      await call('POST', '/activities', { body: { title: 'Call', type: 'call', ownerId: stranger.id } }),
    ).toMatchObject(invalid('ownerId', 'unknown'))
  })

  test('the owner name is null without an owner', async () => {
    const { addActivity } = await freshCatalog()

    expect(await addActivity({ ownerId: null })).toMatchObject({ ownerId: null, ownerName: null })
  })

  test.each([
    ['an offset ahead of UTC', '2026-12-01T15:00:00+02:00', '2026-12-01T13:00:00.000Z'],
    ['an offset behind UTC', '2026-12-01T22:00:00-05:00', '2026-12-02T03:00:00.000Z'],
    ['an offset without a colon', '2026-12-01T15:00:00+0530', '2026-12-01T09:30:00.000Z'],
    ['no seconds', '2026-12-01T15:00Z', '2026-12-01T15:00:00.000Z'],
    ['fractions of a millisecond', '2026-12-01T15:00:00.123456789Z', '2026-12-01T15:00:00.123Z'],
    ['no offset, which means UTC', '2026-12-01T15:00:00', '2026-12-01T15:00:00.000Z'],
    ['only a date, which is its first instant in UTC', '2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['the leap day', '2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('dueDate with %s is returned in UTC', async (_what, sent, answered) => {
    const { addActivity, putActivity } = await freshCatalog()

    const { id, dueDate } = await addActivity({ dueDate: sent })

    expect(dueDate).toBe(answered)
    await putActivity(id, { dueDate: null })
    expect((await putActivity(id, { dueDate: sent })).dueDate).toBe(answered)
  })
})

describe('main entity', () => {
  test.each(ENTITY_TYPES)('may be a %s', async (entityType) => {
    const { addActivity, listActivities } = await freshCatalog()

    const activity = await addActivity({ entityType, entityId: 'e1' })

    expect(activity).toMatchObject({ entityType, entityId: 'e1' })
    expect((await listActivities(`?entity_type=${entityType}&entity_id=e1`)).data).toEqual([activity])
  })

  test.each([
    ['only a type', { entityType: 'deal' }, 'entityId'],
    ['only an id', { entityId: '42' }, 'entityType'],
    ['a type and null', { entityType: 'deal', entityId: null }, 'entityId'],
    ['null and an id', { entityType: null, entityId: '42' }, 'entityType'],
  ])('is refused with %s on create and on update', async (_what, fields, missing) => {
    const { call, fresh, addActivity } = await freshCatalog()
    const bare = await addActivity()
    const linked = await addActivity({ entityType: 'deal', entityId: '1' })
    const before = fresh.dump()

    for (const [method, path] of [
      ['POST', '/activities'],
      ['PUT', `/activities/${bare.id}`],
      ['PUT', `/activities/${linked.id}`],
    ] as const) {
      const answer = await call(method, path, { body: { title: 'Call', type: 'call', ...fields } })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        error: {
          code: 'validation_error',
          message: 'entityType and entityId must be sent together',
          details: [
            { field: missing, code: 'required', message: 'entityType and entityId must be sent together' },
          ],
        },
      })
    }
    expect(fresh.dump()).toEqual(before)
  })

  test.each([{ entityType: null }, { entityId: null }])('is not partly cleared by %j', async (fields) => {
    const { call, addActivity } = await freshCatalog()
    const { id } = await addActivity({ entityType: 'deal', entityId: '1' })

    expect((await call('PUT', `/activities/${id}`, { body: fields })).status).toBe(400)
  })

  test('is replaced and cleared as a pair', async () => {
    const { addActivity, putActivity, listActivities } = await freshCatalog()
    const { id } = await addActivity({ entityType: 'deal', entityId: '1' })

    const moved = await putActivity(id, { entityType: 'quote', entityId: '2' })
    expect(moved).toMatchObject({ entityType: 'quote', entityId: '2' })
    expect((await listActivities('?entity_type=deal')).data).toEqual([])
    expect((await listActivities('?entity_type=quote&entity_id=2')).data).toEqual([moved])

    expect(await putActivity(id, { entityType: null, entityId: null })).toMatchObject({
      entityType: null,
      entityId: null,
    })
    expect((await listActivities('?entity_type=quote')).data).toEqual([])
  })
})

describe('further entities', () => {
  test('may be up to ten, and each can be used to find the activity', async () => {
    const { addActivity, listActivities } = await freshCatalog()

    const activity = await addActivity({ entities: deals(10) })

    for (const { entityId } of deals(10)) {
      expect((await listActivities(`?entity_type=deal&entity_id=${entityId}`)).data).toEqual([activity])
    }
    expect((await listActivities('?entity_type=deal&entity_id=10')).data).toEqual([])
  })

  test.each(ENTITY_TYPES)('may be a %s', async (entityType) => {
    const { addActivity, listActivities } = await freshCatalog()

    const activity = await addActivity({ entities: [{ entityType, entityId: 'e1' }] })

    expect((await listActivities(`?entity_type=${entityType}&entity_id=e1`)).data).toEqual([activity])
  })

  test('may repeat an entity or the main one, and the activity is still listed once', async () => {
    const { addActivity, listActivities } = await freshCatalog()

    const activity = await addActivity({
      entityType: 'deal',
      entityId: '0',
      entities: [...deals(2), ...deals(2)],
    })

    expect((await listActivities('?entity_type=deal')).data).toEqual([activity])
    expect((await listActivities('?entity_type=deal&entity_id=1')).data).toEqual([activity])
  })

  test('are replaced by an update that contains them, and kept by one that does not', async () => {
    const { addActivity, putActivity, listActivities } = await freshCatalog()
    const { id } = await addActivity({ entityType: 'order', entityId: 'o1', entities: deals(2) })
    const found = async (query: string) => (await listActivities(query)).data.length

    await putActivity(id, { notes: 'Something else' })
    expect(await found('?entity_type=deal&entity_id=0')).toBe(1)

    await putActivity(id, { entityType: 'order', entityId: 'o2' })
    expect(await found('?entity_type=deal&entity_id=1')).toBe(1)
    expect(await found('?entity_type=order&entity_id=o1')).toBe(0)

    await putActivity(id, { entities: [{ entityType: 'deal', entityId: '7' }] })
    expect(await found('?entity_type=deal&entity_id=0')).toBe(0)
    expect(await found('?entity_type=deal&entity_id=7')).toBe(1)
    expect(await found('?entity_type=order&entity_id=o2')).toBe(1)

    await putActivity(id, { entities: [] })
    expect(await found('?entity_type=deal')).toBe(0)
    expect(await found('?entity_type=order')).toBe(1)
  })

  test('update updatedAt if they are the only change', async () => {
    const { addActivity, putActivity, setClock } = await freshCatalog()
    const activity = await addActivity()
    setClock(LATER)

    expect(await putActivity(activity.id, { entities: deals(1) })).toEqual({ ...activity, updatedAt: LATER })
  })
})

describe('updating an activity', () => {
  test('changes all fields at once', async () => {
    const { addActivity, putActivity, setClock } = await freshCatalog()
    const activity = await addActivity()
    setClock(LATER)
    const fields = {
      title: 'Write',
      type: 'email',
      description: 'With the quote',
      priority: 'low',
      ownerId: null,
      entityType: 'quote',
      entityId: 'q1',
      dueDate: TOMORROW,
      durationMinutes: 5,
      location: 'Desk',
      meetingUrl: 'https://meet.example.com/1',
      notes: 'Short',
      customData: { a: 1 },
    }

    expect(await putActivity(activity.id, fields)).toEqual({
      ...activity,
      ...fields,
      ownerName: null,
      updatedAt: LATER,
    })
  })

  test('does not complete or reopen it, because status and completedAt are read-only', async () => {
    const { addActivity, putActivity, completeActivity } = await freshCatalog()
    const pending = await addActivity()
    const { id } = await addActivity()
    const completed = await completeActivity(id)

    expect(
      await putActivity(pending.id, { notes: 'A', status: 'completed', completedAt: NOON }),
    ).toMatchObject({
      status: 'pending',
      completedAt: null,
    })
    expect(await putActivity(id, { notes: 'B', status: 'pending', completedAt: null })).toEqual({
      ...completed,
      notes: 'B',
    })
  })
})

describe('completing an activity', () => {
  test('sets status, completedAt and updatedAt, and nothing else', async () => {
    const { call, addActivity, getActivity, setClock } = await freshCatalog()
    const activity = await addActivity({ dueDate: TOMORROW, entityType: 'deal', entityId: '1' })
    setClock(LATER)

    const answer = await call('PATCH', `/activities/${activity.id}/complete`)

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: { ...activity, status: 'completed', completedAt: LATER, updatedAt: LATER },
    })
    expect({ data: await getActivity(activity.id) }).toEqual(answer.body)
  })

  test('a second time changes nothing', async () => {
    const { addActivity, completeActivity, setClock } = await freshCatalog()
    const { id } = await addActivity()
    const first = await completeActivity(id)
    setClock(LATER)

    expect(await completeActivity(id)).toEqual(first)
  })

  test('needs no body and ignores one', async () => {
    const { call, addActivity } = await freshCatalog()
    const { id } = await addActivity()

    const answer = await call('PATCH', `/activities/${id}/complete`, {
      body: { completedAt: LATER, title: 5 },
    })

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      data: { title: 'Call about the quote', status: 'completed', completedAt: NOON },
    })
  })
})

describe('deleting an activity', () => {
  test('removes it from lists, searches and the timelines of its entities, and keeps the others', async () => {
    const { call, addActivity, listActivities } = await freshCatalog()
    const fields = { entityType: 'deal', entityId: '1', entities: [{ entityType: 'contact', entityId: 'c' }] }
    const removed = await addActivity({ title: 'Gone', ...fields })
    const remaining = await addActivity({ title: 'Kept', ...fields })
    await call('DELETE', `/activities/${removed.id}`)

    for (const query of [
      '',
      '?entity_type=deal',
      '?entity_type=deal&entity_id=1',
      '?entity_type=contact&entity_id=c',
    ]) {
      expect((await listActivities(query)).data).toEqual([remaining])
    }
    expect((await listActivities('?search=gone')).data).toEqual([])
  })
})
