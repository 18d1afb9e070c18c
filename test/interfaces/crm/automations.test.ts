/** Automations as records: accepted, refused and returned values. */
import { describe, expect, test } from 'vitest'
import { CRM_EVENTS } from '../../../src/state/crm/eventNames.ts'
import { OPERATORS } from '../../../src/state/crm/automationParts.ts'
import { assign, email, freshAutomations, NOON, task, trigger } from '../../support/automations.ts'

const body = { name: 'Follow up', trigger: trigger('deal.created'), actions: [task()] }

/** An error because of one field for `toMatchObject`. */
const invalid = (field: string, code: string) => ({
  status: 422,
  body: { error: { code: 'validation_error', details: [{ field, code }] } },
})

describe('POST /automations', () => {
  test('stores an automation and returns it without an envelope, with defaults', async () => {
    const { call } = await freshAutomations()

    const answer = await call('POST', '/automations', {
      body: { name: 'Follow up', trigger: { event: 'deal.created' }, actions: [task()] },
    })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^auto_[A-Za-z0-9]{20}$/) as string,
      name: 'Follow up',
      type: 'workflow',
      active: true,
      trigger: { event: 'deal.created', conditions: [] },
      actions: [{ type: 'create_task', config: { title: 'Call back' } }],
      executions_count: 0,
      last_executed_at: null,
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('stores every field unchanged, and drops unknown ones', async () => {
    const { call, getAutomation } = await freshAutomations()
    const sent = {
      name: 'Large deals',
      type: 'sequence',
      active: false,
      trigger: trigger('deal.stage_changed', { field: 'deal.value', operator: 'greater_than', value: 10.5 }),
      actions: [
        assign({ strategy: 'round_robin', team_id: 'team_sales' }),
        email({ delay_hours: 24 }),
        task({ due_in_hours: 0.5, assign_to: '{{deal.owner_id}}', delay_hours: 48 }),
      ],
    }

    const answer = await call('POST', '/automations', {
      body: {
        ...sent,
        id: 'mine',
        executions_count: 7,
        trigger: { ...sent.trigger, unknown: 1 },
        actions: sent.actions.map((action) => ({ ...action, unknown: 1 })),
      },
    })

    expect(answer.body).toMatchObject(sent)
    expect(answer.body).toMatchObject({ executions_count: 0 })
    const { id } = answer.body as { id: string }
    expect(id).not.toBe('mine')
    expect(await getAutomation(id)).toEqual(answer.body)
  })

  test.each(CRM_EVENTS)('accepts the event %s', async (event) => {
    const { automate } = await freshAutomations()
    expect((await automate({ trigger: trigger(event) })).trigger.event).toBe(event)
  })

  const condition = (fields: object) => ({
    trigger: trigger('deal.created', { field: 'deal.value', operator: 'equals', value: 1, ...fields }),
  })
  const at = 'trigger.conditions.0'
  const configured = (type: string, config: object) => ({ actions: [{ type, config }] })

  test.each<[what: string, fields: object, field: string, code: string]>([
    ['an unknown field of a deal', condition({ field: 'deal.worth' }), `${at}.field`, 'unknown'],
    ['a field of an unknown record', condition({ field: 'worth' }), `${at}.field`, 'unknown'],
    ['an inherited property name', condition({ field: 'deal.constructor_id' }), `${at}.field`, 'unknown'],
    ['a field of a text', condition({ field: 'deal.name.first' }), `${at}.field`, 'unknown'],
    [
      'a deal of a contact',
      { trigger: trigger('contact.created', { field: 'deal.value', operator: 'equals', value: 1 }) },
      `${at}.field`,
      'unknown',
    ],
    [
      'a field that a deleted contact lacks',
      { trigger: trigger('contact.deleted', { field: 'contact.phone', operator: 'is_empty' }) },
      `${at}.field`,
      'unknown',
    ],
    ['no value', condition({ value: undefined }), `${at}.value`, 'required'],
    ['an object as value', condition({ value: {} }), `${at}.value`, 'invalid_type'],
    ['a single value for in', condition({ operator: 'in' }), `${at}.value`, 'invalid_type'],
    [
      'nested lists for not_in',
      condition({ operator: 'not_in', value: [[]] }),
      `${at}.value`,
      'invalid_type',
    ],
    [
      'a boolean for less than',
      condition({ operator: 'less_than', value: true }),
      `${at}.value`,
      'invalid_type',
    ],
    ['a number for starts with', condition({ operator: 'starts_with' }), `${at}.value`, 'invalid_type'],
    ['a list for is_empty', condition({ operator: 'is_empty', value: [1] }), `${at}.value`, 'invalid_type'],
    [
      '51 conditions',
      {
        trigger: trigger(
          'deal.created',
          ...(Array<object>(51).fill({ field: 'a', operator: 'is_empty' }) as []),
        ),
      },
      'trigger.conditions',
      'too_many',
    ],
    ['51 actions', { actions: Array(51).fill(task()) }, 'actions', 'too_many'],
    ['a task without a title', configured('create_task', {}), 'actions.0.config.title', 'required'],
    [
      'a task with a negative due time',
      { actions: [task({ due_in_hours: -1 })] },
      'actions.0.config.due_in_hours',
      'too_small',
    ],
    [
      'a task due in more than ten years',
      { actions: [task({ due_in_hours: 87_601 })] },
      'actions.0.config.due_in_hours',
      'too_large',
    ],
    [
      'an e-mail without a template',
      configured('send_email', { to: 'ana@example.com' }),
      'actions.0.config.template_id',
      'required',
    ],
    [
      'an e-mail without a recipient',
      configured('send_email', { template_id: 'tpl_welcome' }),
      'actions.0.config.to',
      'required',
    ],
    [
      'no strategy',
      { actions: [assign({ team_id: 'team_sales' })] },
      'actions.0.config.strategy',
      'required',
    ],
    [
      'an unknown strategy',
      { actions: [assign({ strategy: 'the_best', team_id: 'team_sales' })] },
      'actions.0.config.strategy',
      'not_allowed',
    ],
    [
      'a team strategy without a team',
      { actions: [task(), assign({ strategy: 'least_loaded' })] },
      'actions.1.config.team_id',
      'required',
    ],
    [
      'the specific strategy without a user',
      { actions: [assign({ strategy: 'specific' })] },
      'actions.0.config.user_id',
      'required',
    ],
    [
      'a setting of another action',
      { actions: [task(), email({ templateId: 'tpl_welcome' })] },
      'actions.1.config.templateId',
      'unknown',
    ],
    [
      'only an unknown setting',
      configured('create_task', { name: 'Call' }),
      'actions.0.config.name',
      'unknown',
    ],
    [
      'a delay in a workflow',
      { actions: [task({ delay_hours: 1 })] },
      'actions.0.config.delay_hours',
      'not_allowed',
    ],
    [
      'a delay of more than a year',
      { type: 'sequence', actions: [task({ delay_hours: 8761 })] },
      'actions.0.config.delay_hours',
      'too_large',
    ],
  ])('refuses %s', async (_what, fields, field, code) => {
    const { call } = await freshAutomations()
    const answer = await call('POST', '/automations', { body: { ...body, ...fields } })
    expect(answer).toMatchObject(invalid(field, code))
    const { message, details } = (
      answer.body as { error: { message: string; details: { message: string }[] } }
    ).error
    expect(details).toHaveLength(1)
    expect(message).toBe(details[0]?.message)
    expect(message).toContain(field)
  })

  test.each<[what: string, fields: object]>([
    ['50 actions', { actions: Array(50).fill(task()) }],
    ['a delay of a year', { type: 'sequence', actions: [task({ delay_hours: 8760 })] }],
    ['a task that is due at once', { actions: [task({ due_in_hours: 0 })] }],
    ['a task due in ten years', { actions: [task({ due_in_hours: 87_600 })] }],
    ['a team that does not exist yet', { actions: [assign({ strategy: 'round_robin', team_id: 'later' })] }],
    [
      '50 conditions',
      {
        trigger: trigger(
          'deal.created',
          ...(Array<object>(50).fill({ field: 'deal.name', operator: 'is_empty' }) as []),
        ),
      },
    ],
  ])('accepts %s', async (_what, fields) => {
    const { call } = await freshAutomations()
    expect((await call('POST', '/automations', { body: { ...body, ...fields } })).status).toBe(201)
  })

  test.each([
    ['deal.created', 'deal.custom_fields.any.thing'],
    ['deal.created', 'deal.contact_id'],
    ['deal.created', 'deal.owner.email'],
    ['deal.created', 'value'],
    ['deal.won', 'stage.name'],
    ['deal.created', 'custom_fields.any'],
    ['contact.created', 'vertical'],
    ['activity.completed', 'subject'],
    ['deal.created', 'contact.tags.0'],
    ['deal.stage_changed', 'from_stage.probability'],
    ['deal.stage_changed', 'reason'],
    ['deal.deleted', 'deal.deleted_at'],
    ['activity.updated', 'activity.deal_id'],
    ['activity.created', 'deal.value'],
    ['activity.created', 'contact.vertical'],
    ['contact.updated', 'contact.email'],
    ['automation.executed', 'execution.trigger_data.deal.value'],
  ])('accepts for %s the field %s', async (event, field) => {
    const { automate } = await freshAutomations()
    const condition = { field, operator: 'is_empty' }
    expect((await automate({ trigger: trigger(event, condition) })).trigger.conditions).toEqual([condition])
  })

  test('lists the beginnings of condition paths, and suggests the likely one', async () => {
    const { call } = await freshAutomations()
    const answer = await call('POST', '/automations', { body: { ...body, ...condition({ field: 'phone' }) } })
    expect(answer.text).toContain('paths begin with deal, contact; did you mean contact.phone?')
  })

  test.each([
    ['deal.created', task({ title: 'Call {{contact.first_name}}' }), 'contact has id, name, email'],
    [
      'deal.created',
      task({ title: 'Call {{ contact.name }}', assign_to: '{{owner_id}}' }),
      'did you mean deal.owner_id?',
    ],
    ['deal.created', task({ title: '{{}}' }), 'paths begin with deal, contact'],
    ['deal.created', email({ to: '{{deal.name.first}}' }), 'deal.name has no parts'],
    ['deal.created', email({ template_id: 'tpl_{{deal.kind}}' }), 'deal has id, name'],
    [
      'contact.created',
      assign({ strategy: 'round_robin', team_id: '{{deal.value}}' }),
      'paths begin with contact',
    ],
    ['deal.deleted', task({ title: '{{deal.value}}' }), 'deal has id, name, deleted_at'],
  ])('refuses for %s a placeholder in %j that names nothing', async (event, action, words) => {
    const { call, expect: expected } = await freshAutomations()
    const sent = { ...body, trigger: trigger(event), actions: [task(), action] }
    const answer = await call('POST', '/automations', { body: sent })
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ code: 'unknown' }] } } })
    expect(answer.text).toContain(words)
    expect(await expected('GET', '/automations', 200)).toMatchObject({ data: [] })
  })

  test.each([
    ['deal.created', '{{deal.owner.email}} {{deal.owner_id}} {{contact.tags.0}} {{deal}}'],
    ['deal.created', '{{contact.custom_fields.plate}}'],
    ['activity.created', '{{deal.value}} {{contact.name}} {{activity.subject}}'],
    ['deal.stage_changed', '{{from_stage.name}}'],
  ])('accepts for %s the placeholders %s', async (event, title) => {
    const { automate } = await freshAutomations()
    const actions = [task({ title })]
    expect(await automate({ trigger: trigger(event), actions })).toMatchObject({ actions })
  })

  test('checks the placeholders again when the event changes, and not when the name does', async () => {
    const { automate, call } = await freshAutomations()
    const { id } = await automate({ actions: [task({ title: '{{deal.value}}' })] })
    const patch = async (sent: object) => call('PATCH', `/automations/${id}`, { body: sent })
    expect(await patch({ trigger: trigger('contact.created') })).toMatchObject(
      invalid('actions.0.config.title', 'unknown'),
    )
    expect(await patch({ actions: [task({ title: '{{deal.worth}}' })] })).toMatchObject(
      invalid('actions.0.config.title', 'unknown'),
    )
    expect(await patch({ name: 'Other', trigger: trigger('deal.won') })).toMatchObject({ status: 200 })
  })

  test.each(OPERATORS)('accepts the operator %s with a matching value', async (operator) => {
    const { automate } = await freshAutomations()
    const value = operator === 'in' || operator === 'not_in' ? ['a'] : 'a'
    const condition = { field: 'deal.name', operator, value }
    const made = await automate({ trigger: trigger('deal.created', condition) })
    expect(made.trigger.conditions).toEqual([condition])
  })
})

describe('GET /automations', () => {
  test('returns a page, newest first', async () => {
    const { automate, call, fresh } = await freshAutomations()
    const old = await automate({ name: 'Old' })
    fresh.setClock('2026-11-21T13:00:00Z')
    const young = await automate({ name: 'Young' })

    expect((await call('GET', '/automations')).body).toEqual({
      data: [young, old],
      meta: { current_page: 1, total_pages: 1, total_count: 2 },
    })
    expect((await call('GET', '/automations?page=2&per_page=1')).body).toEqual({
      data: [old],
      meta: { current_page: 2, total_pages: 2, total_count: 2 },
    })
  })
})

describe('PATCH /automations/{automation_id}', () => {
  test('changes only the given fields', async () => {
    const { automate, call, fresh, getAutomation } = await freshAutomations()
    const made = await automate()
    fresh.setClock('2026-11-21T13:00:00Z')

    const answer = await call('PATCH', `/automations/${made.id}`, { body: { active: false } })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...made, active: false, updated_at: '2026-11-21T13:00:00.000Z' })
    expect(await getAutomation(made.id)).toEqual(answer.body)
  })

  test('checks delays against the resulting type', async () => {
    const { automate, call } = await freshAutomations()
    const made = await automate({ type: 'sequence', actions: [task({ delay_hours: 1 })] })
    const patch = (sent: object) => call('PATCH', `/automations/${made.id}`, { body: sent })
    const refused = invalid('actions.0.config.delay_hours', 'not_allowed')

    expect(await patch({ type: 'workflow' })).toMatchObject(refused)
    expect((await patch({ actions: [task({ delay_hours: 2 })] })).status).toBe(200)
    expect((await patch({ type: 'workflow', actions: [task()] })).status).toBe(200)
    expect(await patch({ actions: [task({ delay_hours: 2 })] })).toMatchObject(refused)
  })
})

describe('limits', () => {
  const conditions = (values: number) => [
    { field: 'deal.name', operator: 'in', value: Array(values - 1).fill('a') },
    { field: 'deal.value', operator: 'equals', value: 1 },
  ]

  test('the values that conditions compare with', async () => {
    const { automate, call } = await freshAutomations()
    const large = { event: 'deal.created', conditions: conditions(1000) }
    const tooLarge = { event: 'deal.created', conditions: conditions(1001) }
    const { id } = await automate({ trigger: large })

    const refused = invalid('trigger.conditions', 'too_many')
    expect(await call('POST', '/automations', { body: { ...body, trigger: tooLarge } })).toMatchObject(
      refused,
    )
    expect(await call('PATCH', `/automations/${id}`, { body: { trigger: tooLarge } })).toMatchObject(refused)
  })

  test('the automations of a workspace, also in a snapshot', async () => {
    const { call, load } = await freshAutomations()
    const automations = (count: number) =>
      Array.from({ length: count }, (_, number) => ({
        ...body,
        id: `auto_${String(number)}`,
        createdAt: NOON,
        updatedAt: NOON,
      }))
    await expect(load({ automations: automations(1001) })).rejects.toThrow('at most 1000 automations')
    await load({ automations: automations(999) })

    expect((await call('POST', '/automations', { body })).status).toBe(201)
    expect(await call('POST', '/automations', { body })).toMatchObject({
      status: 422,
      body: { error: { message: 'A workspace holds at most 1000 automations.' } },
    })
  })
})
