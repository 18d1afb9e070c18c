/**
 * Candidates: applications, scores, lists, stages, notes, search. Specification part 1, "Candidate stage",
 * "Recruiting".
 */
import { describe, expect, test } from 'vitest'
import { matchScore } from '../../../src/state/recruiting/matching.ts'
import { applicationMachine } from '../../../src/state/recruiting/machines.ts'
import { formOf } from '../../support/forms.ts'
import { freshRecruiting, NOON, refusal, type ItemBody } from '../../support/recruiting.ts'

const STAGES = applicationMachine.states

const noRequirements = { skills: [], minExperienceYears: null, country: null, city: null, modality: null }
const emptyProfile = { skills: [], experienceYears: null, country: null, city: null }

test.each([
  ['counts a missing requirement fully', {}, {}, 100],
  ['no requirement met', { skills: ['a'], minExperienceYears: 2, country: 'PA' }, {}, 0],
  ['half of the skills', { skills: ['a', 'B'] }, { skills: ['b', 'c'] }, 70],
  ['skills without case and accents', { skills: ['Diseño'] }, { skills: ['DISENO'] }, 100],
  ['half of the years', { minExperienceYears: 4 }, { experienceYears: 2 }, 88],
  ['more years than required', { minExperienceYears: 4 }, { experienceYears: 40 }, 100],
  ['no years required', { minExperienceYears: 0 }, {}, 100],
  ['the same city', { country: 'PA', city: 'David' }, { country: 'PA', city: 'david' }, 100],
  ['another city', { country: 'PA', city: 'David' }, { country: 'PA', city: 'Colón' }, 95],
  ['another country', { country: 'PA' }, { country: 'CO' }, 85],
  ['another country and remote work', { country: 'PA', modality: 'remote' }, { country: 'CO' }, 100],
])('computes the score: %s', (_title, requirements, offered, score) => {
  expect(matchScore({ ...noRequirements, ...requirements }, { ...emptyProfile, ...offered })).toBe(score)
})

test('creates a candidate with a score for an application, and counts it', async () => {
  const { addVacancy, getVacancy, apply, getCandidate, ask, events } = await freshRecruiting()
  const { id } = await addVacancy({ skills: ['wood', 'glue'], location: { country: 'PA' } })
  const candidate = await apply(id, {
    name: 'Rosa',
    email: 'rosa@example.com',
    phone: '6000-1',
    location: { country: 'PA', city: 'David' },
    experience_years: 2,
    skills: ['Wood'],
    source: 'fair',
  })
  const { data } = await ask<{ data: ItemBody[] }>('GET', `/vacancies/${id}/candidates`)
  expect(data).toEqual([
    {
      id: candidate,
      name: 'Rosa',
      email: 'rosa@example.com',
      phone: '6000-1',
      location: { country: 'Panama', city: 'David' },
      experience_years: 2,
      skills: ['Wood'],
      stage: 'new',
      match_score: 70,
      applied_at: NOON,
      profile_url: expect.stringMatching(new RegExp(`/recruiting/v1/candidates/${candidate}$`)),
    },
  ])
  expect(await getCandidate(candidate)).toMatchObject({
    skills: { technical: ['Wood'], soft: [] },
    documents: { cv_url: null, portfolio_url: null, linkedin_url: null },
    applications: [
      { vacancy_id: id, vacancy_title: 'Joiner', stage: 'new', applied_at: NOON, stage_history: [] },
    ],
  })
  expect((await getVacancy(id)).applications_count).toBe(1)
  expect(events().at(-1)).toBe('candidate.applied')
})

test('recognizes a candidate by the address, and updates the data', async () => {
  const { addVacancy, apply, getCandidate, ask } = await freshRecruiting()
  const [one, other] = [await addVacancy({ title: 'One' }), await addVacancy({ title: 'Other' })]
  const first = await apply(one.id, { email: 'Rosa@example.com', name: 'Rosa', skills: ['wood'] })
  const second = await apply(other.id, { email: 'rosa@EXAMPLE.com', name: 'Rosa M.', experience_years: 5 })
  expect(second).toBe(first)
  const profile = await getCandidate(first)
  // The fields of a list item are those of the latest application.
  expect(profile).toMatchObject({
    stage: profile.applications[0]?.stage,
    applied_at: profile.applications[0]?.applied_at,
    match_score: expect.any(Number) as number,
    profile_url: expect.stringContaining(first) as string,
  })
  expect(profile).toMatchObject({ name: 'Rosa M.', experience_years: 5, skills: { technical: ['wood'] } })
  expect(profile.applications.map(({ vacancy_title }) => vacancy_title)).toEqual(['Other', 'One'])
  const { data } = await ask<{ data: ItemBody[] }>('GET', `/vacancies/${one.id}/candidates?min_experience=5`)
  expect(data.map(({ name }) => name)).toEqual(['Rosa M.'])
})

test('merges a second application for the same vacancy: one application, in its stage, with the data of both', async () => {
  const { addVacancy, apply, trigger, getCandidate, getVacancy, setStage, events } = await freshRecruiting()
  const { id } = await addVacancy()
  const first = {
    email: 'rosa@example.com',
    name: 'Rosa',
    phone: '6000 0001',
    skills: ['wood'],
    source: 'fair',
  }
  const candidate = await apply(id, first)
  await setStage(id, candidate, 'interview')
  const seen = events().length
  const again = {
    vacancy_id: id,
    name: 'Rosa M.',
    email: 'ROSA@example.com',
    phone: null,
    skills: ['wood', 'paint'],
  }
  expect(await trigger('candidate.apply', again)).toMatchObject({
    status: 200,
    body: { candidate_id: candidate, stage: 'interview' },
  })
  expect(await getCandidate(candidate)).toMatchObject({
    name: 'Rosa M.',
    phone: '6000 0001',
    skills: { technical: ['wood', 'paint'] },
    applications: [{ vacancy_id: id, stage: 'interview' }],
  })
  expect((await getVacancy(id)).applications_count).toBe(1)
  expect(events().slice(seen)).toEqual([])
})

test.each(['draft', 'paused', 'in_process', 'closed', 'archived'])(
  'refuses an application for a vacancy that is %s',
  async (status) => {
    const { addVacancy, ask, trigger, getVacancy } = await freshRecruiting()
    const { id } = await addVacancy({ status: 'draft' })
    const way = { draft: [], archived: ['archived'] }[status] ?? ['published', status]
    for (const each of way) await ask('POST', `/vacancies/${id}/status`, { status: each })
    const answer = await trigger('candidate.apply', { vacancy_id: id, name: 'Ana', email: 'ana@example.com' })
    expect(answer).toMatchObject({ status: 409 })
    expect((await getVacancy(id)).applications_count).toBe(0)
  },
)

test('filters and sorts candidates of a vacancy', async () => {
  const { addVacancy, apply, setStage, ask, setClock } = await freshRecruiting()
  const { id } = await addVacancy({ skills: ['wood'] })
  const other = await addVacancy()
  const bea = await apply(id, {
    name: 'Bea',
    skills: ['wood', 'Glue'],
    experience_years: 3,
    location: { country: 'PA', city: 'David' },
  })
  setClock('2026-11-22T12:00:00.000Z')
  await apply(id, { name: 'ana', skills: ['steel'], location: { country: 'ES' } })
  await apply(id, { name: 'Ñusta', experience_years: 1 })
  await apply(other.id, { name: 'Other' })
  await setStage(id, bea, 'offer')
  const names = async (query: string) =>
    (await ask<{ data: ItemBody[] }>('GET', `/vacancies/${id}/candidates?${query}`)).data.map(
      ({ name }) => name,
    )
  expect(await names('')).toEqual(['Ñusta', 'ana', 'Bea'])
  expect(await names('sort_order=asc')).toEqual(['Bea', 'ana', 'Ñusta'])
  expect(await names('sort_by=name&sort_order=asc')).toEqual(['ana', 'Bea', 'Ñusta'])
  expect(await names('sort_by=experience')).toEqual(['Bea', 'Ñusta', 'ana'])
  expect(await names('sort_by=match_score')).toEqual(['Bea', 'Ñusta', 'ana'])
  expect(await names('stage=offer')).toEqual(['Bea'])
  expect(await names('skills=WOOD, glue')).toEqual(['Bea'])
  expect(await names('skills=WOOD&skills=glue')).toEqual(['Bea'])
  expect(await names('skills=wood,steel')).toEqual([])
  expect(await names('skills=wood&skills=steel')).toEqual([])
  expect(await names('skills=woo')).toEqual([])
  expect(await names('skills=,')).toHaveLength(3)
  expect(await names('min_experience=1')).toEqual(['Ñusta', 'Bea'])
  expect(await names('location=dav')).toEqual(['Bea'])
  expect(await names('location=panama')).toEqual(['Bea'])
  expect(await names('location=pa')).toEqual(['Bea'])
  expect(await names('location=Spain')).toEqual(['ana'])
  expect(await names('location=pai')).toEqual([])
})

const pairs = STAGES.flatMap((from) => STAGES.map((to) => [from, to] as const))

test.each(pairs)('moves a candidate from %s to %s', async (from, to) => {
  const { addVacancy, apply, setStage, setClock, getCandidate, fresh, emails } = await freshRecruiting()
  const { id } = await addVacancy()
  const candidate = await apply(id)
  await setStage(id, candidate, from)
  setClock('2026-11-22T12:00:00.000Z')
  const answer = await setStage(id, candidate, to, { notes: 'Why not', notify_candidate: true })
  expect(answer.body).toEqual({
    previous_stage: from,
    new_stage: to,
    changed_at: '2026-11-22T12:00:00.000Z',
    changed_by: fresh.user.id,
    notification_sent: from !== to,
  })
  const [application] = (await getCandidate(candidate)).applications
  expect(application?.stage).toBe(to)
  const last = application?.stage_history[0]
  expect(last).toMatchObject({ previous_stage: from, new_stage: to, notes: 'Why not' })
  expect(application?.stage_history).toHaveLength(Number(from !== 'new') + 1)
  const [, ...news] = emails()
  expect(news.map(({ to: whom }) => whom)).toEqual(from === to ? [] : ['ana1@example.com'])
})

test('keeps only the notes of a move to the same stage, and emits no event', async () => {
  const { addVacancy, apply, setStage, getCandidate, events } = await freshRecruiting()
  const { id } = await addVacancy()
  const candidate = await apply(id)
  const before = events()
  await setStage(id, candidate, 'new')
  await setStage(id, candidate, 'new', { notes: ' ' })
  expect((await getCandidate(candidate)).applications[0]?.stage_history).toEqual([])
  await setStage(id, candidate, 'new', { notes: 'Called, no answer.' })
  expect((await getCandidate(candidate)).applications[0]?.stage_history).toMatchObject([
    { previous_stage: 'new', new_stage: 'new', notes: 'Called, no answer.' },
  ])
  expect(events()).toEqual(before)
})

test('documents that a move to the same stage keeps its notes', async () => {
  const { fresh } = await freshRecruiting()
  const { text } = await fresh.call('GET', '/_sim/openapi/recruiting.json')
  expect(text).toContain('Setting the current stage only adds its notes to stage_history')
  expect(applicationMachine.moves.review.fidelity).toMatchObject({
    why: expect.stringContaining('setting the current stage only stores its notes') as string,
  })
})

test('shows a private note only to its author, and in no event', async () => {
  const { addVacancy, apply, ask, fresh, events } = await freshRecruiting()
  const candidate = await apply((await addVacancy()).id)
  await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/subscriptions`, {
    body: { interface: 'recruiting', url: 'http://127.0.0.1:9/hook' },
  })
  const before = events()
  const content = 'Between us alone'
  const path = `/candidates/${candidate}/notes`
  expect(await ask('POST', path, { content, visibility: 'private' })).toMatchObject({ content })
  expect(events()).toEqual(before)
  for (const place of [`/candidates/${candidate}`, '/candidates/search?q=Between']) {
    expect(JSON.stringify(await ask('GET', place))).not.toContain(content)
  }
  for (const place of ['deliveries', 'timeline', 'emails']) {
    const { text } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/${place}`)
    expect(text).not.toContain(content)
  }
  await ask('POST', path, { content: 'For all' })
  expect(events()).toEqual([...before, 'candidate.note_added'])
  const { text } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/deliveries`)
  expect(text).toContain('For all')
})

describe('confirmation of an application', () => {
  test('is one e-mail to the candidate with the vacancy and the company', async () => {
    const { addVacancy, apply, emails, fresh } = await freshRecruiting()
    await apply((await addVacancy({ title: 'Joiner\nof chairs' })).id, {
      name: 'Ana',
      email: 'ana@example.com',
    })
    expect(emails()).toEqual([
      {
        to: 'ana@example.com',
        subject: `We received your application: Joiner of chairs, ${fresh.workspace.name}`,
        text: expect.stringMatching(
          /^Dear Ana,\n\nThank you(.|\n)*Replies to it are not read\.\n$/,
        ) as string,
        attachments: [],
      },
    ])
    const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/emails`)
    expect(body).toMatchObject({ data: [{ interface: 'recruiting' }] })
  })

  test('is sent once for each vacancy, and not for a refused application', async () => {
    const { addVacancy, apply, emails, trigger, ask } = await freshRecruiting()
    const [one, other] = [await addVacancy(), await addVacancy()]
    const fields = { name: 'Ana', email: 'ana@example.com' }
    await apply(one.id, fields)
    await apply(other.id, fields)
    expect(emails()).toHaveLength(2)
    expect((await trigger('candidate.apply', { vacancy_id: one.id, ...fields })).status).toBe(200)
    await ask('POST', `/vacancies/${other.id}/status`, { status: 'paused' })
    const late = { vacancy_id: other.id, name: 'Bea', email: 'bea@example.com' }
    expect((await trigger('candidate.apply', late)).status).toBe(409)
    expect(emails()).toHaveLength(2)
  })

  test('is not sent to imported candidates', async () => {
    const { call, emails, setClock, ask } = await freshRecruiting()
    const file = { filename: 'a.csv', content: 'name,email\nBea,bea@example.com\n' }
    expect((await call('POST', '/candidates/import', formOf({ file }))).status).toBe(200)
    setClock('2026-11-21T14:00:00.000Z')
    expect(await ask('GET', '/candidates/search')).toMatchObject({ meta: { total: 1 } })
    expect(emails()).toEqual([])
  })
})

test('notifies candidates of a stage only on request', async () => {
  const { addVacancy, apply, setStage, emails } = await freshRecruiting()
  const { id } = await addVacancy()
  const candidate = await apply(id)
  expect((await setStage(id, candidate, 'offer')).body).toMatchObject({ notification_sent: false })
  await setStage(id, candidate, 'hired', { notify_candidate: true })
  const [, ...news] = emails()
  expect(news).toMatchObject([{ to: 'ana1@example.com', subject: 'Your application: Joiner' }])
})

test('returns 404 for the stage of a candidate of another vacancy', async () => {
  const { addVacancy, apply, setStage } = await freshRecruiting()
  const [one, other] = [await addVacancy(), await addVacancy()]
  const candidate = await apply(one.id)
  expect(await setStage(other.id, candidate, 'offer')).toMatchObject(refusal(404, 'not_found'))
  expect(await setStage('nothing', candidate, 'offer')).toMatchObject(refusal(404, 'not_found'))
  expect(await setStage(one.id, 'nobody', 'offer')).toMatchObject(refusal(404, 'not_found'))
})

test('returns a note with its author', async () => {
  const { addVacancy, apply, call, ask, fresh, events } = await freshRecruiting()
  const candidate = await apply((await addVacancy()).id)
  const path = `/candidates/${candidate}/notes`
  expect(await ask('POST', path, { content: 'x'.repeat(10_000) })).toMatchObject({
    candidate_id: candidate,
    visibility: 'team',
    author: { id: fresh.user.id, name: fresh.user.name },
    created_at: NOON,
  })
  for (const body of [
    { content: '' },
    { content: ' ' },
    { content: 'x'.repeat(10_001) },
    { content: 'a', visibility: 'all' },
    {},
  ]) {
    expect((await call('POST', path, { body })).status).toBe(422)
  }
  expect(events().at(-1)).toBe('candidate.note_added')
})

test('finds candidates of all vacancies with their latest applications', async () => {
  const { addVacancy, apply, setStage, ask, setClock } = await freshRecruiting()
  const [one, other] = [await addVacancy({ title: 'One' }), await addVacancy({ title: 'Other' })]
  const rosa = await apply(one.id, {
    name: 'Rosa Núñez',
    email: 'rosa@example.com',
    phone: '+507 6000-0101',
    skills: ['wood'],
  })
  setClock('2026-11-22T12:00:00.000Z')
  await apply(other.id, { name: 'Rosa Núñez', email: 'rosa@example.com' })
  await setStage(other.id, rosa, 'offer')
  await apply(other.id, { name: 'Tito', skills: ['steel'], experience_years: 4 })
  const found = async (query: string) =>
    (await ask<{ data: ItemBody[] }>('GET', `/candidates/search?${query}`)).data.map(
      ({ name, stage }) => `${name} ${stage}`,
    )
  expect(await found('')).toEqual(['Tito new', 'Rosa Núñez offer'])
  expect(await found('q=nunez')).toEqual(['Rosa Núñez offer'])
  expect(await found('q=60000101')).toEqual(['Rosa Núñez offer'])
  expect(await found('q=steel')).toEqual(['Tito new'])
  expect(await found('skills=steel&min_experience=4')).toEqual(['Tito new'])
  expect(await found('skills=steel&min_experience=5')).toEqual([])
  expect(await found('availability=immediate')).toEqual([])
})

test('counts views', async () => {
  const { addVacancy, trigger, getVacancy } = await freshRecruiting()
  const { id } = await addVacancy()
  await trigger('vacancy.view', { vacancy_id: id })
  expect((await trigger('vacancy.view', { vacancy_id: id, count: 9 })).body).toEqual({
    vacancy_id: id,
    views_count: 10,
  })
  for (const count of [0, 1.5, 1_000_001]) {
    expect((await trigger('vacancy.view', { vacancy_id: id, count })).status).toBe(400)
  }
  expect((await getVacancy(id)).views_count).toBe(10)
})
