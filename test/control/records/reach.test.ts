/** POST /_sim/workspaces/{id}/reach: its way, its fields, its refusals, and what it leaves alone. */
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace, type ControlApp, type Made } from '../app.ts'

const FROZEN = '2026-11-20T15:00:00.000Z'

async function fresh(body: object = {}): Promise<{ app: ControlApp; made: Made; reach: Reach }> {
  const app = await controlApp()
  const made = await makeWorkspace(app, body)
  const reach: Reach = (record, state, more = {}, headers = {}) =>
    app.sim('POST', `/workspaces/${made.id}/reach`, { body: { record, state, ...more }, headers })
  return { app, made, reach }
}

type Reach = (
  record: string,
  state: string,
  more?: object,
  headers?: Readonly<Record<string, string>>,
) => ReturnType<ControlApp['sim']>

describe('the way', () => {
  test('is the shortest: calls and triggers with their titles and as code', async () => {
    const { reach } = await fresh()
    const { body } = await reach('payments.refunds', 'failed')
    expect(body.way.map(({ kind, title }: { kind: string; title: string }) => `${kind}: ${title}`)).toEqual([
      'call: Create a payment link.',
      'trigger: Simulate a payment on the hosted payment page of a link.',
      'call: Refund a transaction.',
      'trigger: Fail a refund: its amount counts as paid again.',
    ])
    expect(body.way[2].code).toBe(
      "const refund = await (await workspace.fetch('payments', `/transactions/${transaction.transaction_id}/refund`, { json: {} })).json()",
    )
    expect(body.way[1].curl).toBe(
      [
        'transaction_transaction_id=$(curl -sSf -X POST "$SIM_URL/_sim/workspaces/$WORKSPACE/triggers/payments.link.pay" \\',
        '  ${SIM_ADMIN_TOKEN:+-H "Authorization: Bearer $SIM_ADMIN_TOKEN"} \\',
        "  -H 'Content-Type: application/json' \\",
        '  -d \'{"link_id":"\'"$link_data_id"\'"}\' | jq -r \'.transaction_id\')',
      ].join('\n'),
    )
  })

  test('moves the clock only if nothing else leads there, and says so', async () => {
    const { app, made, reach } = await fresh()
    await app.sim('PUT', `/workspaces/${made.id}/clock`, { body: { now: FROZEN, frozen: true } })
    const { body } = await reach('signage.screens', 'offline')
    expect(body.way.map(({ kind }: { kind: string }) => kind)).toEqual(['trigger', 'call', 'trigger'])
    expect((await app.sim('GET', `/workspaces/${made.id}/clock`)).body.now).toBe(FROZEN)

    const expired = await reach('payments.links', 'expired')
    expect(expired.body.way.map(({ title }: { title: string }) => title)).toEqual([
      'Read the clock.',
      'Create a payment link.',
      'Advance the clock by PT1M. It is the clock of all records.',
    ])
    const clock = await app.sim('GET', `/workspaces/${made.id}/clock`)
    expect(clock.body).toEqual({ now: '2026-11-20T15:01:00.000Z', frozen: true })
  })

  test('follows the readings of the workspace', async () => {
    const { app, made, reach } = await fresh()
    const free = await reach('recruiting.vacancies', 'closed')
    expect(free.body.way).toHaveLength(2)
    await app.sim('PATCH', `/workspaces/${made.id}`, {
      body: { readings: { 'recruiting.vacancy_status': 'machine' } },
    })
    const byMachine = await reach('recruiting.vacancies', 'archived')
    expect(byMachine.body.state).toBe('archived')
    const refused = await app.call('POST', '/recruiting/v1/vacancies', made.key, {
      title: 'x',
      status: 'published',
    })
    const skipped = await app.call(
      'POST',
      `/recruiting/v1/vacancies/${String(refused.body.id)}/status`,
      made.key,
      {
        status: 'archived',
      },
    )
    expect(skipped.status).toBe(409)
  })

  test('is recorded as the steps of a recording', async () => {
    const { app, made, reach } = await fresh()
    const started = await app.sim('POST', `/workspaces/${made.id}/recordings`, { body: {} })
    await reach('payments.refunds', 'failed')
    const { body } = await app.sim(
      'POST',
      `/workspaces/${made.id}/recordings/${String(started.body.id)}/stop`,
    )
    expect(body.steps.map(({ kind }: { kind: string }) => kind)).toEqual([
      'call',
      'trigger',
      'call',
      'trigger',
    ])
  })
})

describe('the record', () => {
  test('is new each time, and the others stay as they are', async () => {
    const { app, made, reach } = await fresh({ fixtures: 'small' })
    await app.sim('PUT', `/workspaces/${made.id}/clock`, { body: { frozen: true } })
    for (const name of ['recruiting.interviews', 'payments.settlements', 'integration-payments.links'])
      for (const round of [`${name}.first`, `${name}.second`]) {
        await app.sim('POST', `/workspaces/${made.id}/snapshots`, { body: { name: round } })
        const state =
          { 'recruiting.interviews': 'confirmed', 'payments.settlements': 'deposited' }[name] ?? 'completed'
        const { status, text } = await reach(name, state)
        expect(status, text).toBe(200)
        const { body } = await app.sim('GET', `/workspaces/${made.id}/diff?from=${round}&limit=1000`)
        const changed = body.data.filter(({ change }: { change: string }) => change !== 'added')
        expect(changed.map(({ section, id }: { section: string; id: string }) => `${section} ${id}`)).toEqual(
          [],
        )
      }
  })

  test('has the fields of the body', async () => {
    const { reach } = await fresh()
    const { body } = await reach('payments.links', 'paid', {
      fields: { amount: 2550, description: 'A chair' },
    })
    expect(body.record.data).toMatchObject({ status: 'paid', amount: 2550, description: 'A chair' })
  })

  test('has texts with braces and quotes as they were sent, also in the code', async () => {
    const { reach } = await fresh()
    const description = "{link.data.id} {{it's}}"
    const { body } = await reach('payments.links', 'active', {
      fields: { description, metadata: { '{a.b}': '{' } },
    })
    expect(body.record.data).toMatchObject({ description, metadata: { '{a.b}': '{' } })
    expect(body.way[0].code).toContain(`description: '{link.data.id} {{it\\'s}}', metadata: { '{a.b}': '{' }`)
    expect(body.way[0].curl).toContain(`"description":"{link.data.id} {{it'\\''s}}","metadata":{"{a.b}":"{"}`)
  })

  test('can be named by its machine', async () => {
    const { reach } = await fresh()
    expect((await reach('payments.refund', 'completed')).body.record).toMatchObject({ status: 'completed' })
  })

  test('is not reached if its fields lead elsewhere', async () => {
    const { reach } = await fresh()
    const { status, body } = await reach('payments.links', 'paid', { fields: { max_payments: 2 } })
    expect(status).toBe(422)
    expect(body.error.message).toMatch(/^The record of payments\.links is active after 2 steps, not paid\. /)
  })
})

describe('a refusal', () => {
  test.each([
    [
      'payments.refund_',
      'failed',
      'There is no state machine for payments.refund_; did you mean payments.refund?',
    ],
    ['payments.refunds', 'faild', 'payments.refunds has no state faild; did you mean failed?'],
    ['payments.refunds', '', 'payments.refunds: processing, completed, failed'],
    ['payments.refunds', 'x', 'payments.refunds has no state x; use one of processing, completed, failed'],
  ])('of %s in %s names what exists', async (record, state, message) => {
    const { reach } = await fresh()
    const { status, body } = await reach(record, state)
    expect(status).toBe(422)
    expect(body.error).toEqual({ code: 'no_way', message })
  })

  test('has the answer of the step that failed', async () => {
    const { reach } = await fresh()
    const { status, body } = await reach('payments.links', 'paid', { fields: { amount: -1 } })
    expect(status).toBe(422)
    expect(body.error.message).toMatch(/^Create a payment link\. It was answered 422: .*amount/)
  })

  test.each<[string, string, object, string]>([
    [
      ...(['payments.links', 'active'] as const),
      { amout: 5 },
      'Create a payment link. It has no field amout; did you mean amount?',
    ],
    [
      ...(['payments.settlements', 'deposited'] as const),
      { period_form: '2026-11-01T00:00:00Z' },
      'It has no field period_form; did you mean period_from?',
    ],
    [
      ...(['tax-invoicing.invoices', 'cancelled'] as const),
      { receptor: { rfcc: 'XAXX010101000' } },
      'It has no field receptor.rfcc; did you mean rfc?',
    ],
    ['payments.links', 'paid', { colour: 'red' }, 'It has no field colour; use one of amount, '],
    ['signage.pairingCodes', 'issued', { code: 'A' }, 'It has no field code; it has none'],
  ])(
    'of fields of %s (%s) names the unknown one, before any step',
    async (record, state, fields, message) => {
      const { app, made, reach } = await fresh()
      const { status, body } = await reach(record, state, { fields })
      expect(status).toBe(422)
      expect(body.error.code).toBe('no_way')
      expect(body.error.message).toContain(message)
      expect((await app.sim('GET', `/workspaces/${made.id}/timeline`)).body.data).toEqual([])
    },
  )

  test('names the missing key', async () => {
    const { app, made, reach } = await fresh()
    await app.sim('DELETE', `/workspaces/${made.id}/keys/${made.key}`)
    await app.sim('POST', `/workspaces/${made.id}/keys`, { body: { interfaces: ['catalog'] } })
    const { status, body } = await reach('catalog.products', 'draft')
    expect(status).toBe(422)
    expect(body.error.message).toContain('POST /_sim/workspaces/{id}/keys')
  })
})

test('walks with the token of its caller', async () => {
  const app = await controlApp({ adminToken: 'secret-admin-token' })
  const admin = { authorization: 'Bearer secret-admin-token' }
  const { body } = await app.sim('POST', '/workspaces', { headers: admin })
  const path = `/workspaces/${String(body.workspace.id)}/reach`
  const sent = { record: 'signage.pairingCodes', state: 'expired' }
  for (const authorization of [admin.authorization, `Bearer ${String(body.controlToken)}`]) {
    const { status, text } = await app.sim('POST', path, { body: sent, headers: { authorization } })
    expect(status, text).toBe(200)
  }
  expect((await app.sim('POST', path, { body: sent })).status).toBe(401)
})
