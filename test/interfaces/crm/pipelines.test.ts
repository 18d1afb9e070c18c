/** Specification part 1, "CRM records", "CRM": pipelines, their stages, and the totals of their deals. */
import { describe, expect, test } from 'vitest'
import { freshSales, invalid, refusal, type PageBody, type PipelineBody } from '../../support/deals.ts'

describe('new pipeline', () => {
  test('is returned without an envelope, with positions from 1 and empty stages', async () => {
    const { addPipeline } = await freshSales()
    const pipeline = await addPipeline({ name: 'Fleet', vertical: 'automotive' })
    expect(pipeline).toEqual({
      id: expect.stringMatching(/^pipe_[A-Za-z0-9]{20}$/) as string,
      name: 'Fleet',
      vertical: 'automotive',
      stages: [
        {
          id: expect.stringMatching(/^stage_[A-Za-z0-9]{20}$/) as string,
          name: 'Talk',
          probability: 20,
          position: 1,
          deals_count: 0,
          total_value: 0,
          other_currencies: [],
        },
        {
          id: expect.stringMatching(/^stage_/) as string,
          name: 'Offer',
          probability: 90,
          position: 2,
          deals_count: 0,
          total_value: 0,
          other_currencies: [],
        },
      ],
      total_deals: 0,
      total_value: 0,
      weighted_value: 0,
      other_currencies: [],
    })
  })

  test('has no vertical by default', async () => {
    const { pipeline } = await freshSales()
    expect(pipeline.vertical).toBeNull()
  })
})

describe('totals of a pipeline', () => {
  test('include its open deals by stage and in total, weighted and rounded once', async () => {
    const { addDeal, addPipeline, ask, getPipeline, offer, pipeline } = await freshSales()
    await addDeal({ value: 0.02 })
    await addDeal({ value: 0.01 })
    await addDeal({ value: 1000.5, stage_id: offer })
    const { id: won } = await addDeal({ value: 500 })
    await ask('POST', `/deals/${won}/won`)
    const { id: lost } = await addDeal({ value: 700, stage_id: offer })
    await ask('POST', `/deals/${lost}/lost`)
    const other = await addPipeline()
    await addDeal({ value: 9, pipeline_id: other.id })

    const shown = await getPipeline(pipeline.id)
    expect(shown.stages.map(({ deals_count, total_value }) => [deals_count, total_value])).toEqual([
      [2, 0.03],
      [1, 1000.5],
    ])
    // 0.03 x 20 % + 1000.50 x 90 %
    expect(shown).toMatchObject({ total_deals: 3, total_value: 1000.53, weighted_value: 900.46 })
  })

  test('have no binary rounding errors', async () => {
    const { addDeal, getPipeline, pipeline } = await freshSales()
    for (let count = 0; count < 10; count++) await addDeal({ value: 0.1 })
    expect(await getPipeline(pipeline.id)).toMatchObject({ total_value: 1, weighted_value: 0.2 })
  })
})

describe('list of pipelines', () => {
  test('shows each completely, oldest first', async () => {
    const { addPipeline, ask, pipeline } = await freshSales()
    const second = await addPipeline({ name: 'Services' })
    expect(await ask<PageBody<PipelineBody>>('GET', '/pipelines')).toEqual({
      data: [pipeline, second],
      meta: { current_page: 1, total_pages: 1, total_count: 2 },
    })
  })
})

describe('updating a pipeline', () => {
  test('changes only the given fields', async () => {
    const { ask, pipeline } = await freshSales()
    const path = `/pipelines/${pipeline.id}`
    expect(await ask('PATCH', path, { name: 'Fleet' })).toEqual({ ...pipeline, name: 'Fleet' })
    expect(await ask('PATCH', path, { vertical: 'services' })).toEqual({
      ...pipeline,
      name: 'Fleet',
      vertical: 'services',
    })
    expect(await ask('PATCH', path, {})).toEqual({ ...pipeline, name: 'Fleet', vertical: 'services' })
  })

  test('keeps stages by their ids, adds those without one and removes omitted ones', async () => {
    const { addDeal, ask, offer, pipeline } = await freshSales()
    await addDeal({ stage_id: offer, value: 100 })
    const updated = await ask<PipelineBody>('PATCH', `/pipelines/${pipeline.id}`, {
      stages: [
        { name: 'First', probability: 5 },
        { id: offer, name: 'Offer sent', probability: 60 },
      ],
    })
    expect(updated).toMatchObject({ total_deals: 1, weighted_value: 60 })
    expect(updated.stages).toEqual([
      {
        id: expect.not.stringMatching(offer) as string,
        name: 'First',
        probability: 5,
        position: 1,
        deals_count: 0,
        total_value: 0,
        other_currencies: [],
      },
      {
        id: offer,
        name: 'Offer sent',
        probability: 60,
        position: 2,
        deals_count: 1,
        total_value: 100,
        other_currencies: [],
      },
    ])
  })

  test('is shown in the deals of a stage at once', async () => {
    const { addDeal, ask, getDeal, pipeline, talk } = await freshSales()
    const { id } = await addDeal({ value: 100 })
    await getDeal(id)
    await ask('PATCH', `/pipelines/${pipeline.id}`, {
      name: 'Fleet',
      stages: [{ id: talk, name: 'Call', probability: 30 }],
    })
    expect(await getDeal(id)).toMatchObject({
      pipeline: { id: pipeline.id, name: 'Fleet' },
      stage: { id: talk, name: 'Call', probability: 30 },
      weighted_value: 30,
    })
  })

  test('refuses to remove a stage with open or closed deals, and changes nothing', async () => {
    const { addDeal, ask, call, getPipeline, offer, pipeline } = await freshSales()
    const { id } = await addDeal()
    await ask('POST', `/deals/${id}/won`)
    const before = await getPipeline(pipeline.id)
    const body = { name: 'Fleet', stages: [{ id: offer, name: 'Offer', probability: 90 }] }
    expect(await call('PATCH', `/pipelines/${pipeline.id}`, { body })).toMatchObject(refusal(409, 'conflict'))
    expect(await getPipeline(pipeline.id)).toEqual(before)
  })

  test('refuses a stage of another pipeline and a duplicate stage', async () => {
    const { addPipeline, call, offer, pipeline } = await freshSales()
    const other = await addPipeline()
    const stage = { name: 'A', probability: 1 }
    const patch = (...ids: (string | undefined)[]) =>
      call('PATCH', `/pipelines/${pipeline.id}`, { body: { stages: ids.map((id) => ({ id, ...stage })) } })
    expect(await patch(other.stages[0]?.id)).toMatchObject(invalid('stages.0.id', 'unknown'))
    expect(await patch(offer, offer)).toMatchObject(invalid('stages.1.id', 'duplicate'))
  })

  test('sets a new vertical for its deals', async () => {
    const { addContact, addDeal, ask, names, pipeline } = await freshSales()
    const { id: contact_id } = await addContact({ vertical: 'education' })
    await addDeal({ name: 'One', contact_id })
    expect(await names('?vertical=education')).toEqual(['One'])
    await ask('PATCH', `/pipelines/${pipeline.id}`, { vertical: 'services' })
    expect(await names('?vertical=education')).toEqual([])
    expect(await names('?vertical=services')).toEqual(['One'])
    await ask('PATCH', `/pipelines/${pipeline.id}`, { vertical: null })
    expect(await names('?vertical=education')).toEqual(['One'])
  })
})

describe('deleting a pipeline', () => {
  test('removes it and its stages', async () => {
    const { addPipeline, call, pipeline, talk } = await freshSales()
    const answer = await call('DELETE', `/pipelines/${pipeline.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await call('GET', `/pipelines/${pipeline.id}`)).toMatchObject(refusal(404, 'not_found'))
    const { id } = await addPipeline()
    const body = { name: 'Vans', pipeline_id: id, stage_id: talk }
    expect(await call('POST', '/deals', { body })).toMatchObject(invalid('stage_id', 'unknown'))
    expect(await call('POST', '/deals', { body: { ...body, pipeline_id: pipeline.id } })).toMatchObject(
      invalid('pipeline_id', 'unknown'),
    )
  })

  test.each(['won', 'lost', 'open'])('is refused while it has a deal that is %s', async (status) => {
    const { addDeal, ask, call, pipeline } = await freshSales()
    const { id } = await addDeal()
    if (status !== 'open') await ask('POST', `/deals/${id}/${status}`)
    expect(await call('DELETE', `/pipelines/${pipeline.id}`)).toMatchObject(refusal(409, 'conflict'))
  })
})
