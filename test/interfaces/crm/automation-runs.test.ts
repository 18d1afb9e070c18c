/** Automation runs: triggers, actions and failures. */
import { describe, expect, test } from 'vitest'
import {
  assign,
  email,
  freshAutomations,
  MEMBERS,
  NOON,
  task,
  trigger,
  type Automated,
  type ExecutionBody,
} from '../../support/automations.ts'
import { eventNamesOf } from '../../support/events.ts'

const [BEA, CARL, DORA] = MEMBERS
/** The CRM records of a snapshot. */
async function crmOf({ fresh }: Automated): Promise<Record<string, unknown>> {
  const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/snapshot`)
  return (body as { crm: Record<string, unknown> }).crm
}

const roundRobin = assign({ strategy: 'round_robin', team_id: 'team_sales' })
const leastLoaded = assign({ strategy: 'least_loaded', team_id: 'team_sales' })

describe('trigger', () => {
  const addActivity = async ({ expect: call }: Automated, fields: object = {}) =>
    (await call('POST', '/activities', 201, { type: 'call', subject: 'Call', ...fields })) as { id: string }

  test.each<[event: string, change: (crm: Automated) => Promise<unknown>]>([
    ['contact.created', (crm) => crm.addContact()],
    [
      'contact.updated',
      async (crm) => crm.expect('PATCH', `/contacts/${(await crm.addContact()).id}`, 200, { name: 'Eva' }),
    ],
    ['contact.deleted', async (crm) => crm.expect('DELETE', `/contacts/${(await crm.addContact()).id}`, 204)],
    ['deal.created', (crm) => crm.addDeal()],
    [
      'deal.updated',
      async (crm) => crm.expect('PATCH', `/deals/${(await crm.addDeal()).id}`, 200, { value: 2 }),
    ],
    [
      'deal.stage_changed',
      async (crm) =>
        crm.expect('POST', `/deals/${(await crm.addDeal()).id}/move`, 200, {
          stage_id: crm.pipeline.stages[1]?.id,
        }),
    ],
    ['deal.won', async (crm) => crm.expect('POST', `/deals/${(await crm.addDeal()).id}/won`, 200, {})],
    ['deal.lost', async (crm) => crm.expect('POST', `/deals/${(await crm.addDeal()).id}/lost`, 200, {})],
    [
      'deal.deleted',
      async (crm) => {
        const { id } = await crm.addContact()
        await crm.addDeal({ contact_id: id })
        await crm.expect('DELETE', `/contacts/${id}`, 204)
      },
    ],
    ['activity.created', (crm) => addActivity(crm)],
    [
      'activity.updated',
      async (crm) =>
        crm.expect('PATCH', `/activities/${(await addActivity(crm)).id}`, 200, { subject: 'Call again' }),
    ],
    ['activity.completed', (crm) => addActivity(crm, { completed: true })],
    [
      'activity.deleted',
      async (crm) => {
        const { id } = await crm.addContact()
        await addActivity(crm, { contact_id: id })
        await crm.expect('DELETE', `/contacts/${id}`, 204)
      },
    ],
  ])('fires once for %s, and for nothing else', async (event, change) => {
    const crm = await freshAutomations()
    const automation = await crm.automate({
      trigger: trigger(event),
      actions: [email({ to: 'desk@example.com' })],
    })

    await change(crm)

    const [execution, ...others] = await crm.executions(automation)
    expect(others).toEqual([])
    expect(execution).toMatchObject({ status: 'success', trigger_event: event })
    expect(await crm.emails()).toHaveLength(1)
  })

  test('fires for the execution of another automation', async () => {
    const crm = await freshAutomations()
    await crm.automate()
    const watcher = await crm.automate({
      trigger: trigger('automation.executed'),
      actions: [email({ to: 'watcher@example.com' })],
    })

    await crm.addDeal()

    const [execution] = await crm.executions(watcher)
    expect(execution?.trigger_data).toMatchObject({
      automation: { name: 'Follow up' },
      execution: { status: 'success' },
    })
    expect(await crm.emails()).toHaveLength(1)
  })

  test.each<[met: boolean, conditions: object[]]>([
    [true, []],
    [true, [{ field: 'deal.value', operator: 'greater_than', value: 999.99 }]],
    [false, [{ field: 'deal.value', operator: 'greater_than', value: 1000 }]],
    [true, [{ field: 'deal.stage.name', operator: 'equals', value: 'New' }]],
    [true, [{ field: 'deal.contact_id', operator: 'is_not_empty' }]],
    [true, [{ field: 'contact.tags', operator: 'contains', value: 'vip' }]],
    [true, [{ field: 'deal.custom_fields.seats', operator: 'in', value: [40, 50] }]],
    [true, [{ field: 'deal.expected_close_date', operator: 'less_than', value: '2027-01-01' }]],
    [
      false,
      [
        { field: 'deal.value', operator: 'equals', value: 1000 },
        { field: 'deal.currency', operator: 'equals', value: 'EUR' },
      ],
    ],
  ])('of an automation is %s with the conditions %j', async (met, conditions) => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ trigger: { event: 'deal.created', conditions } })
    const { id: contactId } = await crm.addContact({ tags: ['vip'] })

    await crm.addDeal({
      value: 1000,
      contact_id: contactId,
      expected_close_date: '2026-12-31',
      custom_fields: { seats: 40 },
    })

    const statuses = (await crm.executions(automation)).map(({ status }) => status)
    expect(statuses).toEqual([met ? 'success' : 'skipped'])
    expect((await crm.getAutomation(automation.id)).executions_count).toBe(met ? 1 : 0)
    expect(await crm.tasks()).toHaveLength(met ? 1 : 0)
  })

  test('provides the deal and contact of an activity that names only the deal, for placeholders', async () => {
    const crm = await freshAutomations()
    const contact = await crm.addContact({ vertical: 'education' })
    const deal = await crm.addDeal({ contact_id: contact.id, value: 500, owner_id: BEA })
    const automation = await crm.automate({
      trigger: trigger(
        'activity.completed',
        { field: 'contact.vertical', operator: 'equals', value: 'education' },
        { field: 'deal.value', operator: 'equals', value: 500 },
        { field: 'deal.owner.email', operator: 'equals', value: 'bea@example.com' },
      ),
      actions: [task({ title: '{{contact.vertical}} {{deal.value}} {{deal.owner.email}}' })],
    })
    const body = { type: 'call', subject: 'Call', deal_id: deal.id, completed: true }
    await crm.expect('POST', '/activities', 201, body)

    expect(await crm.executions(automation)).toMatchObject([{ status: 'success' }])
    expect(await crm.tasks()).toMatchObject([{ subject: 'education 500 bea@example.com' }])
  })

  test('sees changes of the deal by an earlier automation', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [assign({ strategy: 'specific', user_id: CARL })] })
    const field = 'deal.owner_id'
    const other = await crm.automate({
      trigger: trigger('deal.created', { field, operator: 'equals', value: CARL }),
    })
    await crm.addDeal({ owner_id: BEA })
    expect(await crm.executions(other)).toMatchObject([{ status: 'success' }])
  })

  test('does not fire if free data lack the path of a condition, which is recorded', async () => {
    const crm = await freshAutomations()
    const condition = { field: 'deal.custom_fields.seats', operator: 'greater_than', value: 3 }
    const automation = await crm.automate({ trigger: trigger('deal.created', condition) })
    await crm.addDeal()
    expect(await crm.executions(automation)).toMatchObject([
      {
        status: 'skipped',
        failure_reason:
          'The condition deal.custom_fields.seats greater_than 3 was not met: deal.custom_fields.seats does not exist.',
      },
    ])
    expect(await crm.getAutomation(automation.id)).toMatchObject({
      executions_count: 0,
      last_executed_at: null,
    })
  })

  test('records the first fifty automations that conditions prevent', async () => {
    const crm = await freshAutomations()
    const nameCondition = { field: 'deal.name', operator: 'equals', value: 'Another' }
    const automations = Array.from({ length: 60 }, (_, number) => ({
      id: `auto_${String(number)}`,
      name: 'Kept from it',
      trigger: trigger('deal.created', nameCondition),
      actions: [task()],
      createdAt: NOON,
      updatedAt: NOON,
    }))
    await crm.load({ ...(await crmOf(crm)), automations })
    await crm.addDeal()
    expect(await crm.executions({ id: 'auto_49' })).toMatchObject([{ status: 'skipped' }])
    expect(await crm.executions({ id: 'auto_50' })).toEqual([])
  })

  test('fires for a change of the stage in the condition', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({
      trigger: trigger('deal.stage_changed', {
        field: 'to_stage.name',
        operator: 'equals',
        value: 'Contract',
      }),
    })
    const { id } = await crm.addDeal()
    for (const stage of crm.pipeline.stages.slice(1)) {
      await crm.expect('POST', `/deals/${id}/move`, 200, { stage_id: stage.id })
    }

    const [executed, passedOver, ...others] = await crm.executions(automation)

    expect(others).toEqual([])
    expect(executed?.trigger_data).toMatchObject({ to_stage: { name: 'Contract' } })
    expect(passedOver).toMatchObject({
      status: 'skipped',
      failure_reason: 'The condition to_stage.name equals "Contract" was not met: to_stage.name is "Offer".',
      actions_executed: [],
    })
  })

  test('does not fire while the automation is inactive', async () => {
    const crm = await freshAutomations()
    const { id } = await crm.automate({ active: false })
    await crm.addDeal()
    expect(await crm.tasks()).toEqual([])
    await crm.expect('PATCH', `/automations/${id}`, 200, { active: true })
    await crm.addDeal()
    expect(await crm.tasks()).toHaveLength(1)
  })

  test('does not fire for events of another workspace', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ trigger: trigger('contact.created') })
    const { key } = crm.fresh.tenant()
    await crm.call('POST', '/contacts', { key, body: { name: 'Eva' } })
    expect(await crm.executions(automation)).toEqual([])
  })
})

describe('a condition without the name of a record', () => {
  test.each([
    [10_001, 1],
    [10_000, 0],
  ])('refers to the main record of the event: a deal of %i', async (value, count) => {
    const crm = await freshAutomations()
    const condition = { field: 'value', operator: 'greater_than', value: 10_000 }
    const automation = await crm.automate({ trigger: trigger('deal.created', condition) })

    await crm.addDeal({ value })

    expect(await crm.tasks()).toHaveLength(count)
    const [execution] = await crm.executions(automation)
    expect(execution?.failure_reason).toBe(
      count === 1 ? null : 'The condition value greater_than 10000 was not met: deal.value is 10000.',
    )
  })

  test('refers to the contact of contact.updated, and other records need their names', async () => {
    const crm = await freshAutomations()
    await crm.automate({
      trigger: trigger(
        'deal.created',
        { field: 'name', operator: 'equals', value: 'Vans' },
        { field: 'contact.name', operator: 'equals', value: 'Eva' },
      ),
    })
    await crm.automate({
      trigger: trigger('contact.updated', { field: 'name', operator: 'equals', value: 'Eva' }),
    })
    const { id } = await crm.addContact({ name: 'Ana' })
    await crm.expect('PATCH', `/contacts/${id}`, 200, { name: 'Eva' })
    expect(await crm.tasks()).toHaveLength(1)
    await crm.addDeal({ name: 'Vans', contact_id: id })
    expect(await crm.tasks()).toHaveLength(2)
  })
})

describe('assign_owner', () => {
  const owners = async (crm: Automated, count: number) => {
    const found: (string | undefined)[] = []
    for (let number = 0; number < count; number += 1) found.push((await crm.addDeal()).owner?.id)
    return found
  }

  test('with round_robin assigns the members of the team in rotation', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [roundRobin] })
    expect(await owners(crm, 5)).toEqual([BEA, CARL, DORA, BEA, CARL])
  })

  test('with least_loaded assigns the member with the fewest open deals, the first of several', async () => {
    const crm = await freshAutomations()
    await crm.addDeal({ owner_id: BEA })
    await crm.addDeal({ owner_id: CARL })
    await crm.addDeal({ owner_id: CARL })
    const { id } = await crm.addDeal({ owner_id: DORA })
    await crm.automate({ actions: [leastLoaded] })

    expect(await owners(crm, 3)).toEqual([BEA, DORA, BEA])
    // Bea has three, Carl and Dora two each, and now Dora one.
    await crm.expect('POST', `/deals/${id}/lost`, 200, {})
    expect(await owners(crm, 1)).toEqual([DORA])
  })

  test('with least_loaded does not count the deal itself', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [leastLoaded] })
    expect((await crm.addDeal({ owner_id: BEA })).owner?.id).toBe(BEA)
  })

  test('with specific assigns the named person', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [assign({ strategy: 'specific', user_id: DORA })] })
    expect(await owners(crm, 1)).toEqual([DORA])
  })

  test('finds the deal of an activity', async () => {
    const crm = await freshAutomations()
    await crm.automate({
      trigger: trigger('activity.completed'),
      actions: [assign({ strategy: 'specific', user_id: CARL })],
    })
    const { id } = await crm.addDeal()
    const body = { type: 'call', subject: 'Call', deal_id: id, completed: true }
    await crm.expect('POST', '/activities', 201, body)
    expect((await crm.getDeal(id)).owner?.id).toBe(CARL)
  })

  test('emits deal.updated once, and not if the owner stays the same', async () => {
    const crm = await freshAutomations()
    // A follower receives the events of automations before the event that triggered them.
    const names = () => eventNamesOf(crm.fresh.workspace, 'crm')
    const before = names().length
    await crm.automate({ actions: [assign({ strategy: 'specific', user_id: CARL })] })

    await crm.addDeal({ owner_id: BEA })
    await crm.addDeal({ owner_id: CARL })

    expect(names().slice(before)).toEqual([
      'deal.created',
      'deal.updated',
      'automation.executed',
      'deal.created',
      'automation.executed',
    ])
  })

  test('is visible in the response of the triggering call and in lists', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [assign({ strategy: 'specific', user_id: CARL })] })
    const deal = await crm.addDeal({ owner_id: BEA })
    expect(deal.owner).toEqual({ id: CARL, name: 'carl' })
    expect((await crm.call('GET', `/deals?owner_id=${CARL}`)).body).toMatchObject({ data: [{ id: deal.id }] })
  })
})

describe('send_email', () => {
  test('fills the template and the address', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [email()] })
    const { id } = await crm.addContact()
    await crm.addDeal({ contact_id: id, value: 1250.5 })

    expect(await crm.emails()).toEqual([
      expect.objectContaining({
        interface: 'crm',
        to: 'ana@example.com',
        subject: 'Welcome, Ana Castillo',
        text: 'Dear Ana Castillo, your Forty desks of 1250.5 USD.',
        attachments: [],
        at: NOON,
      }),
    ])
  })

  test('uses the owner that an earlier action assigned', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [roundRobin, email({ to: '{{deal.owner.email}}' })] })
    await crm.addDeal()
    expect((await crm.emails()).map(({ to }) => to)).toEqual(['bea@example.com'])
  })
})

describe('create_task', () => {
  test('creates a task for the deal and its contact, due by the clock', async () => {
    const crm = await freshAutomations()
    const contact = await crm.addContact()
    await crm.automate({
      actions: [
        roundRobin,
        task({
          title: 'Call {{contact.name}} about {{deal.name}}',
          due_in_hours: 24,
          assign_to: '{{deal.owner_id}}',
        }),
      ],
    })

    const deal = await crm.addDeal({ contact_id: contact.id })

    expect(await crm.tasks()).toEqual([
      expect.objectContaining({
        type: 'task',
        subject: 'Call Ana Castillo about Forty desks',
        contact_id: contact.id,
        deal_id: deal.id,
        owner_id: BEA,
        due_at: '2026-11-22T12:00:00.000Z',
        completed: false,
      }),
    ])
    expect(deal.activities_count).toBe(1)
  })

  test('creates a task without an owner and a due date by default', async () => {
    const crm = await freshAutomations()
    await crm.automate()
    await crm.addDeal()
    expect(await crm.tasks()).toEqual([
      expect.objectContaining({ subject: 'Call back', contact_id: null, owner_id: null, due_at: null }),
    ])
  })

  test('accepts fractions of an hour, and cuts a title that is too long after its placeholders', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [task({ title: '{{deal.name}}{{deal.name}}', due_in_hours: 0.25 })] })
    await crm.addDeal({ name: 'x'.repeat(150) })
    expect(await crm.tasks()).toEqual([
      expect.objectContaining({ subject: 'x'.repeat(200), due_at: '2026-11-21T12:15:00.000Z' }),
    ])
  })
})

describe('execution', () => {
  test('is recorded with its trigger and its actions', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ actions: [roundRobin, task()] })
    const { id } = await crm.addDeal({ value: 12.34 })
    const [made] = await crm.tasks()

    expect(await crm.executions(automation)).toEqual([
      {
        id: expect.stringMatching(/^exec_[A-Za-z0-9]{20}$/) as string,
        automation_id: automation.id,
        status: 'success',
        trigger_event: 'deal.created',
        trigger_data: { deal: expect.objectContaining({ id, value: 12.34, status: 'open' }) as object },
        actions_executed: [
          {
            type: 'assign_owner',
            status: 'success',
            result: { deal_id: id, owner_id: BEA, previous_owner_id: crm.fresh.user.id },
          },
          {
            type: 'create_task',
            status: 'success',
            result: { activity_id: made?.id, owner_id: null, due_at: null },
          },
        ],
        failure_reason: null,
        duration_ms: 0,
        executed_at: NOON,
        next_action_at: null,
      },
    ])
  })

  test('is counted, and changes nothing else of its automation', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate()
    crm.fresh.setClock('2026-11-21T13:00:00Z')
    await crm.addDeal()
    await crm.addDeal()

    expect(await crm.getAutomation(automation.id)).toEqual({
      ...automation,
      executions_count: 2,
      last_executed_at: '2026-11-21T13:00:00.000Z',
    })
  })

  test('comes before earlier ones in paged lists', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ actions: [task({ title: '{{deal.name}}' })] })
    for (let number = 0; number < 26; number += 1) await crm.addDeal({ name: `Deal ${String(number)}` })
    const page = async (query: string) => {
      const path = `/automations/${automation.id}/executions${query}`
      const { data, meta } = (await crm.expect('GET', path, 200)) as {
        data: ExecutionBody[]
        meta: object
      }
      return { names: data.map(({ trigger_data: { deal } }) => (deal as { name: string }).name), meta }
    }

    const first = await page('')
    expect([first.names.length, first.names[0], first.names[24]]).toEqual([25, 'Deal 25', 'Deal 1'])
    expect(first.meta).toEqual({ current_page: 1, total_pages: 2, total_count: 26 })
    expect((await page('?page=2')).names).toEqual(['Deal 0'])
    expect((await page('?per_page=100')).names).toHaveLength(26)
    expect((await page('?status=failed')).meta).toMatchObject({ total_count: 0 })
    expect(await crm.call('GET', `/automations/${automation.id}/executions?per_page=101`)).toMatchObject({
      status: 422,
    })
  })

  test('emits automation.executed', async () => {
    const crm = await freshAutomations()
    const delivered: unknown[] = []
    crm.fresh.app.workspaces.events.follow((_workspace, { name, data }) => {
      if (name === 'automation.executed') delivered.push(data)
    })
    const automation = await crm.automate()
    await crm.addDeal()
    const [execution] = await crm.executions(automation)
    expect(delivered).toEqual([{ automation: { id: automation.id, name: 'Follow up' }, execution }])
  })

  test('waits in webhooks for no other execution of its automation', async () => {
    const crm = await freshAutomations()
    const records: (string | null)[] = []
    crm.fresh.app.workspaces.events.follow((_workspace, { name, record }) => {
      if (name === 'automation.executed') records.push(record)
    })
    const automation = await crm.automate()
    await crm.addDeal()
    await crm.addDeal()
    const executions = await crm.executions(automation)
    expect(records).toEqual(executions.map(({ id }) => id).toReversed())
  })

  test('follows the order in which the automations were created', async () => {
    const crm = await freshAutomations()
    for (const name of ['first', 'second', 'third']) {
      await crm.automate({ actions: [email({ to: `${name}@example.com` })] })
    }
    await crm.addDeal()
    expect((await crm.emails()).map(({ to }) => to)).toEqual([
      'third@example.com',
      'second@example.com',
      'first@example.com',
    ])
  })
})

describe('an action that fails', () => {
  test.each<[what: string, action: object, reason: string]>([
    [
      'a team without members, with round_robin',
      assign({ strategy: 'round_robin', team_id: 'team_gone' }),
      'The team team_gone has no members.',
    ],
    [
      'a team without members, with least_loaded',
      assign({ strategy: 'least_loaded', team_id: 'team_gone' }),
      'The team team_gone has no members.',
    ],
    ['an unknown owner', assign({ strategy: 'specific', user_id: 'x' }), 'There is no user x.'],
    [
      'a template without a name',
      email({ template_id: '{{deal.custom_fields.nothing}}' }),
      'The message has no template.',
    ],
    ['an empty address', email(), '"" is not an e-mail address.'],
    ['an invalid address', email({ to: '{{deal.name}}' }), '"Forty desks" is not an e-mail address.'],
    ['an empty title', task({ title: '{{deal.custom_fields.nothing}}' }), 'The task has no title.'],
    ['a task for an unknown user', task({ assign_to: 'x' }), 'There is no user x.'],
  ])('because of %s does not affect the request, and records the reason', async (_what, action, reason) => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ actions: [action] })

    const deal = await crm.addDeal()

    expect(await crm.getDeal(deal.id)).toEqual(deal)
    expect(await crm.executions(automation)).toMatchObject([
      {
        status: 'failed',
        failure_reason: reason,
        actions_executed: [{ status: 'failed', result: null }],
      },
    ])
    expect((await crm.getAutomation(automation.id)).executions_count).toBe(1)
  })

  test('because the contact has no deal records the reason', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ trigger: trigger('contact.created'), actions: [roundRobin] })
    await crm.addContact()
    expect(await crm.executions(automation)).toMatchObject([
      { status: 'failed', failure_reason: 'The event has no deal to assign.' },
    ])
  })

  test('keeps earlier actions and skips later ones', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({
      actions: [roundRobin, task(), email({ to: 'nobody' }), task({ title: 'Never' })],
    })

    const deal = await crm.addDeal()

    expect(deal.owner?.id).toBe(BEA)
    const [made, ...others] = await crm.tasks()
    expect(others).toEqual([])
    const [execution] = await crm.executions(automation)
    expect(execution).toMatchObject({
      status: 'failed',
      failure_reason: '"nobody" is not an e-mail address.',
      actions_executed: [
        { type: 'assign_owner', status: 'success', result: { owner_id: BEA } },
        { type: 'create_task', status: 'success', result: { activity_id: made?.id } },
        { type: 'send_email', status: 'failed', result: null },
      ],
    })
  })

  test('keeps the actions of other automations', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [task({ title: 'Before' })] })
    await crm.automate({ actions: [email({ to: 'nobody' })] })
    await crm.automate({ actions: [task({ title: 'After' })] })
    await crm.addDeal()
    expect((await crm.tasks()).map(({ subject }) => subject)).toEqual(['After', 'Before'])
  })

  test('is not run for a refused request', async () => {
    const crm = await freshAutomations()
    await crm.automate({ actions: [email({ to: 'desk@example.com' })] })
    const body = { name: 'Forty desks', pipeline_id: crm.pipeline.id, owner_id: 'nobody' }
    expect((await crm.call('POST', '/deals', { body })).status).toBe(422)
    expect(await crm.emails()).toEqual([])
  })
})

describe('automations that trigger each other', () => {
  const next = (number: number) => ({
    name: `Link ${String(number)}`,
    trigger: trigger('activity.created', {
      field: 'activity.subject',
      operator: 'equals',
      value: `Task ${String(number)}`,
    }),
    actions: [task({ title: `Task ${String(number + 1)}` })],
  })

  test('are stopped after five', async () => {
    const crm = await freshAutomations()
    const links = []
    for (let number = 0; number < 7; number += 1) links.push(await crm.automate(next(number)))

    await crm.expect('POST', '/activities', 201, { type: 'task', subject: 'Task 0' })

    const outcomes = []
    for (const link of links) outcomes.push((await crm.executions(link)).map(({ status }) => status))
    expect(outcomes.map((statuses) => statuses.filter((status) => status !== 'skipped'))).toEqual([
      ['success'],
      ['success'],
      ['success'],
      ['success'],
      ['success'],
      ['failed'],
      [],
    ])
    expect(await crm.tasks()).toHaveLength(6)
    const cut = await crm.executions(links[5] as { id: string })
    expect(cut.find(({ status }) => status === 'failed')).toMatchObject({
      failure_reason: 'loop: at most 5 automations may set each other off',
      actions_executed: [],
    })
  })

  test('are stopped if one of them would run again', async () => {
    const crm = await freshAutomations()
    const ping = await crm.automate({ trigger: trigger('activity.created'), actions: [task()] })
    await crm.expect('POST', '/activities', 201, { type: 'call', subject: 'Call' })

    expect(await crm.executions(ping)).toMatchObject([
      { status: 'success' },
      { status: 'failed', failure_reason: 'loop: the automation was set off by its own actions' },
    ])
    expect(await crm.tasks()).toHaveLength(1)
  })

  test('are recorded as stopped once, however often they would have run', async () => {
    const crm = await freshAutomations()
    const ping = await crm.automate({
      trigger: trigger('activity.created'),
      actions: [task(), task(), task()],
    })
    await crm.expect('POST', '/activities', 201, { type: 'call', subject: 'Call' })
    await crm.expect('POST', '/activities', 201, { type: 'call', subject: 'Another change' })

    const statuses = (await crm.executions(ping)).map(({ status }) => status)
    expect(statuses).toEqual(['success', 'failed', 'success', 'failed'])
  })

  test('end if each waits for the change of the other on one deal', async () => {
    const crm = await freshAutomations()
    const updated = trigger('deal.updated')
    const one = await crm.automate({
      trigger: updated,
      actions: [assign({ strategy: 'specific', user_id: BEA })],
    })
    const other = await crm.automate({
      trigger: updated,
      actions: [assign({ strategy: 'specific', user_id: CARL })],
    })
    const { id } = await crm.addDeal()

    await crm.expect('PATCH', `/deals/${id}`, 200, { value: 5 })

    expect((await crm.getDeal(id)).owner?.id).toBe(CARL)
    for (const automation of [one, other]) {
      const statuses = (await crm.executions(automation)).map(({ status }) => status)
      expect(statuses).toContain('success')
      expect(statuses).toContain('failed')
    }
  })

  test('end if one is triggered by executions, including its own', async () => {
    const crm = await freshAutomations()
    const watcher = await crm.automate({
      trigger: trigger('automation.executed'),
      actions: [email({ to: 'watcher@example.com' })],
    })
    await crm.automate()
    await crm.addDeal()
    expect((await crm.executions(watcher)).map(({ status }) => status).toSorted()).toEqual([
      'failed',
      'success',
    ])
    expect(await crm.emails()).toHaveLength(1)
  })

  test('run at most 100 executions for one change', async () => {
    const crm = await freshAutomations()
    const all = []
    for (let number = 0; number < 12; number += 1) {
      all.push(await crm.automate({ trigger: trigger('activity.created'), actions: [task()] }))
    }

    await crm.expect('POST', '/activities', 201, { type: 'call', subject: 'Call' })

    const executions = (await Promise.all(all.map(crm.executions))).flat()
    expect((await crm.call('GET', '/activities?type=task')).body).toMatchObject({
      meta: { total_count: 100 },
    })
    expect(executions.some(({ failure_reason }) => failure_reason?.includes('100 executions'))).toBe(true)
  })
})

describe('sequence', () => {
  const hours = (delay: number, title: string) => task({ title, delay_hours: delay })
  const titles = async (crm: Automated) => (await crm.tasks()).map(({ subject }) => subject)

  test('continues exactly when the delay of its next action has passed', async () => {
    const crm = await freshAutomations()
    await crm.automate({
      type: 'sequence',
      actions: [task({ title: 'At once' }), hours(24, 'A day later'), hours(0.5, 'And half an hour')],
    })

    await crm.addDeal()
    expect(await titles(crm)).toEqual(['At once'])
    await crm.advance('PT23H59M59.999S')
    expect(await titles(crm)).toEqual(['At once'])
    await crm.advance('PT0.001S')
    expect(await titles(crm)).toEqual(['A day later', 'At once'])
    await crm.advance('PT30M')

    expect(await titles(crm)).toEqual(['And half an hour', 'A day later', 'At once'])
  })

  test('is one execution, which is shown as waiting until its next action and emits its event at the end', async () => {
    const crm = await freshAutomations()
    const delivered: unknown[] = []
    crm.fresh.app.workspaces.events.follow((_workspace, { name, data }) => {
      if (name === 'automation.executed') delivered.push(data)
    })
    const actions = [task({ title: 'At once' }), hours(24, 'A day later'), hours(1, 'And an hour')]
    const automation = await crm.automate({ type: 'sequence', actions })
    const waiting = async () => {
      const path = `/automations/${automation.id}/executions?status=waiting`
      return ((await crm.expect('GET', path, 200)) as { data: ExecutionBody[] }).data
    }

    await crm.addDeal()
    const [first] = await waiting()
    expect(first).toMatchObject({
      status: 'waiting',
      next_action_at: '2026-11-22T12:00:00.000Z',
      actions_executed: [{ type: 'create_task', status: 'success' }],
    })
    await crm.advance('PT24H')
    expect(await waiting()).toMatchObject([{ id: first?.id, next_action_at: '2026-11-22T13:00:00.000Z' }])
    expect(delivered).toEqual([])
    await crm.advance('PT1H')

    expect(await waiting()).toEqual([])
    const executions = await crm.executions(automation)
    expect(executions).toEqual([
      {
        ...first,
        status: 'success',
        actions_executed: (await crm.tasks()).toReversed().map(({ id }) => ({
          type: 'create_task',
          status: 'success',
          result: { activity_id: id, owner_id: null, due_at: null },
        })),
        duration_ms: 25 * 3_600_000,
        next_action_at: null,
      },
    ])
    expect(delivered).toEqual([
      { automation: { id: automation.id, name: 'Follow up' }, execution: executions[0] },
    ])
    expect((await crm.getAutomation(automation.id)).executions_count).toBe(1)
  })

  test('keeps its actions and delays while waiting, even if the automation becomes a workflow', async () => {
    const crm = await freshAutomations()
    const actions = [hours(1, 'One'), hours(2, 'Three'), hours(3, 'Six')]
    const { id } = await crm.automate({ type: 'sequence', actions })
    await crm.addDeal()
    await crm.expect('PATCH', `/automations/${id}`, 200, { type: 'workflow', actions: [task()] })

    await crm.advance('PT1H')
    expect(await titles(crm)).toEqual(['One'])
    await crm.advance('PT4H59M59.999S')
    expect(await titles(crm)).toEqual(['Three', 'One'])
    await crm.advance('PT0.001S')

    expect(await titles(crm)).toEqual(['Six', 'Three', 'One'])
    expect(await crm.executions({ id })).toMatchObject([{ status: 'success', duration_ms: 6 * 3_600_000 }])
  })

  test('runs all due actions, each at its own time, when the clock jumps', async () => {
    const crm = await freshAutomations()
    await crm.automate({
      type: 'sequence',
      actions: [hours(1, 'One'), task({ title: 'With it' }), hours(2, 'Three')],
    })
    await crm.addDeal()
    await crm.advance('P1D')
    expect((await crm.tasks()).map(({ subject, created_at }) => [subject, created_at])).toEqual([
      ['Three', '2026-11-21T15:00:00.000Z'],
      ['With it', '2026-11-21T13:00:00.000Z'],
      ['One', '2026-11-21T13:00:00.000Z'],
    ])
  })

  test('uses the current deal', async () => {
    const crm = await freshAutomations()
    await crm.automate({
      type: 'sequence',
      actions: [email({ to: '{{deal.owner.email}}', delay_hours: 1 })],
    })
    const { id } = await crm.addDeal({ owner_id: BEA })
    await crm.expect('PATCH', `/deals/${id}`, 200, { owner_id: CARL })
    await crm.advance('PT1H')
    expect((await crm.emails()).map(({ to }) => to)).toEqual(['carl@example.com'])
  })

  test.each<[what: string, trigger: object, change: (crm: Automated, contactId: string) => Promise<string>]>([
    ['contact', trigger('contact.created'), (_crm, contactId) => Promise.resolve(`contact ${contactId}`)],
    [
      'deal',
      trigger('deal.created'),
      async (crm, contactId) => {
        const { id } = await crm.addDeal({ contact_id: contactId })
        return `contact ${contactId}, deal ${id}`
      },
    ],
    [
      'activity',
      trigger('activity.created'),
      async (crm, contactId) => {
        const body = { type: 'call', subject: 'Call', contact_id: contactId }
        const { id } = (await crm.expect('POST', '/activities', 201, body)) as { id: string }
        return `contact ${contactId}, activity ${id}`
      },
    ],
  ])('is skipped with a reason if its %s was deleted', async (_what, on, change) => {
    const crm = await freshAutomations()
    const actions = [email({ to: 'desk@example.com' }), email({ delay_hours: 1 }), hours(1, 'Later')]
    const automation = await crm.automate({ type: 'sequence', trigger: on, actions })
    const contact = await crm.addContact()
    const deletedRecord = await change(crm, contact.id)
    await crm.expect('DELETE', `/contacts/${contact.id}`, 204)

    await crm.advance('PT3H')

    expect((await crm.emails()).map(({ to }) => to)).toEqual(['desk@example.com'])
    expect(await crm.tasks()).toEqual([])
    expect(await crm.executions(automation)).toMatchObject([
      {
        status: 'skipped',
        failure_reason: `Deleted before the action was due: ${deletedRecord}.`,
        actions_executed: [{ type: 'send_email', status: 'success' }],
      },
    ])
  })

  test('continues after the deletion that triggered it', async () => {
    const crm = await freshAutomations()
    const to = { to: '{{contact.email}}', delay_hours: 1 }
    await crm.automate({ type: 'sequence', trigger: trigger('contact.deleted'), actions: [email(to)] })
    const { id } = await crm.addContact()
    await crm.expect('DELETE', `/contacts/${id}`, 204)
    await crm.advance('PT1H')
    expect((await crm.emails()).map((sent) => sent.to)).toEqual(['ana@example.com'])
  })

  test('uses the current contact of its deal', async () => {
    const crm = await freshAutomations()
    await crm.load({
      ...(await crmOf(crm)),
      templates: [
        {
          id: 'tpl_who',
          name: 'Who',
          subject: '{{contact.name}} {{deal.contact.name}}',
          body: '{{contact.company}}',
          createdAt: NOON,
        },
      ],
    })
    const actions = [email({ template_id: 'tpl_who', delay_hours: 1 }), task({ title: '{{contact.name}}' })]
    await crm.automate({ type: 'sequence', actions })
    const first = await crm.addContact()
    const second = await crm.addContact({ name: 'Eva', email: 'eva@example.com', company: 'Harbor' })
    const { id } = await crm.addDeal({ contact_id: first.id })
    await crm.expect('PATCH', `/deals/${id}`, 200, { contact_id: second.id })
    await crm.expect('DELETE', `/contacts/${first.id}`, 204)

    await crm.advance('PT1H')

    expect(await crm.emails()).toMatchObject([{ to: 'eva@example.com', subject: 'Eva Eva', text: 'Harbor' }])
    expect(await crm.tasks()).toMatchObject([{ subject: 'Eva', contact_id: second.id, deal_id: id }])
  })

  test('stops after an action that failed', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({
      type: 'sequence',
      actions: [email({ to: 'nobody' }), hours(1, 'Later')],
    })
    await crm.addDeal()
    await crm.advance('PT2H')
    expect(await crm.tasks()).toEqual([])
    expect(await crm.executions(automation)).toMatchObject([{ status: 'failed' }])
  })

  test('is skipped with a reason if it was switched off', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ type: 'sequence', actions: [hours(1, 'Later')] })
    await crm.addDeal()
    await crm.expect('PATCH', `/automations/${automation.id}`, 200, { active: false })
    await crm.advance('PT1H')
    expect(await crm.tasks()).toEqual([])
    expect(await crm.executions(automation)).toMatchObject([
      {
        status: 'skipped',
        failure_reason: 'The automation was not active when the action was due.',
        actions_executed: [],
      },
    ])
  })

  test('stops if it was deleted', async () => {
    const crm = await freshAutomations()
    const { id } = await crm.automate({ type: 'sequence', actions: [hours(1, 'Later')] })
    await crm.addDeal()
    await crm.expect('DELETE', `/automations/${id}`, 204)
    await crm.advance('PT2H')
    expect(await crm.tasks()).toEqual([])
  })

  test('runs its original actions even if they were changed', async () => {
    const crm = await freshAutomations()
    const { id } = await crm.automate({ type: 'sequence', actions: [hours(1, 'As it was')] })
    await crm.addDeal()
    await crm.expect('PATCH', `/automations/${id}`, 200, { actions: [hours(1, 'As it is')] })
    await crm.advance('PT1H')
    expect(await titles(crm)).toEqual(['As it was'])
  })

  test('that triggers itself is stopped, even after its delay', async () => {
    const crm = await freshAutomations()
    const automation = await crm.automate({
      type: 'sequence',
      trigger: trigger('activity.created'),
      actions: [hours(1, 'Again')],
    })
    await crm.expect('POST', '/activities', 201, { type: 'call', subject: 'Call' })
    await crm.advance('P30D')
    expect(await titles(crm)).toEqual(['Again'])
    expect((await crm.executions(automation)).map(({ status }) => status)).toEqual(['failed', 'success'])
  })

  test('continues from a snapshot taken while it waited', async () => {
    const crm = await freshAutomations()
    await crm.automate({ type: 'sequence', actions: [hours(1, 'Later')] })
    await crm.addDeal()
    const path = `/_sim/workspaces/${crm.fresh.workspace.id}/snapshot`
    const { body } = await crm.fresh.call('GET', path)
    await crm.fresh.call('POST', `/_sim/workspaces/${crm.fresh.workspace.id}/reset`)
    crm.fresh.setClock(NOON)
    expect((await crm.fresh.call('PUT', path, { body })).status).toBe(204)
    await crm.advance('PT1H')
    expect(await titles(crm)).toEqual(['Later'])
  })
})

describe('an automation of a snapshot', () => {
  const record = (fields: object) => ({
    automations: [
      {
        id: 'auto_kept',
        name: 'Kept',
        trigger: trigger('contact.created'),
        actions: [task()],
        createdAt: NOON,
        updatedAt: NOON,
        ...fields,
      },
    ],
  })

  test('works like one created by a call', async () => {
    const crm = await freshAutomations()
    await crm.load(record({}))
    await crm.addContact()
    expect((await crm.tasks()).map(({ subject }) => subject)).toEqual(['Call back'])
    expect(await crm.getAutomation('auto_kept')).toMatchObject({ type: 'workflow', executions_count: 1 })
  })

  test.each<[what: string, action: object, reason: string]>([
    ['nothing', { type: 'create_task', config: {} }, 'The task has no title.'],
    ['a number instead of a text', email({ template_id: 5 }), 'The message has no template.'],
    ['no strategy', assign({ team_id: 'team_sales' }), 'The event has no deal to assign.'],
  ])('with the configuration %s fails without affecting the request', async (_what, action, reason) => {
    const crm = await freshAutomations()
    await crm.load(record({ actions: [action] }))
    await crm.addContact()
    expect(await crm.executions({ id: 'auto_kept' })).toMatchObject([
      { status: 'failed', failure_reason: reason },
    ])
  })

  test('with a task due before the first instant creates it as due at once', async () => {
    const crm = await freshAutomations()
    await crm.load(record({ actions: [task({ due_in_hours: -1e300 })] }))
    await crm.addContact()
    expect((await crm.tasks()).map(({ due_at }) => due_at)).toEqual([NOON])
  })

  test.each<[what: string, fields: object]>([
    ['an unknown event', { trigger: trigger('deal.renamed') }],
    ['an unknown operator', { trigger: trigger('deal.won', { field: 'deal.value', operator: 'is_like' }) }],
    ['an unknown action', { actions: [{ type: 'send_fax', config: {} }] }],
    ['an action without config', { actions: [{ type: 'create_task' }] }],
  ])('is refused with %s', async (_what, fields) => {
    const crm = await freshAutomations()
    await expect(crm.load(record(fields))).rejects.toThrow('answered 4')
  })
})

describe('the budget of a call', () => {
  const tasksFor = (count: number, title: string) => Array(count).fill(task({ title })) as object[]

  test('ends after fifty actions; the others run later', async () => {
    const crm = await freshAutomations()
    for (const title of ['first', 'second']) await crm.automate({ actions: tasksFor(25, title) })
    expect((await crm.addDeal()).activities_count).toBe(50)

    await crm.automate({ actions: tasksFor(1, 'third') })
    const { id, activities_count } = await crm.addDeal()
    expect(activities_count).toBe(50)
    expect((await crm.getDeal(id)).activities_count).toBe(51)
  })

  test('continues after an action that failed', async () => {
    const crm = await freshAutomations()
    const actions = [...tasksFor(49, 'Done'), email({ to: 'nobody' })]
    const failing = await crm.automate({ actions })
    const follower = await crm.automate({ trigger: trigger('activity.created'), actions: [task()] })

    const { id } = await crm.addDeal()

    expect(await crm.executions(failing)).toMatchObject([{ status: 'failed' }])
    const { body } = await crm.call('GET', `/automations/${follower.id}/executions?status=success`)
    expect(body).toMatchObject({ meta: { total_count: 49 } })
    expect((await crm.getDeal(id)).activities_count).toBe(98)
  })

  test('continues from a snapshot with the remaining automations', async () => {
    const crm = await freshAutomations()
    const automation = (id: string) => ({
      id,
      name: id,
      trigger: trigger('contact.created'),
      actions: [task({ title: id })],
      createdAt: NOON,
      updatedAt: NOON,
    })
    const unseen = (id: string, fields: object) => ({
      id,
      changeId: 'chg_kept',
      triggerEvent: 'contact.created',
      triggerData: { contact: { id: 'gone' } },
      chain: [],
      ...fields,
    })
    await crm.load({
      automations: ['auto_one', 'auto_two', 'auto_three'].map(automation),
      unfinishedChanges: [{ id: 'chg_kept', executions: 98, cutOff: [], dueAt: NOON }],
      unseenEvents: [
        unseen('unseen_later', { automations: null }),
        unseen('unseen_next', { automations: ['auto_two', 'auto_gone'] }),
      ],
    })

    // Two of a hundred executions were left: one for the last stored event, one for the other.
    expect((await crm.tasks()).map(({ subject }) => subject)).toEqual(['auto_one', 'auto_two'])
    expect(await crm.executions({ id: 'auto_three' })).toMatchObject([{ status: 'failed' }])
    const { body } = await crm.fresh.call('GET', `/_sim/workspaces/${crm.fresh.workspace.id}/snapshot`)
    expect(body).not.toMatchObject({ crm: { unfinishedChanges: [{}] } })
  })
})

describe('the stored data of an execution', () => {
  const storedData = async (fields: object) => {
    const crm = await freshAutomations()
    const automation = await crm.automate({ trigger: trigger('contact.created') })
    await crm.addContact({ custom_fields: fields })
    const [execution] = await crm.executions(automation)
    return execution?.trigger_data['contact']
  }

  test('is the event, with up to 16,384 characters of JSON for a field of its record', async () => {
    const fields = { notes: 'x'.repeat(16_384 - '{"notes":""}'.length) }
    expect(await storedData(fields)).toMatchObject({ name: 'Ana Castillo', custom_fields: fields })
  })

  test('omits a longer field', async () => {
    const contact = await storedData({ notes: 'x'.repeat(16_385 - '{"notes":""}'.length) })
    expect(contact).toMatchObject({ name: 'Ana Castillo' })
    expect(contact).not.toHaveProperty('custom_fields')
  })
})

test('fails an execution whose messages exceed a million characters', async () => {
  const crm = await freshAutomations()
  await crm.load({
    templates: [{ id: 'tpl_large', name: 'Large', subject: '', body: 'x'.repeat(250_000), createdAt: NOON }],
  })
  const sending = async (count: number) => {
    const actions = Array(count).fill(email({ template_id: 'tpl_large', to: 'a@example.com' })) as object[]
    const automation = await crm.automate({ trigger: trigger('contact.created'), actions })
    await crm.addContact({ email: null })
    await crm.expect('PATCH', `/automations/${automation.id}`, 200, { active: false })
    return crm.executions(automation)
  }

  expect(await sending(4)).toMatchObject([{ status: 'success' }])
  expect(await sending(5)).toMatchObject([
    { status: 'failed', failure_reason: 'The messages must have at most 1000000 characters together.' },
  ])
  // The fourth message of the second execution is the last within the limit.
  expect(await crm.emails()).toHaveLength(8)
})

test.each([
  [30, 'success', null],
  [40, 'failed', 'The actions must write at most 2000 rows, including deliveries.'],
])('runs fifty actions with %i subscriptions: %s', async (count, status, reason) => {
  const crm = await freshAutomations()
  const webhook = { url: 'http://127.0.0.1:9/hooks', events: ['activity.created'] }
  for (let number = 0; number < count; number += 1) await crm.expect('POST', '/webhooks', 201, webhook)
  const automation = await crm.automate({ actions: Array(50).fill(task()) as object[] })

  const { id } = await crm.addDeal()

  expect(await crm.executions(automation)).toMatchObject([{ status, failure_reason: reason }])
  expect((await crm.getDeal(id)).activities_count).toBe(status === 'success' ? 50 : 47)
})
