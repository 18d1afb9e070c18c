/** Specification part 1, "CRM", "Limits": the list of deals, its filters and its pages. */
import { describe, expect, test } from 'vitest'
import { freshSales, invalid, type Sales } from '../../support/deals.ts'

/** Deals that differ in every filter; their names say how. */
async function variedSales(): Promise<Sales & { readonly ids: Record<string, string> }> {
  const sales = await freshSales()
  const { addContact, addDeal, addPipeline, ask, fresh, offer } = sales
  const services = await addPipeline({ name: 'Services', vertical: 'services' })
  const { id: buyer } = await addContact({ vertical: 'education' })
  const marco = fresh.workspace.addUser({ name: 'Marco Vega', email: 'marco@example.com' })
  await addDeal({ name: 'cheap', value: 10 })
  await addDeal({ name: 'dear', value: 1000.5, stage_id: offer })
  await addDeal({ name: 'of Marco', value: 100, owner_id: marco.id })
  await addDeal({ name: 'of a school', value: 100, contact_id: buyer })
  await addDeal({ name: 'service', value: 100, pipeline_id: services.id, contact_id: buyer })
  const { id: won } = await addDeal({ name: 'won', value: 50 })
  await ask('POST', `/deals/${won}/won`)
  const { id: lost } = await addDeal({ name: 'lost', value: 60 })
  await ask('POST', `/deals/${lost}/lost`)
  return { ...sales, ids: { services: services.id, marco: marco.id, offer } }
}

describe('list of deals', () => {
  test('shows the same as get, newest first', async () => {
    const { addDeal, listDeals, setClock } = await freshSales()
    const first = await addDeal({ name: 'First' })
    const second = await addDeal({ name: 'Second' })
    setClock('2026-11-21T11:00:00.000Z')
    const earlier = await addDeal({ name: 'Earlier' })
    expect(await listDeals()).toEqual({
      data: [second, first, earlier],
      meta: { current_page: 1, total_pages: 1, total_count: 3 },
    })
  })

  test.each([
    ['min_value=100', ['service', 'of a school', 'of Marco', 'dear']],
    ['min_value=1000.5', ['dear']],
    ['min_value=1000.51', []],
    ['max_value=10', ['cheap']],
    ['max_value=9.99', []],
    ['min_value=50&max_value=60', ['lost', 'won']],
    ['min_value=60&max_value=60', ['lost']],
    ['vertical=education', ['of a school']],
    ['vertical=services', ['service']],
    ['vertical=automotive', []],
  ])('filters with %s', async (query, names) => {
    const sales = await variedSales()
    expect(await sales.names(`?${query}`)).toEqual(names)
  })

  test('filters by pipeline, stage, owner, and all together', async () => {
    const { ids, names, pipeline } = await variedSales()
    expect(await names(`?pipeline_id=${ids['services'] ?? ''}`)).toEqual(['service'])
    expect(await names(`?stage_id=${ids['offer'] ?? ''}`)).toEqual(['dear'])
    expect(await names(`?owner_id=${ids['marco'] ?? ''}`)).toEqual(['of Marco'])
    const all = `?pipeline_id=${pipeline.id}&status=open&owner_id=${ids['marco'] ?? ''}&min_value=100`
    expect(await names(all)).toEqual(['of Marco'])
    expect(await names(`${all}&max_value=100&vertical=services`)).toEqual([])
  })

  test.each([
    ['min_value=1.001', 'min_value', 'too_precise'],
    ['min_value=2&max_value=1.99', 'max_value', 'too_small'],
  ])('refuses %s', async (query, field, problem) => {
    const { call } = await freshSales()
    expect(await call('GET', `/deals?${query}`)).toMatchObject(invalid(field, problem))
  })
})
