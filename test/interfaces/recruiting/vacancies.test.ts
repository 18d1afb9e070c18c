/** Vacancies: fields, slugs, statuses, filters, salaries. Specification part 1, "Vacancy", "Vacancy status". */
import { describe, expect, test } from 'vitest'
import { vacancyMachine, type VacancyStatus } from '../../../src/state/recruiting/machines.ts'
import { freshRecruiting, NOON, refusal, type VacancyBody } from '../../support/recruiting.ts'
import { eventsOf } from '../../support/events.ts'

const STATUSES = vacancyMachine.states

/** Moves that bring a draft to each status. */
const WAY_TO: Readonly<Record<VacancyStatus, readonly VacancyStatus[]>> = {
  draft: [],
  published: ['published'],
  paused: ['published', 'paused'],
  in_process: ['published', 'in_process'],
  closed: ['published', 'closed'],
  archived: ['archived'],
}

test('returns five fields of a new vacancy, and shows all given fields with the name of the country', async () => {
  const { ask, getVacancy } = await freshRecruiting()
  const sent = {
    title: 'Senior joiner',
    department: 'Workshop',
    description: 'Doors.',
    responsibilities: ['Make doors'],
    requirements: { mandatory: ['Hands'], desirable: ['Both'] },
    benefits: ['Lunch'],
    skills: ['wood'],
    location: { country: 'PA', city: 'David' },
    modality: 'on_site',
    contract_type: 'full_time',
    level: 'senior',
    min_experience_years: 2.5,
    salary_range: { min: 900, max: 1200.5, currency: 'EUR', period: 'monthly', visible: true },
    openings: 3,
    visibility: 'internal',
  }
  const made = await ask<{ id: string }>('POST', '/vacancies', sent)
  expect(made).toEqual({
    id: expect.stringMatching(/^vac_\w{20}$/),
    title: 'Senior joiner',
    slug: 'senior-joiner',
    status: 'draft',
    created_at: NOON,
  })
  expect(await getVacancy(made.id)).toMatchObject({
    ...sent,
    location: { country: 'Panama', city: 'David' },
    applications_count: 0,
    views_count: 0,
    published_at: null,
    closes_at: null,
  })
})

test.each([
  ['skills', ['two, in one']],
  ['location', { country: 'XX' }],
  ['salary_range', { min: 2, max: 1 }],
  ['salary_range', { currency: 'XXQ' }],
  ['closes_at', NOON],
  ['closes_at', '2026-02-30'],
])('refuses %s with %j', async (field, value) => {
  const { call } = await freshRecruiting()
  const answer = await call('POST', '/vacancies', { body: { title: 'Joiner', [field]: value } })
  expect(answer.status, answer.text).toBe(422)
  expect(answer.text).toContain(`"field":"${field}`)
})

test.each([
  ['closes_at', '2026-11-21T12:00:00.001Z'],
  ['salary_range', { min: 5, max: 5 }],
])('accepts %s at its limit', async (field, value) => {
  const { call } = await freshRecruiting()
  const { status, text } = await call('POST', '/vacancies', { body: { title: 'Joiner', [field]: value } })
  expect(status, text).toBe(201)
})

test('assigns a unique slug to each vacancy and keeps it when the title changes', async () => {
  const { addVacancy, ask } = await freshRecruiting()
  const slugs: string[] = []
  for (let count = 0; count < 11; count += 1) slugs.push((await addVacancy({ title: '¡Ébano & Co.!' })).slug)
  expect(slugs.slice(0, 9)).toEqual([
    'ebano-co',
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `ebano-co-${String(n)}`),
  ])
  expect(new Set(slugs).size).toBe(11)
  const vacancy = await addVacancy({ title: '木工' })
  expect(vacancy.slug).toBe('vacancy')
  const changed = await ask<VacancyBody>('PATCH', `/vacancies/${vacancy.id}`, { title: 'Joiner' })
  expect([changed.title, changed.slug]).toEqual(['Joiner', 'vacancy'])
})

test('changes the given fields in an update, clears them with null, and changes nothing without fields', async () => {
  const { addVacancy, ask, setClock, events } = await freshRecruiting()
  const { id } = await addVacancy({ department: 'Workshop', location: { country: 'PA', city: 'David' } })
  setClock('2026-11-22T12:00:00.000Z')
  const same = await ask<VacancyBody>('PATCH', `/vacancies/${id}`, {})
  expect(same.updated_at).toBe(NOON)
  const changed = await ask<VacancyBody>('PATCH', `/vacancies/${id}`, { department: null, location: null })
  expect(changed).toMatchObject({ department: null, location: { country: null, city: null } })
  expect(changed.updated_at).toBe('2026-11-22T12:00:00.000Z')
  expect(events()).toEqual(['vacancy.created', 'vacancy.published', 'vacancy.updated'])
})

const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const))

/** The statuses that can follow each under the reading `machine`. */
const AFTER: Readonly<Record<VacancyStatus, readonly VacancyStatus[]>> = {
  draft: ['published', 'archived'],
  published: ['paused', 'in_process', 'closed'],
  paused: ['published', 'in_process', 'closed'],
  in_process: ['closed'],
  closed: ['archived', 'published'],
  archived: [],
}

const EVENT_OF: Readonly<Record<VacancyStatus, string>> = {
  draft: 'vacancy.drafted',
  published: 'vacancy.published',
  paused: 'vacancy.paused',
  in_process: 'vacancy.in_process',
  closed: 'vacancy.closed',
  archived: 'vacancy.archived',
}

describe.each(['free', 'machine'] as const)('under the reading recruiting.vacancy_status = %s', (reading) => {
  test.each(pairs)('a vacancy changes from %s to %s, or the call is refused', async (from, to) => {
    const { addVacancy, call, ask, getVacancy, events, fresh } = await freshRecruiting()
    fresh.workspace.change({ readings: { 'recruiting.vacancy_status': reading } })
    const { id } = await addVacancy({ status: 'draft' })
    for (const status of WAY_TO[from]) await ask('POST', `/vacancies/${id}/status`, { status })
    const before = events().length
    const answer = await call('POST', `/vacancies/${id}/status`, { body: { status: to, reason: 'So it is' } })
    const isAllowed =
      reading === 'machine' ? AFTER[from].includes(to) : !(from === 'published' && to === 'archived')
    if (!isAllowed) {
      expect(answer).toMatchObject(refusal(409, 'invalid_state'))
      expect((await getVacancy(id)).status).toBe(from)
      expect(events()).toHaveLength(before)
      return
    }
    expect(answer.body).toEqual({
      id,
      previous_status: from,
      status: to,
      reason: 'So it is',
      changed_at: NOON,
    })
    expect(events().slice(before)).toEqual(from === to ? [] : [EVENT_OF[to]])
    expect((await getVacancy(id)).status).toBe(to)
  })

  test('the control plane lists the moves that are possible', async () => {
    const { addVacancy, fresh } = await freshRecruiting()
    fresh.workspace.change({ readings: { 'recruiting.vacancy_status': reading } })
    const { id } = await addVacancy({ status: 'draft' })
    const { body } = await fresh.call(
      'GET',
      `/_sim/workspaces/${fresh.workspace.id}/records/recruiting.vacancies/${id}`,
    )
    const targets = (body as { moves: { to: string }[] }).moves.map(({ to }) => to)
    expect(targets.toSorted()).toEqual(
      (reading === 'machine' ? AFTER.draft : STATUSES.filter((each) => each !== 'draft')).toSorted(),
    )
  })
})

test('hints at the reading if it refuses a move, and not if the specification does', async () => {
  const { addVacancy, call, ask, fresh } = await freshRecruiting()
  const path = `/_sim/workspaces/${fresh.workspace.id}/requests`
  const lastHints = async () => {
    const { data } = (await fresh.call('GET', `${path}?limit=1`)).body as { data: { id: string }[] }
    return (
      (await fresh.call('GET', `${path}/${data[0]?.id ?? ''}`)).body as {
        hints: { code: string; message: string }[]
      }
    ).hints
  }
  const { id } = await addVacancy({ status: 'draft' })
  await ask('POST', `/vacancies/${id}/status`, { status: 'published' })
  expect((await call('POST', `/vacancies/${id}/status`, { body: { status: 'archived' } })).status).toBe(409)
  expect((await lastHints()).filter(({ code }) => code === 'reading')).toEqual([])
  fresh.workspace.change({ readings: { 'recruiting.vacancy_status': 'machine' } })
  expect((await call('POST', `/vacancies/${id}/status`, { body: { status: 'draft' } })).status).toBe(409)
  expect((await lastHints())[0]?.message).toContain('recruiting.vacancy_status = machine')
})

test.each([
  ['204', 204, undefined],
  ['200', 200, { success: true }],
])('returns %s for a deletion under that reading', async (reading, status, body) => {
  const { addVacancy, call, fresh } = await freshRecruiting()
  fresh.workspace.change({ readings: { 'recruiting.delete_vacancy': reading } })
  const { id } = await addVacancy({ status: 'draft' })
  const answer = await call('DELETE', `/vacancies/${id}`)
  expect([answer.status, answer.body]).toEqual([status, body])
  expect((await call('GET', `/vacancies/${id}`)).status).toBe(404)
})

test.each(STATUSES)('deletes or keeps a vacancy in %s as documented', async (status) => {
  const { addVacancy, call, ask } = await freshRecruiting()
  const { id } = await addVacancy({ status: 'draft' })
  for (const each of WAY_TO[status]) await ask('POST', `/vacancies/${id}/status`, { status: each })
  const answer = await call('DELETE', `/vacancies/${id}`)
  if (status === 'draft') expect(answer.status).toBe(204)
  else expect(answer).toMatchObject(refusal(409, 'invalid_state'))
  expect((await call('GET', `/vacancies/${id}`)).status).toBe(status === 'draft' ? 404 : 200)
})

test('refuses to delete a draft with candidates', async () => {
  const { addVacancy, apply, call, fresh } = await freshRecruiting()
  const { id } = await addVacancy()
  await apply(id)
  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { body } = await fresh.call('GET', path)
  const snapshot = body as { recruiting: { vacancies: { status: string }[] } }
  for (const vacancy of snapshot.recruiting.vacancies) vacancy.status = 'draft'
  expect((await fresh.call('PUT', path, { body: snapshot })).status).toBe(204)
  expect(await call('DELETE', `/vacancies/${id}`)).toMatchObject(refusal(409, 'conflict'))
})

test('closes a vacancy at its closing date in the time zone of the workspace, unless it is already closed', async () => {
  const { addVacancy, getVacancy, setClock, ask, call, events, fresh } = await freshRecruiting()
  fresh.workspace.change({ timezone: 'America/Panama' })
  const open = await addVacancy({ closes_at: '2026-11-30' })
  expect(open.closes_at).toBe('2026-12-01T04:59:59.999Z')
  const archived = await addVacancy({ closes_at: '2026-11-30' })
  for (const status of ['closed', 'archived'])
    await ask('POST', `/vacancies/${archived.id}/status`, { status })
  setClock('2026-12-01T04:59:59.998Z')
  expect((await getVacancy(open.id)).status).toBe('published')
  setClock('2026-12-01T04:59:59.999Z')
  expect(await getVacancy(open.id)).toMatchObject({
    status: 'closed',
    updated_at: '2026-12-01T04:59:59.999Z',
  })
  expect((await getVacancy(archived.id)).status).toBe('archived')
  expect(events().filter((name) => name === 'vacancy.closed')).toHaveLength(2)
  const reopening = { body: { status: 'published' } }
  expect(await call('POST', `/vacancies/${open.id}/status`, reopening)).toMatchObject(
    refusal(409, 'conflict'),
  )
  await ask('PATCH', `/vacancies/${open.id}`, { closes_at: null })
  expect((await call('POST', `/vacancies/${open.id}/status`, reopening)).status).toBe(200)
})

test('keeps the other parts of a salary or a location in an update', async () => {
  const { addVacancy, ask, call } = await freshRecruiting()
  const range = { min: 1000, max: 2000, currency: 'EUR', period: 'yearly', visible: false }
  const { id } = await addVacancy({ salary_range: range, location: { country: 'PA', city: 'Colón' } })
  const changed = await ask<VacancyBody>('PATCH', `/vacancies/${id}`, {
    salary_range: { max: 2500 },
    location: { country: 'CO' },
  })
  expect(changed).toMatchObject({
    salary_range: { ...range, max: 2500 },
    location: { country: 'Colombia', city: 'Colón' },
  })
  const below = await call('PATCH', `/vacancies/${id}`, { body: { salary_range: { max: 999 } } })
  expect(below.status).toBe(422)
  const cleared = await ask<VacancyBody>('PATCH', `/vacancies/${id}`, {
    salary_range: { min: null },
    location: { country: 'CO', city: null },
  })
  expect(cleared).toMatchObject({ salary_range: { min: null, max: 2500 }, location: { city: null } })
  expect(await ask('PATCH', `/vacancies/${id}`, { salary_range: null, location: null })).toMatchObject({
    salary_range: null,
    location: { country: null, city: null },
  })
})

test('hides an invisible salary from keys that may not change vacancies', async () => {
  const { addVacancy, call, fresh, events } = await freshRecruiting()
  const range = { min: 900, max: 1200, currency: 'USD', period: 'monthly' }
  const hidden = await addVacancy({ salary_range: { ...range, visible: false } })
  const visible = await addVacancy({ salary_range: range })
  const reader = fresh.makeKey({ scopes: ['vacancies:read'] })
  const writer = fresh.makeKey({ scopes: ['vacancies:read', 'vacancies:write'] })
  const seen = async (key: string, id: string) =>
    ((await call('GET', `/vacancies/${id}`, { key })).body as VacancyBody).salary_range
  expect(await seen(writer, hidden.id)).toEqual({ ...range, visible: false })
  expect(await seen(reader, hidden.id)).toEqual({ ...range, min: null, max: null, visible: false })
  expect(await seen(reader, visible.id)).toEqual({ ...range, visible: true })
  for (const key of [reader, writer, reader]) {
    const { data } = (await call('GET', '/vacancies', { key })).body as { data: VacancyBody[] }
    const { salary_range } = data.find(({ id }) => id === hidden.id) ?? {}
    expect(salary_range?.min).toBe(key === writer ? 900 : null)
  }
  expect(events()).toContain('vacancy.created')
  const emitted = eventsOf(fresh.workspace, 'recruiting').find(({ name }) => name === 'vacancy.created')
  expect(emitted?.data).toMatchObject({ vacancy: { salary_range: { min: null } } })
})

test('filters vacancies', async () => {
  const { addVacancy, ask, setClock } = await freshRecruiting()
  await addVacancy({
    title: 'Carpintero',
    department: 'Taller',
    modality: 'on_site',
    contract_type: 'project',
    location: { country: 'PA' },
  })
  setClock('2026-11-23T12:00:00.000Z')
  await addVacancy({
    title: 'Diseñador',
    department: 'Diseño',
    modality: 'remote',
    status: 'draft',
    location: { country: 'CO', city: 'Cúcuta' },
  })
  const titles = async (query: string) =>
    (await ask<{ data: VacancyBody[] }>('GET', `/vacancies?${query}`)).data.map(({ title }) => title)
  expect(await titles('')).toEqual(['Diseñador', 'Carpintero'])
  expect(await titles('department=DISENO')).toEqual(['Diseñador'])
  expect(await titles('department=Dise')).toEqual([])
  expect(await titles('search=disenador')).toEqual(['Diseñador'])
  expect(await titles('search=cucuta')).toEqual(['Diseñador'])
  expect(await titles('status=published')).toEqual(['Carpintero'])
  expect(await titles('modality=remote&location_country=CO')).toEqual(['Diseñador'])
  expect(await titles('contract_type=project')).toEqual(['Carpintero'])
  expect(await titles('created_from=2026-11-22')).toEqual(['Diseñador'])
  expect(await titles('created_to=2026-11-21')).toEqual(['Carpintero'])
  expect(await titles('created_to=2026-11-21T11:59:59.999Z')).toEqual([])
})
