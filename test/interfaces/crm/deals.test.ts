/** Specification part 1, "CRM records", "Deal status": deals, their moves and their ends. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { dealMachine } from '../../../src/state/crm/machines.ts'
import { freshSales, invalid, NOON, refusal, type DealBody } from '../../support/deals.ts'
import { dumpOf } from '../../support/records.ts'

/** More than a day after NOON. */
const NEXT_DAY = '2026-11-22T13:30:00.000Z'

describe('new deal', () => {
  test('is open, in the first stage, and belongs to the user of the key', async () => {
    const { addDeal, fresh, pipeline, talk } = await freshSales()
    expect(await addDeal()).toEqual({
      id: expect.stringMatching(/^deal_[A-Za-z0-9]{20}$/) as string,
      name: 'Twelve vans',
      contact: null,
      pipeline: { id: pipeline.id, name: 'Sales' },
      stage: { id: talk, name: 'Talk', probability: 20 },
      value: 0,
      weighted_value: 0,
      currency: 'USD',
      status: 'open',
      expected_close_date: null,
      days_in_stage: 0,
      total_days: 0,
      owner: { id: fresh.user.id, name: 'Test User' },
      custom_fields: {},
      activities_count: 0,
      closed_at: null,
      close_reason: null,
      close_notes: null,
      competitor: null,
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('keeps every given field', async () => {
    const { addContact, addDeal, fresh, getDeal, offer } = await freshSales()
    const contact = await addContact({ name: 'Ana Castillo', email: 'ana@example.com' })
    const owner = fresh.workspace.addUser({ name: 'Marco Vega', email: 'marco@example.com' })
    const deal = await addDeal({
      name: 'Twelve vans',
      contact_id: contact.id,
      stage_id: offer,
      value: 12500.55,
      currency: 'EUR',
      expected_close_date: '2026-12-15',
      owner_id: owner.id,
      custom_fields: { colour: 'white', doors: 5 },
    })
    expect(deal).toMatchObject({
      contact: { id: contact.id, name: 'Ana Castillo', email: 'ana@example.com' },
      stage: { id: offer, name: 'Offer', probability: 90 },
      value: 12500.55,
      // 11250.495 rounds half a cent up.
      weighted_value: 11250.5,
      currency: 'EUR',
      expected_close_date: '2026-12-15',
      owner: { id: owner.id, name: 'Marco Vega' },
      custom_fields: { colour: 'white', doors: 5 },
    })
    expect(await getDeal(deal.id)).toEqual(deal)
  })

  test('uses the currency of the workspace', async () => {
    const { addDeal } = await freshSales({}, { currency: 'PAB' })
    expect(await addDeal()).toMatchObject({ currency: 'PAB' })
  })

  test.each([
    ['the last day of February', { expected_close_date: '2028-02-29' }],
    ['null as the owner', { owner_id: null }],
    ['null as the contact', { contact_id: null }],
  ])('may have %s', async (_what, fields) => {
    const { addDeal } = await freshSales()
    const { owner_id, contact_id, ...expectedFields } = fields as Record<string, unknown>
    expect(await addDeal(fields)).toMatchObject({
      ...expectedFields,
      ...(owner_id === null && { owner: null }),
      ...(contact_id === null && { contact: null }),
    })
  })

  test.each([
    ['an unknown pipeline', { pipeline_id: 'pipe_x' }, 'pipeline_id', 'unknown'],
    ['an unknown stage', { stage_id: 'stage_x' }, 'stage_id', 'unknown'],
    ['an unknown contact', { contact_id: 'con_x' }, 'contact_id', 'unknown'],
    ['an unknown owner', { owner_id: 'user_x' }, 'owner_id', 'unknown'],
    ['a value with three decimals', { value: 1.005 }, 'value', 'too_precise'],
    ['an impossible date', { expected_close_date: '2026-02-30' }, 'expected_close_date', 'invalid_format'],
    [
      'a date with a time',
      { expected_close_date: '2026-02-28T00:00:00Z' },
      'expected_close_date',
      'invalid_format',
    ],
  ])('is refused with %s', async (_what, fields, field, problem) => {
    const { call, pipeline } = await freshSales()
    const body = { name: 'Vans', pipeline_id: pipeline.id, ...fields }
    expect(await call('POST', '/deals', { body })).toMatchObject(invalid(field, problem))
  })

  test('is refused in a stage of another pipeline', async () => {
    const { addPipeline, call, pipeline } = await freshSales()
    const other = await addPipeline()
    const body = { name: 'Vans', pipeline_id: pipeline.id, stage_id: other.stages[0]?.id }
    expect(await call('POST', '/deals', { body })).toMatchObject(invalid('stage_id', 'unknown'))
  })
})

describe('days of a deal', () => {
  test('are complete days by the clock, in the stage and in total', async () => {
    const { addDeal, ask, getDeal, offer, setClock } = await freshSales()
    const { id } = await addDeal()
    setClock('2026-11-23T11:59:59.999Z')
    expect(await getDeal(id)).toMatchObject({ days_in_stage: 1, total_days: 1 })
    setClock('2026-11-23T12:00:00.000Z')
    expect(await getDeal(id)).toMatchObject({ days_in_stage: 2, total_days: 2 })
    await ask('POST', `/deals/${id}/move`, { stage_id: offer })
    setClock('2026-11-24T12:00:00.000Z')
    expect(await getDeal(id)).toMatchObject({ days_in_stage: 1, total_days: 3 })
  })

  test('continue without writes, also in lists', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOON) })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { addDeal, fresh, getDeal, listDeals } = await freshSales()
    fresh.setClock(NOON, { frozen: false })
    const { id } = await addDeal()
    const totalDays = async () => [(await getDeal(id)).total_days, (await listDeals()).data[0]?.total_days]
    expect(await totalDays()).toEqual([0, 0])
    vi.setSystemTime(Date.parse('2026-11-22T11:59:59.999Z'))
    expect(await totalDays()).toEqual([0, 0])
    vi.setSystemTime(Date.parse('2026-11-22T12:00:00.000Z'))
    expect(await totalDays()).toEqual([1, 1])
  })

  test.each(['won', 'lost'])('stop when it is %s', async (status) => {
    const { addDeal, ask, getDeal, setClock } = await freshSales()
    const { id } = await addDeal()
    setClock(NEXT_DAY)
    await ask('POST', `/deals/${id}/${status}`)
    setClock('2027-11-21T12:00:00.000Z')
    expect(await getDeal(id)).toMatchObject({ days_in_stage: 1, total_days: 1 })
  })

  test('are 0 after the clock is set back', async () => {
    const { addDeal, getDeal, setClock } = await freshSales()
    const { id } = await addDeal()
    setClock('2026-01-01T00:00:00.000Z')
    expect(await getDeal(id)).toMatchObject({ days_in_stage: 0, total_days: 0 })
  })
})

describe('related data of a deal', () => {
  test('follow its contact, its activities and its owner', async () => {
    const { addContact, addDeal, ask, getDeal, listDeals } = await freshSales()
    const { id: contact_id } = await addContact({ email: 'ana@example.com' })
    const { id } = await addDeal({ contact_id })
    await getDeal(id)
    await ask('PATCH', `/contacts/${contact_id}`, { name: 'Ana Ríos', email: null })
    await ask('POST', '/activities', { type: 'call', subject: 'Call', deal_id: id })
    const related = {
      contact: { id: contact_id, name: 'Ana Ríos', email: null },
      activities_count: 1,
    }
    expect(await getDeal(id)).toMatchObject(related)
    expect((await listDeals()).data).toMatchObject([related])
  })

  test('are removed with the deal when the contact is deleted', async () => {
    const { addContact, addDeal, call, listDeals } = await freshSales()
    const { id: contact_id } = await addContact()
    const { id } = await addDeal({ contact_id })
    await call('DELETE', `/contacts/${contact_id}`)
    expect(await call('GET', `/deals/${id}`)).toMatchObject(refusal(404, 'not_found'))
    expect((await listDeals()).meta.total_count).toBe(0)
  })
})

describe('updating a deal', () => {
  test('changes only the given fields', async () => {
    const { addDeal, ask, setClock } = await freshSales()
    const deal = await addDeal({ value: 100, expected_close_date: '2026-12-15', custom_fields: { a: 1 } })
    setClock('2026-11-21T13:00:00.000Z')
    const updated = await ask<DealBody>('PATCH', `/deals/${deal.id}`, {
      value: 250,
      expected_close_date: null,
      custom_fields: { b: 2 },
    })
    expect(updated).toEqual({
      ...deal,
      value: 250,
      weighted_value: 50,
      expected_close_date: null,
      custom_fields: { b: 2 },
      updated_at: '2026-11-21T13:00:00.000Z',
    })
  })

  test.each(['pipeline_id', 'stage_id', 'status'])(
    'is refused with %s, which has its own operation',
    async (field) => {
      const { addDeal, call, offer } = await freshSales()
      const { id } = await addDeal()
      const answer = await call('PATCH', `/deals/${id}`, { body: { name: 'Other', [field]: offer } })
      expect(answer).toMatchObject(invalid(field, 'not_allowed'))
    },
  )

  test.each([
    ['contact_id', 'con_x'],
    ['owner_id', 'user_x'],
  ])('is refused with an unknown %s', async (field, value) => {
    const { addDeal, call } = await freshSales()
    const { id } = await addDeal()
    expect(await call('PATCH', `/deals/${id}`, { body: { [field]: value } })).toMatchObject(
      invalid(field, 'unknown'),
    )
  })

  test('is possible after it is closed', async () => {
    const { addDeal, ask } = await freshSales()
    const { id } = await addDeal()
    await ask('POST', `/deals/${id}/won`)
    expect(await ask('PATCH', `/deals/${id}`, { value: 70 })).toMatchObject({
      status: 'won',
      weighted_value: 70,
    })
  })
})

describe('moving a deal', () => {
  test('changes the stage of an open deal forward and back', async () => {
    const { addDeal, ask, offer, setClock, talk } = await freshSales()
    const deal = await addDeal({ value: 100 })
    setClock(NEXT_DAY)
    const moved = await ask('POST', `/deals/${deal.id}/move`, { stage_id: offer, reason: 'They asked' })
    expect(moved).toEqual({
      ...deal,
      stage: { id: offer, name: 'Offer', probability: 90 },
      weighted_value: 90,
      total_days: 1,
      updated_at: NEXT_DAY,
    })
    expect(await ask('POST', `/deals/${deal.id}/move`, { stage_id: talk })).toMatchObject({
      stage: { id: talk },
      status: 'open',
    })
  })

  test('records the time in each stage', async () => {
    const { addDeal, ask, fresh, offer, setClock, talk } = await freshSales()
    const { id } = await addDeal()
    setClock(NEXT_DAY)
    await ask('POST', `/deals/${id}/move`, { stage_id: offer, reason: 'They asked' })
    setClock('2026-11-25T00:00:00.000Z')
    await ask('POST', `/deals/${id}/lost`)
    const { crm } = dumpOf(fresh.app.records, fresh.workspace)
    expect(crm?.['stageStays']).toMatchObject([
      { dealId: id, stageId: talk, enteredAt: NOON, leftAt: NEXT_DAY, reason: null },
      {
        dealId: id,
        stageId: offer,
        enteredAt: NEXT_DAY,
        leftAt: '2026-11-25T00:00:00.000Z',
        reason: 'They asked',
      },
    ])
  })

  test('to its current stage changes nothing and emits no event', async () => {
    const { addDeal, ask, events, setClock, talk } = await freshSales()
    const deal = await addDeal()
    setClock('2026-11-21T13:00:00.000Z')
    expect(await ask('POST', `/deals/${deal.id}/move`, { stage_id: talk })).toEqual(deal)
    expect(events().map(({ name }) => name)).toEqual(['deal.created'])
  })

  test('requires a stage of its pipeline', async () => {
    const { addDeal, addPipeline, call } = await freshSales()
    const { id } = await addDeal()
    const other = await addPipeline()
    const move = (body: object) => call('POST', `/deals/${id}/move`, { body })
    expect(await move({ stage_id: 'stage_x' })).toMatchObject(invalid('stage_id', 'unknown'))
    expect(await move({ stage_id: other.stages[1]?.id })).toMatchObject(invalid('stage_id', 'unknown'))
  })
})

describe('closed deal', () => {
  test('as won keeps the given data and counts fully', async () => {
    const { addDeal, ask, setClock } = await freshSales()
    const deal = await addDeal({ value: 100 })
    setClock(NEXT_DAY)
    const won = await ask('POST', `/deals/${deal.id}/won`, {
      final_value: 95.5,
      reason: 'Best delivery date',
      notes: 'Signed',
    })
    expect(won).toEqual({
      ...deal,
      status: 'won',
      stage: { ...deal.stage, probability: 100 },
      value: 95.5,
      weighted_value: 95.5,
      days_in_stage: 1,
      total_days: 1,
      closed_at: NEXT_DAY,
      close_reason: 'Best delivery date',
      close_notes: 'Signed',
      updated_at: NEXT_DAY,
    })
  })

  test('as won can have a final value of 0', async () => {
    const { addDeal, ask } = await freshSales()
    const { id } = await addDeal({ value: 100 })
    expect(await ask('POST', `/deals/${id}/won`, { final_value: 0 })).toMatchObject({
      value: 0,
      weighted_value: 0,
    })
  })

  test('as lost keeps the given data and no longer counts', async () => {
    const { addDeal, ask } = await freshSales()
    const deal = await addDeal({ value: 100 })
    const lost = await ask('POST', `/deals/${deal.id}/lost`, {
      reason: 'Price',
      competitor: 'Another dealer',
      notes: 'Ask again',
    })
    expect(lost).toEqual({
      ...deal,
      status: 'lost',
      stage: { ...deal.stage, probability: 0 },
      weighted_value: 0,
      closed_at: NOON,
      close_reason: 'Price',
      close_notes: 'Ask again',
      competitor: 'Another dealer',
    })
  })

  test.each(['won', 'lost'])('can be %s without a body', async (status) => {
    const { addDeal, call } = await freshSales()
    const { id } = await addDeal({ value: 100 })
    expect(await call('POST', `/deals/${id}/${status}`)).toMatchObject({
      status: 200,
      body: { status, value: 100, close_reason: null },
    })
  })

  test.each(['won', 'lost'])('that is %s cannot be moved, won or lost', async (status) => {
    const { addDeal, ask, call, getDeal, offer } = await freshSales()
    const { id } = await addDeal()
    const closed = await ask('POST', `/deals/${id}/${status}`)
    for (const [action, body] of [
      ['move', { stage_id: offer }],
      ['won', { final_value: 1 }],
      ['lost', {}],
    ] as const) {
      expect(await call('POST', `/deals/${id}/${action}`, { body })).toMatchObject(
        refusal(409, 'invalid_state'),
      )
    }
    expect(await getDeal(id)).toEqual(closed)
  })

  test('is not won with a final value of three decimals', async () => {
    const { addDeal, call } = await freshSales()
    const { id } = await addDeal()
    expect(await call('POST', `/deals/${id}/won`, { body: { final_value: 0.001 } })).toMatchObject(
      invalid('final_value', 'too_precise'),
    )
  })
})

const END = {
  won: { final_value: 95.5, reason: 'Best delivery date', notes: 'Signed' },
  lost: { reason: 'Price', competitor: 'Another dealer', notes: 'Ask again' },
} as const

describe('reopened deal', () => {
  test.each(['won', 'lost'] as const)('that was %s is as before its end, in its stage', async (status) => {
    const { addDeal, ask, call, events, fresh, getDeal, offer, setClock } = await freshSales()
    const { id } = await addDeal({ value: 100 })
    const open = await ask<DealBody>('POST', `/deals/${id}/move`, { stage_id: offer })
    setClock(NEXT_DAY)
    const closed = await ask<DealBody>('POST', `/deals/${id}/${status}`, END[status])
    setClock('2026-11-30T12:00:00.000Z')
    const reopened = await ask<DealBody>('PATCH', `/deals/${id}`, { status: 'open', name: 'Thirteen vans' })
    expect(reopened).toEqual({
      ...open,
      name: 'Thirteen vans',
      value: closed.value,
      weighted_value: status === 'won' ? 85.95 : 90,
      days_in_stage: 0,
      total_days: 9,
      updated_at: '2026-11-30T12:00:00.000Z',
    })
    expect(await getDeal(id)).toEqual(reopened)
    expect(events().at(-1)).toEqual({ name: 'deal.updated', data: { deal: reopened } })
    const { crm } = dumpOf(fresh.app.records, fresh.workspace)
    expect(crm?.['stageStays']?.slice(1)).toMatchObject([
      { stageId: offer, enteredAt: NOON, leftAt: NEXT_DAY },
      { stageId: offer, enteredAt: '2026-11-30T12:00:00.000Z', leftAt: null },
    ])
    const other = status === 'won' ? 'lost' : 'won'
    expect(await call('POST', `/deals/${id}/${other}`)).toMatchObject({
      status: 200,
      body: { status: other },
    })
  })

  test('counts as open in reports and pipelines', async () => {
    const { addDeal, ask, getPipeline, pipeline } = await freshSales()
    const read = async () => [
      await ask('GET', `/reports/pipeline?pipeline_id=${pipeline.id}`),
      await ask('GET', '/reports/forecast'),
      await ask('GET', '/reports/team'),
      await getPipeline(pipeline.id),
      await ask('GET', '/deals?status=open'),
    ]
    const { id } = await addDeal({ value: 100 })
    const before = await read()
    await ask('POST', `/deals/${id}/won`)
    expect(await read()).not.toEqual(before)
    await ask('PATCH', `/deals/${id}`, { status: 'open' })
    expect(await read()).toEqual(before)
  })

  test('is an update for automations', async () => {
    const { addDeal, ask } = await freshSales()
    const { id: automation } = await ask<{ id: string }>('POST', '/automations', {
      name: 'Reopened',
      trigger: {
        event: 'deal.updated',
        conditions: [{ field: 'deal.status', operator: 'equals', value: 'open' }],
      },
      actions: [{ type: 'create_task', config: { title: 'Call again' } }],
    })
    const { id } = await addDeal()
    await ask('POST', `/deals/${id}/lost`)
    await ask('PATCH', `/deals/${id}`, { status: 'open' })
    const { data } = await ask<{ data: unknown[] }>('GET', `/automations/${automation}/executions`)
    expect(data).toHaveLength(1)
  })

  test('survives a snapshot', async () => {
    const { addDeal, ask, fresh, getDeal } = await freshSales()
    const { id } = await addDeal()
    await ask('POST', `/deals/${id}/lost`, END.lost)
    const reopened = await ask('PATCH', `/deals/${id}`, { status: 'open' })
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    expect((await fresh.call('PUT', path, { body })).status).toBe(204)
    expect(await getDeal(id)).toEqual(reopened)
  })
})

const WAYS = {
  move: ['POST', '/move'],
  win: ['POST', '/won'],
  lose: ['POST', '/lost'],
  reopen: ['PATCH', ''],
} as const
const CASES = dealMachine.states.flatMap((state) =>
  (Object.keys(WAYS) as (keyof typeof WAYS)[]).map((move) => [state, move] as const),
)

test.each(CASES)('a deal that is %s is changed by %s as its machine allows', async (state, move) => {
  const { addDeal, ask, call, events, getDeal, offer } = await freshSales()
  const { id } = await addDeal()
  if (state !== 'open') await ask('POST', `/deals/${id}/${state}`)
  const before = [await getDeal(id), events().length]
  const [method, path] = WAYS[move]
  const body = { move: { stage_id: offer }, win: {}, lose: {}, reopen: { status: 'open' } }[move]
  const answer = await call(method, `/deals/${id}${path}`, { body })
  const { from, to } = dealMachine.moves[move]
  const event = { move: 'deal.stage_changed', win: 'deal.won', lose: 'deal.lost', reopen: 'deal.updated' }[
    move
  ]
  if (from.some((each) => each === state)) {
    expect(answer).toMatchObject({ status: 200, body: { status: to } })
    expect(events().at(-1)?.name).toBe(event)
    return
  }
  // The status open of an open deal is no change.
  if (move === 'reopen') expect(answer.status).toBe(200)
  else expect(answer).toMatchObject(refusal(409, 'invalid_state'))
  expect([await getDeal(id), events().length]).toEqual(before)
})

test.each([
  ['open', 'won'],
  ['open', 'lost'],
  ['won', 'lost'],
  ['lost', 'won'],
] as const)('a deal that is %s does not become %s by an update', async (state, status) => {
  const { addDeal, ask, call, getDeal } = await freshSales()
  const { id } = await addDeal()
  if (state !== 'open') await ask('POST', `/deals/${id}/${state}`)
  const before = await getDeal(id)
  expect(await call('PATCH', `/deals/${id}`, { body: { status } })).toMatchObject(
    invalid('status', 'not_allowed'),
  )
  expect(await getDeal(id)).toEqual(before)
})

describe('each change of a deal', () => {
  test('emits one event with the deal as in the response', async () => {
    const { addDeal, ask, events, offer, talk } = await freshSales()
    const created = await addDeal({ value: 100 })
    const path = `/deals/${created.id}`
    const updated = await ask('PATCH', path, { name: 'Thirteen vans' })
    const moved = await ask('POST', `${path}/move`, { stage_id: offer, reason: 'They asked' })
    const won = await ask('POST', `${path}/won`)
    const { id } = await addDeal()
    const lost = await ask('POST', `/deals/${id}/lost`)
    expect(events()).toEqual([
      { name: 'deal.created', data: { deal: created } },
      { name: 'deal.updated', data: { deal: updated } },
      {
        name: 'deal.stage_changed',
        data: {
          deal: moved,
          from_stage: { id: talk, name: 'Talk', probability: 20 },
          to_stage: { id: offer, name: 'Offer', probability: 90 },
          reason: 'They asked',
        },
      },
      { name: 'deal.won', data: { deal: won } },
      { name: 'deal.created', data: { deal: expect.objectContaining({ id }) as unknown } },
      { name: 'deal.lost', data: { deal: lost } },
    ])
  })

  test('emits no event if it is refused', async () => {
    const { addDeal, call, events } = await freshSales()
    const { id } = await addDeal()
    await call('POST', `/deals/${id}/move`, { body: { stage_id: 'stage_x' } })
    await call('PATCH', `/deals/${id}`, { body: { owner_id: 'user_x' } })
    expect(events().map(({ name }) => name)).toEqual(['deal.created'])
  })
})
