/** Specification part 1, "CRM": the pipeline report as documented, and the assumed team report and forecast. */
import { describe, expect, test } from 'vitest'
import { freshSales, invalid, NOON, refusal, type DealBody, type Sales } from '../../support/deals.ts'

const NOTHING = {
  other_currencies: [],
  deals_count: 0,
  total_value: 0,
  weighted_value: 0,
  best_case_value: 0,
  committed_value: 0,
  won_value: 0,
  value: 0,
}

/** Deals at four times: two won, one lost, one open, of two owners. */
async function soldSales(): Promise<Sales & { readonly marco: string }> {
  const sales = await freshSales()
  const { addDeal, ask, fresh, offer, setClock } = sales
  const marco = fresh.workspace.addUser({ name: 'Marco Vega', email: 'marco@example.com' }).id
  setClock('2026-10-01T00:00:00Z')
  const a = await addDeal({ value: 100.1 })
  const b = await addDeal({ value: 200.2, owner_id: marco })
  setClock('2026-10-03T00:00:00Z')
  await ask('POST', `/deals/${a.id}/move`, { stage_id: offer })
  setClock('2026-10-05T12:00:00Z')
  await ask('POST', `/deals/${a.id}/won`)
  await ask('POST', `/deals/${b.id}/lost`)
  setClock('2026-11-02T00:00:00Z')
  const c = await addDeal({ value: 300.33, owner_id: marco })
  await addDeal({ value: 400.4, owner_id: null })
  setClock('2026-11-03T00:00:00Z')
  await ask('POST', `/deals/${c.id}/won`)
  return { ...sales, marco }
}

describe('pipeline report', () => {
  test('counts the deals in total and by stage', async () => {
    const { ask, offer, pipeline, setClock, talk } = await soldSales()
    setClock('2026-11-04T00:00:00Z')
    expect(await ask('GET', `/reports/pipeline?pipeline_id=${pipeline.id}`)).toEqual({
      pipeline: { id: pipeline.id, name: 'Sales' },
      period: { from: null, to: null },
      currency: 'USD',
      summary: {
        other_currencies: [],
        total_deals: 4,
        total_value: 1001.03,
        won_deals: 2,
        won_value: 400.43,
        lost_deals: 1,
        conversion_rate: 66.7,
        average_deal_value: 250.26,
        // 4.5 days and 1.
        average_days_to_close: 2.75,
      },
      by_stage: [
        {
          stage_id: talk,
          stage: 'Talk',
          other_currencies: [],
          deals_count: 3,
          total_value: 900.93,
          // 2, 4.5, 1 and, until now, 2 days.
          avg_days: 2.38,
        },
        {
          stage_id: offer,
          stage: 'Offer',
          other_currencies: [],
          deals_count: 1,
          total_value: 100.1,
          avg_days: 2.5,
        },
      ],
    })
  })

  test('returns zeros without deals', async () => {
    const { ask, pipeline } = await freshSales()
    expect(await ask('GET', `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=month`)).toMatchObject({
      summary: {
        total_deals: 0,
        total_value: 0,
        won_deals: 0,
        won_value: 0,
        lost_deals: 0,
        conversion_rate: 0,
        average_deal_value: 0,
        average_days_to_close: 0,
      },
      by_stage: [
        { stage: 'Talk', deals_count: 0, total_value: 0, avg_days: 0 },
        { stage: 'Offer', deals_count: 0, total_value: 0, avg_days: 0 },
      ],
      by_month: [],
    })
  })

  test.each([
    ['from=2026-10-01', 4],
    ['from=2026-10-02', 2],
    ['to=2026-10-01', 2],
    ['to=2026-09-30', 0],
    ['from=2026-11-02&to=2026-11-02', 2],
    ['from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z', 2],
    ['from=2026-11-02T00:00:00.001Z', 0],
    ['to=2026-11-01T23:59:59.999Z', 2],
    ['to=2026-11-02T01:00:00%2B01:00', 4],
  ])('includes the deals created in %s', async (query, deals) => {
    const { ask, pipeline } = await soldSales()
    const report = await ask<{ summary: { total_deals: number }; by_stage: { deals_count: number }[] }>(
      'GET',
      `/reports/pipeline?pipeline_id=${pipeline.id}&${query}`,
    )
    expect(report.summary.total_deals).toBe(deals)
    expect(report.by_stage.reduce((sum, stage) => sum + stage.deals_count, 0)).toBe(deals)
  })

  test('interprets dates in the time zone of the workspace, and returns them unchanged', async () => {
    const { addDeal, ask, pipeline, setClock } = await freshSales({}, { timezone: 'America/Panama' })
    setClock('2026-11-01T04:59:59.999Z')
    await addDeal()
    setClock('2026-11-01T05:00:00.000Z')
    await addDeal()
    const path = `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=month`
    expect(await ask('GET', `${path}&from=2026-11-01&to=2026-11-01`)).toMatchObject({
      period: { from: '2026-11-01', to: '2026-11-01' },
      summary: { total_deals: 1 },
      by_month: [{ month: '2026-11', deals_count: 1 }],
    })
    expect(await ask('GET', path)).toMatchObject({
      by_month: [
        { month: '2026-10', deals_count: 1 },
        { month: '2026-11', deals_count: 1 },
      ],
    })
  })

  test('adds owners to the stages, no owner last', async () => {
    const { ask, fresh, marco, pipeline } = await soldSales()
    const report = await ask<{ by_owner: { owner: { id: string } | null }[] }>(
      'GET',
      `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=owner`,
    )
    expect(report).toHaveProperty('by_stage')
    expect(report.by_owner).toHaveLength(3)
    expect(report.by_owner).toContainEqual({
      owner: { id: marco, name: 'Marco Vega' },
      other_currencies: [],
      deals_count: 2,
      total_value: 500.53,
      won_deals: 1,
      won_value: 300.33,
      lost_deals: 1,
      conversion_rate: 50,
    })
    expect(report.by_owner.some(({ owner }) => owner?.id === fresh.user.id)).toBe(true)
    expect(report.by_owner.at(-1)).toMatchObject({ owner: null, deals_count: 1, total_value: 400.4 })
  })

  test('adds verticals to the stages, those of contacts if the pipeline has none', async () => {
    const { addContact, addDeal, ask, pipeline } = await freshSales()
    const { id: contact_id } = await addContact({ vertical: 'education' })
    await addDeal({ contact_id, value: 10 })
    await addDeal({ value: 5 })
    const path = `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=vertical`
    expect(await ask('GET', path)).toMatchObject({
      by_vertical: [
        { vertical: 'education', deals_count: 1, total_value: 10 },
        { vertical: null, deals_count: 1, total_value: 5 },
      ],
    })
  })

  test('adds the months of creation, including months without deals', async () => {
    const { addDeal, ask, pipeline, setClock } = await freshSales()
    setClock('2026-08-31T23:59:59Z')
    await addDeal({ value: 7 })
    setClock('2026-11-01T00:00:00Z')
    await addDeal({ value: 9 })
    const path = `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=month`
    const { by_month } = await ask<{ by_month: { month: string; total_value: number }[] }>('GET', path)
    expect(by_month.map(({ month, total_value }) => [month, total_value])).toEqual([
      ['2026-08', 7],
      ['2026-09', 0],
      ['2026-10', 0],
      ['2026-11', 9],
    ])
    const until = await ask<{ by_month: { month: string }[] }>('GET', `${path}&to=2026-09-01T00:00:00Z`)
    expect(until.by_month.map(({ month }) => month)).toEqual(['2026-08'])
  })

  test('requires an existing pipeline and a period that ends after it begins', async () => {
    const { call, pipeline } = await freshSales()
    const path = `/reports/pipeline?pipeline_id=${pipeline.id}`
    expect(await call('GET', '/reports/pipeline?pipeline_id=pipe_x')).toMatchObject(refusal(404, 'not_found'))
    expect(await call('GET', `${path}&from=2026-11-02&to=2026-11-01`)).toMatchObject(
      invalid('to', 'before_from'),
    )
  })
})

describe('team report', () => {
  test('counts the deals and activities of each user, and those without an owner', async () => {
    const { ask, fresh, marco, pipeline } = await soldSales()
    await ask('POST', '/activities', { type: 'call', subject: 'Call', owner_id: marco })
    const report = await ask<{ team: unknown[]; totals: unknown }>('GET', '/reports/team')
    expect(report).toEqual({
      period: { from: null, to: null },
      currency: 'USD',
      team: [
        {
          owner: { id: fresh.user.id, name: 'Test User' },
          other_currencies: [],
          deals_count: 1,
          open_deals: 0,
          open_value: 0,
          won_deals: 1,
          won_value: 100.1,
          lost_deals: 0,
          conversion_rate: 100,
          average_deal_value: 100.1,
          average_days_to_close: 4.5,
          activities_count: 0,
        },
        {
          owner: { id: marco, name: 'Marco Vega' },
          other_currencies: [],
          deals_count: 2,
          open_deals: 0,
          open_value: 0,
          won_deals: 1,
          won_value: 300.33,
          lost_deals: 1,
          conversion_rate: 50,
          average_deal_value: 250.27,
          average_days_to_close: 1,
          activities_count: 1,
        },
        {
          owner: null,
          other_currencies: [],
          deals_count: 1,
          open_deals: 1,
          open_value: 400.4,
          won_deals: 0,
          won_value: 0,
          lost_deals: 0,
          conversion_rate: 0,
          average_deal_value: 400.4,
          average_days_to_close: 0,
          activities_count: 0,
        },
      ],
      totals: {
        other_currencies: [],
        deals_count: 4,
        open_deals: 1,
        open_value: 400.4,
        won_deals: 2,
        won_value: 400.43,
        lost_deals: 1,
        conversion_rate: 66.7,
        average_deal_value: 250.26,
        average_days_to_close: 2.75,
        activities_count: 1,
      },
    })
    const ofPipeline = await ask<{ totals: unknown }>('GET', `/reports/team?pipeline_id=${pipeline.id}`)
    expect(ofPipeline.totals).toMatchObject({ deals_count: 4, activities_count: 0 })
  })

  test('counts only the deals of a pipeline and their activities, and only those of a period', async () => {
    const { addDeal, addPipeline, ask, fresh, setClock } = await freshSales()
    const other = await addPipeline()
    const { id: deal_id } = await addDeal({ pipeline_id: other.id })
    const owner_id = fresh.user.id
    await ask('POST', '/activities', { type: 'call', subject: 'Of the deal', owner_id, deal_id })
    await ask('POST', '/activities', { type: 'call', subject: 'Of none', owner_id })
    setClock('2026-11-22T12:00:00Z')
    await addDeal()
    const totals = async (query: string) => {
      const report = await ask<{ totals: { deals_count: number; activities_count: number } }>(
        'GET',
        `/reports/team?${query}`,
      )
      return [report.totals.deals_count, report.totals.activities_count]
    }
    expect(await totals('')).toEqual([2, 2])
    expect(await totals(`pipeline_id=${other.id}`)).toEqual([1, 1])
    expect(await totals('to=2026-11-21')).toEqual([1, 2])
    expect(await totals(`pipeline_id=${other.id}&from=2026-11-22`)).toEqual([0, 0])
  })

  test('refuses an unknown pipeline and a period that ends before it begins', async () => {
    const { call } = await freshSales()
    expect(await call('GET', '/reports/team?pipeline_id=pipe_x')).toMatchObject(refusal(404, 'not_found'))
    expect(await call('GET', '/reports/team?from=2026-11-02&to=2026-11-01')).toMatchObject(
      invalid('to', 'before_from'),
    )
  })
})

interface ForecastBody {
  readonly total: number
  readonly items: { readonly label: string; readonly value: number }[]
}

describe('forecast', () => {
  /** Open deals in two months and without a date, and one that was won this month. */
  async function dealsByMonth() {
    const sales = await freshSales()
    const { addDeal, ask, offer } = sales
    await addDeal({ value: 100, expected_close_date: '2026-11-30' })
    await addDeal({ value: 1000, expected_close_date: '2026-12-01', stage_id: offer })
    await addDeal({ value: 50, expected_close_date: '2026-12-31' })
    await addDeal({ value: 5 })
    const { id: won } = await addDeal({ value: 20, expected_close_date: '2027-03-01' })
    await ask<DealBody>('POST', `/deals/${won}/won`)
    const { id: lost } = await addDeal({ value: 9, expected_close_date: '2026-12-05' })
    await ask<DealBody>('POST', `/deals/${lost}/lost`)
    return sales
  }

  test('covers twelve months from the current one, and deals without a date', async () => {
    const { ask } = await dealsByMonth()
    const { items, ...rest } = await ask<ForecastBody>('GET', '/reports/forecast')
    expect(rest).toEqual({
      pipeline: null,
      period: 'monthly',
      type: 'weighted',
      currency: 'USD',
      total: 20 + 900 + 10 + 1,
      other_currencies: [],
      unscheduled: {
        ...NOTHING,
        deals_count: 1,
        total_value: 5,
        weighted_value: 1,
        best_case_value: 5,
        value: 1,
      },
    })
    expect(items).toHaveLength(12)
    expect(items.slice(0, 3)).toEqual([
      {
        other_currencies: [],
        period_start: '2026-11-01',
        period_end: '2026-11-30',
        label: '2026-11',
        deals_count: 1,
        total_value: 100,
        weighted_value: 20,
        best_case_value: 120,
        committed_value: 20,
        won_value: 20,
        value: 20,
      },
      {
        other_currencies: [],
        period_start: '2026-12-01',
        period_end: '2026-12-31',
        label: '2026-12',
        deals_count: 2,
        total_value: 1050,
        weighted_value: 910,
        best_case_value: 1050,
        committed_value: 1000,
        won_value: 0,
        value: 910,
      },
      { ...NOTHING, period_start: '2027-01-01', period_end: '2027-01-31', label: '2027-01' },
    ])
  })

  test.each([
    ['weighted', 931],
    ['best_case', 100 + 20 + 1050 + 5],
    ['committed', 20 + 1000],
  ])('with the type %s sums it', async (type, total) => {
    const { ask } = await dealsByMonth()
    expect(await ask('GET', `/reports/forecast?type=${type}`)).toMatchObject({ type, total })
  })

  test.each([
    ['quarterly', ['2026-Q4', '2027-Q1', '2027-Q2', '2027-Q3'], '2026-10-01', '2026-12-31'],
    ['yearly', ['2026', '2027', '2028'], '2026-01-01', '2026-12-31'],
  ])('may be %s', async (period, labels, first, last) => {
    const { ask } = await dealsByMonth()
    const { items, ...rest } = await ask<ForecastBody>('GET', `/reports/forecast?period=${period}`)
    expect(rest).toMatchObject({ period, total: 931 })
    expect(items.map(({ label }) => label)).toEqual(labels)
    expect(items[0]).toMatchObject({
      period_start: first,
      period_end: last,
      deals_count: 3,
      total_value: 1150,
      won_value: 20,
    })
  })

  test('includes a later period if a deal is expected in it', async () => {
    const { addDeal, ask } = await freshSales()
    await addDeal({ value: 10, expected_close_date: '2025-01-31' })
    await addDeal({ value: 10, expected_close_date: '2031-07-01' })
    const { items } = await ask<ForecastBody>('GET', '/reports/forecast?period=yearly')
    expect(items.map(({ label, value }) => [label, value])).toEqual([
      ['2025', 2],
      ['2026', 0],
      ['2027', 0],
      ['2028', 0],
      ['2031', 2],
    ])
  })

  test.each([
    ['2026-11-21', 1 + 20 + 300],
    // The won deals of the year before do not count.
    ['2027-02-01', 1],
  ])('on %s is the same by month, quarter and year, whatever else is overdue', async (day, total) => {
    const { addDeal, ask, setClock } = await freshSales()
    for (const [month, value] of [
      ['2026-08', 300],
      ['2026-10', 20],
    ] as const) {
      setClock(`${month}-15T12:00:00Z`)
      const { id } = await addDeal({ value })
      await ask('POST', `/deals/${id}/won`)
    }
    setClock(`${day}T12:00:00Z`)
    const totals = () =>
      Promise.all(
        ['monthly', 'quarterly', 'yearly'].map(async (period) => {
          const { total } = await ask<{ total: number }>(
            'GET',
            `/reports/forecast?type=best_case&period=${period}`,
          )
          return total
        }),
      )
    expect(await totals()).toEqual([total - 1, total - 1, total - 1])
    await addDeal({ value: 1, expected_close_date: '2026-08-31' })
    expect(await totals()).toEqual([total, total, total])
  })

  test('lists the earlier months of the year with won deals', async () => {
    const { addDeal, ask, setClock } = await freshSales()
    setClock('2026-08-15T12:00:00Z')
    const { id } = await addDeal({ value: 300 })
    await ask('POST', `/deals/${id}/won`)
    setClock('2026-11-21T12:00:00Z')
    const { items } = await ask<{ items: { label: string; won_value: number }[] }>('GET', '/reports/forecast')
    expect(items.slice(0, 2)).toMatchObject([
      { label: '2026-08', won_value: 300 },
      { label: '2026-11', won_value: 0 },
    ])
  })

  test('counts as committed from a probability of 90 on', async () => {
    const { addDeal, addPipeline, ask } = await freshSales()
    const { id, stages } = await addPipeline({
      stages: [
        { name: 'Nearly', probability: 89 },
        { name: 'Surely', probability: 90 },
      ],
    })
    for (const stage of stages) await addDeal({ pipeline_id: id, stage_id: stage.id, value: 100 })
    expect(await ask('GET', '/reports/forecast?type=committed')).toMatchObject({ total: 100 })
  })

  test('of a pipeline includes only its deals', async () => {
    const { addDeal, addPipeline, ask, pipeline } = await freshSales()
    const other = await addPipeline({ name: 'Services' })
    await addDeal({ value: 100, expected_close_date: '2026-12-01' })
    const { id } = await addDeal({ value: 7, pipeline_id: other.id })
    await ask('POST', `/deals/${id}/won`)
    const total = async (pipelineId: string) =>
      ask('GET', `/reports/forecast?type=best_case&pipeline_id=${pipelineId}`)
    expect(await total(pipeline.id)).toMatchObject({
      pipeline: { id: pipeline.id, name: 'Sales' },
      total: 100,
    })
    expect(await total(other.id)).toMatchObject({ pipeline: { id: other.id, name: 'Services' }, total: 7 })
  })

  test('uses the time zone of the workspace for the current month', async () => {
    const { ask, setClock } = await freshSales({}, { timezone: 'America/Panama' })
    setClock('2026-12-01T04:59:59Z')
    const first = async () => (await ask<ForecastBody>('GET', '/reports/forecast')).items[0]?.label
    expect(await first()).toBe('2026-11')
    setClock('2026-12-01T05:00:00Z')
    expect(await first()).toBe('2026-12')
  })

  test('refuses an unknown pipeline', async () => {
    const { call } = await freshSales()
    expect(await call('GET', '/reports/forecast?pipeline_id=x')).toMatchObject(refusal(404, 'not_found'))
  })
})

describe('all reports', () => {
  interface Closed {
    readonly won_deals: number
    readonly won_value: number
    readonly lost_deals: number
    readonly conversion_rate: number
  }

  /** Created in October; one was won in November and one lost in December. */
  async function closedLater() {
    const sales = await freshSales()
    const { addDeal, ask, setClock } = sales
    setClock('2026-10-10T00:00:00Z')
    const [won, lost] = [await addDeal({ value: 100 }), await addDeal({ value: 30 })]
    setClock('2026-11-10T00:00:00Z')
    await ask('POST', `/deals/${won.id}/won`, { final_value: 120 })
    setClock('2026-12-10T00:00:00Z')
    await ask('POST', `/deals/${lost.id}/lost`)
    return sales
  }

  test.each([
    [
      '2026-10',
      '2026-10-01',
      '2026-10-31',
      [2, 150],
      { won_deals: 0, won_value: 0, lost_deals: 0, conversion_rate: 0 },
    ],
    [
      '2026-11',
      '2026-11-01',
      '2026-11-30',
      [0, 0],
      { won_deals: 1, won_value: 120, lost_deals: 0, conversion_rate: 100 },
    ],
    [
      '2026-12',
      '2026-12-01',
      '2026-12-31',
      [0, 0],
      { won_deals: 0, won_value: 0, lost_deals: 1, conversion_rate: 0 },
    ],
  ])('agree on the won and lost deals of %s', async (month, from, to, created, closed) => {
    const { ask, pipeline, setClock } = await closedLater()
    const span = `from=${from}&to=${to}`
    const ofPipeline = await ask<{
      summary: Closed & { total_deals: number; total_value: number }
      by_owner: Closed[]
    }>('GET', `/reports/pipeline?pipeline_id=${pipeline.id}&${span}&group_by=owner`)
    expect(ofPipeline.summary).toMatchObject(closed)
    expect([ofPipeline.summary.total_deals, ofPipeline.summary.total_value]).toEqual(created)
    expect(ofPipeline.by_owner).toMatchObject([closed])
    const { totals } = await ask<{ totals: Closed }>('GET', `/reports/team?${span}`)
    expect(totals).toMatchObject(closed)
    const { by_month } = await ask<{ by_month: (Closed & { month: string })[] }>(
      'GET',
      `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=month`,
    )
    expect(by_month.find((each) => each.month === month)).toMatchObject(closed)
    setClock(`${from}T00:00:00Z`)
    const { items } = await ask<{ items: { label: string; won_value: number }[] }>('GET', '/reports/forecast')
    expect(items.find(({ label }) => label === month)?.won_value).toBe(closed.won_value)
  })

  test('separate the deals of each currency', async () => {
    const { addDeal, ask, fresh, pipeline, talk } = await freshSales()
    await addDeal({ value: 100, expected_close_date: '2026-11-30' })
    await addDeal({ value: 7000, currency: 'MXN', expected_close_date: '2026-11-30' })
    const { id } = await addDeal({ value: 90, currency: 'EUR' })
    await ask('POST', `/deals/${id}/won`)
    expect(await ask('GET', `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=month`)).toMatchObject({
      currency: 'USD',
      summary: {
        total_deals: 3,
        total_value: 100,
        won_deals: 1,
        won_value: 0,
        average_deal_value: 100,
        other_currencies: [
          { currency: 'EUR', total_value: 90, won_value: 90, average_deal_value: 90 },
          { currency: 'MXN', total_value: 7000, won_value: 0, average_deal_value: 7000 },
        ],
      },
      by_stage: [
        {
          stage_id: talk,
          deals_count: 3,
          total_value: 100,
          other_currencies: [
            { currency: 'EUR', total_value: 90 },
            { currency: 'MXN', total_value: 7000 },
          ],
        },
        { total_value: 0, other_currencies: [] },
      ],
      by_month: [
        { deals_count: 3, total_value: 100, other_currencies: [{ currency: 'EUR' }, { currency: 'MXN' }] },
      ],
    })
    const others = [
      { currency: 'EUR', open_value: 0, won_value: 90 },
      { currency: 'MXN', open_value: 7000, won_value: 0 },
    ]
    expect(await ask('GET', '/reports/team')).toMatchObject({
      currency: 'USD',
      team: [{ owner: { id: fresh.user.id }, open_value: 100, won_value: 0, other_currencies: others }],
      totals: { open_value: 100, won_value: 0, other_currencies: others },
    })
    const { items, ...forecast } = await ask<{ items: unknown[] }>('GET', '/reports/forecast?type=best_case')
    expect(forecast).toMatchObject({
      total: 100,
      other_currencies: [
        { currency: 'EUR', total: 90 },
        { currency: 'MXN', total: 7000 },
      ],
    })
    expect(items[0]).toMatchObject({
      deals_count: 2,
      weighted_value: 20,
      other_currencies: [
        { currency: 'EUR', won_value: 90, weighted_value: 0, value: 90 },
        { currency: 'MXN', total_value: 7000, weighted_value: 1400, value: 7000 },
      ],
    })
    expect(await ask('GET', `/pipelines/${pipeline.id}`)).toMatchObject({
      total_deals: 2,
      total_value: 100,
      weighted_value: 20,
      other_currencies: [{ currency: 'MXN', total_value: 7000, weighted_value: 1400 }],
      stages: [
        { deals_count: 2, total_value: 100, other_currencies: [{ currency: 'MXN', total_value: 7000 }] },
        {},
      ],
    })
  })
})

test.each([
  ['1976-12-01T00:00:00Z', 200],
  ['1976-11-30T23:59:59Z', 422],
])('limits a report by month to fifty years: from %s returns %i', async (first, status) => {
  const { addDeal, call, pipeline, setClock } = await freshSales()
  setClock(first)
  await addDeal()
  setClock(NOON)
  await addDeal()
  const answer = await call('GET', `/reports/pipeline?pipeline_id=${pipeline.id}&group_by=month`)
  expect(answer.status).toBe(status)
  if (status === 422) expect(answer).toMatchObject(invalid('to', 'too_large'))
})
