/** Analytics of past events. Specification part 1, "Recruiting". */
import { expect, test } from 'vitest'
import { formOf } from '../../support/forms.ts'
import { freshRecruiting } from '../../support/recruiting.ts'

interface Report<Data> {
  readonly data: Data
}

async function season() {
  const hiring = await freshRecruiting()
  const { addVacancy, apply, setStage, setClock, trigger, schedule } = hiring
  hiring.fresh.workspace.change({ timezone: 'America/Panama' })
  setClock('2026-09-01T12:00:00.000Z')
  const joiner = await addVacancy({ department: 'Taller', skills: ['wood'] })
  const painter = await addVacancy({ title: 'Painter', department: 'Otro' })
  await trigger('vacancy.view', { vacancy_id: joiner.id, count: 30 })
  setClock('2026-09-03T18:30:00.000Z')
  const ana = await apply(joiner.id, { name: 'Ana', skills: ['Wood', 'glue'], source: 'fair' })
  const bea = await apply(joiner.id, { name: 'Bea', skills: ['wood'] })
  // Still September in Panama.
  setClock('2026-10-01T04:59:59.999Z')
  const eva = await apply(joiner.id, { name: 'Eva' })
  await apply(painter.id, { name: 'Ida', source: 'fair' })
  setClock('2026-10-05T18:30:00.000Z')
  await setStage(joiner.id, bea, 'interview')
  await setStage(joiner.id, bea, 'rejected')
  await setStage(joiner.id, eva, 'reviewing')
  await setStage(joiner.id, ana, 'offer')
  await schedule(joiner.id, ana, { scheduled_at: '2026-10-06T10:00:00Z' })
  setClock('2026-10-13T18:30:00.000Z')
  await setStage(joiner.id, ana, 'hired')
  return { ...hiring, joiner, painter }
}

test('counts the metrics of a vacancy', async () => {
  const { ask, joiner, painter } = await season()
  expect(await ask('GET', `/analytics/vacancies/${joiner.id}`)).toEqual({
    data: {
      vacancy_id: joiner.id,
      metrics: {
        views: 30,
        applications: 3,
        conversion_rate: 10,
        time_to_first_application: 54.5,
        candidates_by_stage: {
          new: 0,
          reviewing: 1,
          shortlisted: 0,
          interview: 0,
          offer: 0,
          hired: 1,
          rejected: 1,
        },
        sources: [
          { source: 'direct', count: 2 },
          { source: 'fair', count: 1 },
        ],
        top_skills: [
          { skill: 'Wood', count: 2 },
          { skill: 'glue', count: 1 },
        ],
      },
    },
  })
  const { data } = await ask<Report<{ metrics: object }>>('GET', `/analytics/vacancies/${painter.id}`)
  expect(data.metrics).toMatchObject({ views: 0, applications: 1, conversion_rate: null })
})

test('limits the conversion to one hundred percent if there are more applications than views', async () => {
  const { ask, addVacancy, apply, trigger } = await freshRecruiting()
  const { id } = await addVacancy()
  await trigger('vacancy.view', { vacancy_id: id })
  for (const name of ['Ana', 'Bea']) {
    await apply(id, { name, email: `${name.toLowerCase()}@example.com` })
  }
  const { data } = await ask<Report<{ metrics: object }>>('GET', `/analytics/vacancies/${id}`)
  expect(data.metrics).toMatchObject({ views: 1, applications: 2, conversion_rate: 100 })
})

test('counts every candidate in one stage of the summary', async () => {
  const { ask, addVacancy, apply, setStage, call, setClock } = await freshRecruiting()
  const summary = async () =>
    (await ask<Report<Record<string, Record<string, unknown>>>>('GET', '/analytics/summary')).data
  const empty = await summary()
  expect(empty['conversion_funnel']?.['rates']).toEqual({
    reviewing: null,
    shortlisted: null,
    interview: null,
    offer: null,
    hired: null,
    overall: null,
  })
  const [one, other] = [await addVacancy(), await addVacancy()]
  const fields = { name: 'Ana', email: 'ana@example.com' }
  await setStage(one.id, await apply(one.id, fields), 'rejected')
  setClock('2026-11-21T13:00:00.000Z')
  await apply(other.id, fields)
  const file = { filename: 'a.csv', content: 'name,email\nBea,bea@example.com\n' }
  await call('POST', '/candidates/import', formOf({ file }))
  setClock('2026-11-21T14:00:00.000Z')
  const { candidates } = await summary()
  expect(candidates).toMatchObject({ total: 2, by_stage: { new: 1, rejected: 0, no_application: 1 } })
  const sum = Object.values(candidates?.['by_stage'] as Record<string, number>).reduce((a, b) => a + b, 0)
  expect(sum).toBe(candidates?.['total'])
  expect(await ask('GET', '/candidates/search')).toMatchObject({ meta: { total: sum } })
})

test('counts interviews in the period of their creation, whatever their time', async () => {
  const { ask, addVacancy, apply, schedule } = await freshRecruiting()
  const { id } = await addVacancy()
  await schedule(id, await apply(id), { scheduled_at: '2030-01-01T10:00:00Z' })
  const { data } = await ask<Report<{ interviews: object }>>('GET', '/analytics/summary')
  expect(data.interviews).toMatchObject({ scheduled: 1 })
})

test('returns metrics for a vacancy without applications', async () => {
  const { ask, addVacancy } = await freshRecruiting()
  const { id } = await addVacancy({ status: 'draft' })
  const { data } = await ask<Report<{ metrics: object }>>('GET', `/analytics/vacancies/${id}`)
  expect(data.metrics).toMatchObject({ time_to_first_application: null, sources: [], top_skills: [] })
})

test('counts current stages in the summary, and the furthest stages of the period', async () => {
  const { ask } = await season()
  const { data } = await ask<Report<Record<string, unknown>>>(
    'GET',
    '/analytics/summary?from=2026-09-01&to=2026-10-31&granularity=month',
  )
  expect(data).toEqual({
    period: { from: '2026-09-01T05:00:00.000Z', to: '2026-11-01T04:59:59.999Z', granularity: 'month' },
    vacancies: { total: 2, draft: 0, published: 2, paused: 0, in_process: 0, closed: 0, archived: 0, new: 2 },
    candidates: {
      total: 4,
      new: 4,
      by_stage: {
        new: 1,
        reviewing: 1,
        shortlisted: 0,
        interview: 0,
        offer: 0,
        hired: 1,
        rejected: 1,
        no_application: 0,
      },
    },
    interviews: { scheduled: 0, confirmed: 0, in_progress: 0, completed: 0, cancelled: 0, no_show: 1 },
    conversion_funnel: {
      applied: 4,
      reviewing: 3,
      shortlisted: 2,
      interview: 2,
      offer: 1,
      hired: 1,
      rates: { reviewing: 75, shortlisted: 66.7, interview: 100, offer: 50, hired: 100, overall: 25 },
    },
    series: [
      { period_start: '2026-09-01', applications: 4, hires: 0 },
      { period_start: '2026-10-01', applications: 0, hires: 1 },
    ].map((each) => ({ ...each, period_start: each.period_start.slice(0, 7) })),
  })
})

test.each([
  ['day', ['2026-10-12', '2026-10-13', '2026-10-14'], [0, 1, 0]],
  ['week', ['2026-10-12'], [1]],
  ['month', ['2026-10'], [1]],
])('returns the series by %s', async (granularity, names, hires) => {
  const { ask } = await season()
  const { data } = await ask<Report<{ series: { period_start: string; hires: number }[] }>>(
    'GET',
    `/analytics/summary?from=2026-10-12&to=2026-10-14&granularity=${granularity}`,
  )
  expect(data.series.map(({ period_start }) => period_start)).toEqual(names)
  expect(data.series.map((each) => each.hires)).toEqual(hires)
})

test.each([
  ['2026-09-01', '2026-10-13T00:00:00-05:00', 'day', '2026-10-12'],
  ['2026-09-01', '2026-10-12T23:59:59.999-05:00', 'day', '2026-10-12'],
  ['2026-09-01', '2026-10-13T00:00:00.001-05:00', 'day', '2026-10-13'],
  ['2026-09-01', '2026-10-12T00:00:00-05:00', 'week', '2026-10-05'],
  ['2026-09-01', '2026-10-01T00:00:00-05:00', 'month', '2026-09'],
  ['2026-10-13T00:00:00-05:00', '2026-10-13T00:00:00-05:00', 'day', '2026-10-13'],
])('ends the series from %s to %s by %s with %s', async (from, to, granularity, last) => {
  const { ask } = await season()
  const span = `from=${from}&to=${to}`
  const { data } = await ask<Report<{ series: { period_start: string }[] }>>(
    'GET',
    `/analytics/summary?${span}&granularity=${granularity}`,
  )
  expect(data.series.at(-1)?.period_start).toBe(last)
  if (granularity !== 'month') return
  const recruitment = await ask<Report<{ trends: Record<string, { month: string }[]> }>>(
    'GET',
    `/analytics/recruitment?${span}`,
  )
  for (const trend of Object.values(recruitment.data.trends)) expect(trend.at(-1)?.month).toBe(last)
})

test('has a period for what happened at the midnight of its end', async () => {
  const { addVacancy, apply, ask, setClock } = await freshRecruiting()
  const vacancy = await addVacancy()
  setClock('2026-10-13T00:00:00.000Z')
  await apply(vacancy.id)
  const { data } = await ask<Report<{ series: object[] }>>(
    'GET',
    '/analytics/summary?from=2026-10-12&to=2026-10-13T00:00:00Z&granularity=day',
  )
  expect(data.series).toMatchObject([
    { period_start: '2026-10-12', applications: 0 },
    { period_start: '2026-10-13', applications: 1 },
  ])
})

test('reports the recruitment of all departments or of one', async () => {
  const { ask, joiner } = await season()
  const report = async (query: string) =>
    (
      await ask<Report<{ kpis: object; trends: Record<string, { month: string; count: number }[]> }>>(
        'GET',
        `/analytics/recruitment?from=2026-09-01&to=2026-10-31${query}`,
      )
    ).data
  const all = await report('')
  expect(all.kpis).toEqual({
    total_vacancies: 2,
    total_applications: 4,
    total_hires: 1,
    avg_time_to_hire_days: 40,
    avg_time_to_fill_days: 42.3,
    offer_acceptance_rate: 100,
    applications_per_vacancy: 2,
    interview_to_hire_ratio: 2,
    cost_per_hire: null,
  })
  expect(all.trends).toEqual({
    applications_by_month: [
      { month: '2026-09', count: 4 },
      { month: '2026-10', count: 0 },
    ],
    hires_by_month: [
      { month: '2026-09', count: 0 },
      { month: '2026-10', count: 1 },
    ],
  })
  expect((await report('&department=OTRO')).kpis).toMatchObject({
    total_vacancies: 1,
    total_applications: 1,
    total_hires: 0,
    avg_time_to_hire_days: null,
    interview_to_hire_ratio: null,
  })
  expect((await report('&department=taller')).trends['hires_by_month']?.[1]?.count).toBe(1)
  expect((await report('&department=none')).kpis).toMatchObject({
    total_applications: 0,
    applications_per_vacancy: null,
  })
  expect(joiner.department).toBe('Taller')
})

test.each(['offer', 'rejected', 'new'])(
  'counts a hire that is moved back to %s in no figure',
  async (stage) => {
    const { ask, joiner, setStage } = await season()
    const found = await ask<{ data: { id: string }[] }>(
      'GET',
      `/vacancies/${joiner.id}/candidates?stage=hired`,
    )
    const id = found.data[0]?.id ?? ''
    const figures = async () => {
      const span = 'from=2026-09-01&to=2026-10-31'
      const { kpis, trends } = (
        await ask<Report<{ kpis: object; trends: { hires_by_month: { count: number }[] } }>>(
          'GET',
          `/analytics/recruitment?${span}`,
        )
      ).data
      const {
        candidates: all,
        conversion_funnel: funnel,
        series,
      } = (
        await ask<
          Report<{
            candidates: { by_stage: { hired: number } }
            conversion_funnel: { offer: number; hired: number }
            series: { hires: number }[]
          }>
        >('GET', `/analytics/summary?${span}&granularity=month`)
      ).data
      const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0)
      return {
        kpis,
        hires: [
          sum(trends.hires_by_month.map(({ count }) => count)),
          sum(series.map(({ hires }) => hires)),
          all.by_stage.hired,
          funnel.hired,
        ],
        offers: funnel.offer,
      }
    }
    const before = await figures()
    expect(before).toMatchObject({ kpis: { total_hires: 1 }, hires: [1, 1, 1, 1], offers: 1 })
    expect((await setStage(joiner.id, id, stage)).status).toBe(200)
    expect(await figures()).toMatchObject({
      kpis: {
        total_hires: 0,
        avg_time_to_hire_days: null,
        avg_time_to_fill_days: null,
        offer_acceptance_rate: 0,
        interview_to_hire_ratio: null,
      },
      hires: [0, 0, 0, 0],
      offers: 1,
    })
    expect((await setStage(joiner.id, id, 'hired')).status).toBe(200)
    expect(await figures()).toEqual(before)
  },
)

test('counts a snapshot with such a hire in the same way', async () => {
  const { ask, fresh } = await season()
  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const snapshot = (await fresh.call('GET', path)).body as {
    recruiting: { applications: { stage: string; furthest: number }[] }
  }
  for (const application of snapshot.recruiting.applications) {
    if (application.stage === 'hired') application.stage = 'rejected'
  }
  expect((await fresh.call('PUT', path, { body: snapshot })).status).toBe(204)
  const { data } = await ask<Report<{ kpis: object }>>('GET', '/analytics/recruitment?from=2026-09-01')
  expect(data.kpis).toMatchObject({ total_hires: 0, offer_acceptance_rate: 0, interview_to_hire_ratio: null })
})

test('requires a period that ends after it begins, and limits its number of parts', async () => {
  const { call } = await freshRecruiting()
  const statuses = async (path: string, queries: readonly string[]) =>
    Promise.all(queries.map(async (query) => (await call('GET', `${path}?${query}`)).status))
  const summary = [
    'from=2026-02-02&to=2026-02-01',
    'from=2024-01-01&to=2026-09-27',
    'from=2024-01-01&to=2026-09-26',
    'from=0001-01-01&granularity=month',
    'to=0001-01-01',
  ]
  expect(await statuses('/analytics/summary', summary)).toEqual([422, 422, 200, 422, 200])
  const recruitment = ['from=2026-02-02&to=2026-02-01', 'from=0001-01-01', 'from=2000-01-01', 'to=9999-12-31']
  expect(await statuses('/analytics/recruitment', recruitment)).toEqual([422, 422, 200, 200])
})
