/** The CRM of the demo workspace directly after a start. */
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'
import type { DealBody, PageBody, PipelineBody } from '../../support/deals.ts'

async function demo() {
  const fresh = await freshApp({ fixtures: 'small' })
  const call = fresh.at('crm')
  return async <Body>(path: string): Promise<Body> => {
    const { status, body, text } = await call('GET', path, { key: 'demo-key' })
    if (status !== 200) throw new Error(`answered ${String(status)}: ${text}`)
    return body as Body
  }
}

test('has deals in every state, in two of its three pipelines', async () => {
  const get = await demo()
  const count = async (query: string) => (await get<PageBody<DealBody>>(`/deals?${query}`)).meta.total_count
  expect(await count('')).toBe(14)
  expect([await count('status=open'), await count('status=won'), await count('status=lost')]).toEqual([
    8, 4, 2,
  ])
  const { data } = await get<PageBody<PipelineBody>>('/pipelines')
  expect(data.map(({ name, stages }) => [name, stages.length])).toEqual([
    ['Sales', 5],
    ['Services', 4],
    ['Rentals', 1],
  ])
  expect((await get<PageBody<unknown>>('/contacts')).meta.total_count).toBe(12)
  expect((await get<PageBody<unknown>>('/activities')).meta.total_count).toBe(10)
  expect(await get<PageBody<unknown>>('/automations')).toMatchObject({ data: { length: 4 } })
})

test('reports the totals of its deals', async () => {
  const get = await demo()
  const { data } = await get<PageBody<PipelineBody>>('/pipelines')
  for (const pipeline of data) {
    const { data: deals } = await get<PageBody<DealBody>>(`/deals?per_page=100&pipeline_id=${pipeline.id}`)
    const open = deals.filter(({ status }) => status === 'open')
    expect(pipeline.total_deals).toBe(open.length)
    expect(pipeline.weighted_value).toBeCloseTo(
      open.reduce((sum, { weighted_value }) => sum + weighted_value, 0),
      1,
    )
    const report = await get<{ summary: { total_deals: number }; by_stage: { avg_days: number }[] }>(
      `/reports/pipeline?pipeline_id=${pipeline.id}`,
    )
    expect(report.summary.total_deals).toBe(deals.length)
    expect(report.by_stage.every(({ avg_days }) => avg_days > 0)).toBe(deals.length > 0)
  }
})
