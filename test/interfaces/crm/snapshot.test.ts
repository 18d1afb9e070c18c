/** The CRM in snapshots: values that responses could not show are refused. */
import { expect, test } from 'vitest'
import { freshSales, NOON, type Sales } from '../../support/deals.ts'

const times = { createdAt: NOON, updatedAt: NOON }
const contact = { id: 'con_1', name: 'Ana', tags: [], customFields: {}, ...times }
const activity = { id: 'act_1', type: 'call', subject: 'Call', ...times }
const deal = {
  id: 'deal_1',
  name: 'Vans',
  pipelineId: 'pipe_1',
  stageId: 'stage_1',
  value: 1250,
  currency: 'USD',
  customFields: {},
  stageEnteredAt: NOON,
  ...times,
}
const trigger = { event: 'deal.created', conditions: [{ field: 'value', operator: 'equals', value: 1 }] }
const actions = [{ type: 'create_task', config: { title: 'Call' } }]
const automation = { id: 'auto_1', name: 'Call', trigger, actions, ...times }
const sales = {
  pipelines: [
    { id: 'pipe_1', name: 'Sales', ...times },
    { id: 'pipe_2', name: 'Rentals', ...times },
  ],
  stages: [
    { id: 'stage_1', pipelineId: 'pipe_1', name: 'Talk', probability: 20, position: 1 },
    { id: 'stage_2', pipelineId: 'pipe_2', name: 'Talk', probability: 20, position: 1 },
  ],
}

const put = ({ fresh }: Sales, crm: object) =>
  fresh.call('PUT', `/_sim/workspaces/${fresh.workspace.id}/snapshot`, {
    body: { format: 'suite-simulator/1', crm },
  })

test.each([
  ['a won deal without a time', { ...sales, deals: [{ ...deal, status: 'won' }] }],
  ['a lost deal without a time', { ...sales, deals: [{ ...deal, status: 'lost' }] }],
  ['an open deal with a closing time', { ...sales, deals: [{ ...deal, closedAt: NOON }] }],
  ['a deal in a stage of another pipeline', { ...sales, deals: [{ ...deal, stageId: 'stage_2' }] }],
  ['a deal in an unknown stage', { ...sales, deals: [{ ...deal, stageId: 'stage_3' }] }],
  ['a completed activity without a time', { activities: [{ ...activity, status: 'completed' }] }],
  ['a planned activity with a completion time', { activities: [{ ...activity, completedAt: NOON }] }],
  [
    'an unknown operator',
    {
      automations: [
        { ...automation, trigger: { ...trigger, conditions: [{ field: 'value', operator: 'toString' }] } },
      ],
    },
  ],
  ['an unknown action', { automations: [{ ...automation, actions: [{ type: 'wait', config: {} }] }] }],
  [
    'an unknown event',
    { automations: [{ ...automation, trigger: { ...trigger, event: 'deal.lost_again' } }] },
  ],
])('refuses a snapshot with %s and changes nothing', async (_what, crm) => {
  const made = await freshSales()
  await made.addDeal()
  const before = made.fresh.dump()

  const answer = await put(made, crm)

  expect(answer.status, answer.text).toBe(400)
  expect(answer.text).toContain('The snapshot does not fit: ')
  expect(made.fresh.dump()).toEqual(before)
})

test('accepts a snapshot with deals and activities in every state, and counts them in reports', async () => {
  const made = await freshSales()
  const { ask } = made

  const answer = await put(made, {
    ...sales,
    contacts: [{ ...contact, phone: '5'.repeat(40), company: 'x'.repeat(200), position: 'x'.repeat(200) }],
    deals: [
      deal,
      { ...deal, id: 'deal_2', status: 'won', closedAt: NOON },
      { ...deal, id: 'deal_3', status: 'lost', closedAt: NOON, pipelineId: 'pipe_2', stageId: 'stage_2' },
    ],
    automations: [automation],
    activities: [activity, { ...activity, id: 'act_2', status: 'completed', completedAt: NOON }],
  })

  expect(answer.status, answer.text).toBe(204)
  expect(await ask('GET', '/reports/pipeline?pipeline_id=pipe_1')).toMatchObject({
    summary: { total_deals: 2, won_deals: 1, lost_deals: 0, won_value: 12.5 },
  })
  expect(await ask('GET', '/deals/deal_3')).toMatchObject({ status: 'lost', closed_at: NOON })
  expect(await ask('GET', '/automations/auto_1')).toMatchObject({ trigger, actions, executions_count: 0 })
  expect(await ask('GET', '/activities/act_2')).toMatchObject({ completed: true, completed_at: NOON })
})
