/** Automations with very many actions: they continue after the response in slices and block no other calls. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { email, freshAutomations, NOON, task, trigger, type Automated } from '../support/automations.ts'
import { withoutBlocking } from '../support/loopDelay.ts'
import { build, scratchFolder, start } from '../support/process.ts'

/** Automations of one event, as in a snapshot; each has this many copies of one action. */
const many = (count: number, event: string, actions: object[], fields: object = {}) =>
  Array.from({ length: count }, (_, number) => ({
    id: `auto_${String(number)}`,
    name: `Number ${String(number)}`,
    trigger: trigger(event),
    actions,
    createdAt: NOON,
    updatedAt: NOON,
    ...fields,
  }))

const times = (count: number, action: object): object[] => Array<object>(count).fill(action)

/** The snapshot replaces the pipelines as well. */
async function dealIn(crm: Automated): Promise<{ id: string; activities_count: number }> {
  const stages = [{ name: 'New', probability: 0 }]
  const pipeline = (await crm.expect('POST', '/pipelines', 201, {
    name: 'Sales',
    vertical: 'services',
    stages,
  })) as { id: string }
  return crm.addDeal({ pipeline_id: pipeline.id })
}

async function tasksOf(crm: Automated, dealId: string): Promise<number> {
  const { body } = await crm.call('GET', `/activities?deal_id=${dealId}&per_page=1`)
  return (body as { meta: { total_count: number } }).meta.total_count
}

describe('automations with very many actions', () => {
  test('continue after the response, and end before the next one', async () => {
    const crm = await freshAutomations()
    await crm.load({ automations: many(25, 'deal.created', times(20, task())) })

    const { deal, tasks } = await withoutBlocking(async () => {
      const made = await dealIn(crm)
      return { deal: made, tasks: await tasksOf(crm, made.id) }
    })

    expect(deal.activities_count).toBe(40)
    expect(tasks).toBe(25 * 20)
  })

  test('run in the order of the automations', async () => {
    const crm = await freshAutomations()
    const automations = many(8, 'contact.created', []).map((each) => ({
      ...each,
      actions: times(12, task({ title: each.name })),
    }))
    await crm.load({ automations })

    await crm.addContact()

    const { body } = await crm.call('GET', '/activities?per_page=100')
    const subjects = (body as { data: { subject: string }[] }).data.map(({ subject }) => subject)
    const newestFirst = automations.toReversed().flatMap(({ name }) => Array<string>(12).fill(name))
    expect(subjects).toEqual(newestFirst)
  })

  test('wake up clients that wait for their e-mails', async () => {
    const crm = await freshAutomations()
    const template = { id: 'tpl_plain', name: 'Plain', subject: 'Hello', body: 'Hello', createdAt: NOON }
    const actions = times(10, email({ template_id: 'tpl_plain', to: 'desk@example.com' }))
    await crm.load({ automations: many(8, 'contact.created', actions), templates: [template] })

    const emails = `/_sim/workspaces/${crm.fresh.workspace.id}/emails?wait=300&count=80`
    const waiting = crm.fresh.call('GET', emails)
    await crm.addContact()

    expect(((await waiting).body as { data: unknown[] }).data).toHaveLength(80)
  })

  test('in a loop are stopped, and recorded once for each reason', async () => {
    const crm = await freshAutomations()
    const automations = many(12, 'activity.created', times(20, task()))
    await crm.load({ automations })

    let tries = 0
    await withoutBlocking(async () => {
      tries += 1
      await crm.expect('POST', '/activities', 201, { type: 'call', subject: 'Call' })
      await crm.executions({ id: 'auto_0' })
    })

    for (const { id } of automations) {
      const failures = (await crm.executions({ id })).filter(({ status }) => status === 'failed')
      // Once for each of the three reasons in each try.
      expect(failures.length).toBeGreaterThan(0)
      expect(failures.length).toBeLessThanOrEqual(3 * tries)
    }
  })

  test('are done after the clock is moved', async () => {
    const crm = await freshAutomations()
    const later = { type: 'sequence', actions: times(20, task()).with(0, task({ delay_hours: 1 })) }
    await crm.load({ automations: many(25, 'deal.created', [], later) })

    const { id } = await dealIn(crm)
    expect(await tasksOf(crm, id)).toBe(0)
    await withoutBlocking(() => crm.advance('PT1H'))

    expect(crm.fresh.workspace.longWork.isRunning).toBe(false)
    expect(await tasksOf(crm, id)).toBe(25 * 20)
  })
})

test('fills large values into many placeholders without blocking other calls', async () => {
  const crm = await freshAutomations()
  const body = '{{contact.custom_fields}}{{contact.custom_fields.notes}}'.repeat(45)
  await crm.load({
    templates: [{ id: 'tpl_large', name: 'Large', subject: body.slice(0, 998), body, createdAt: NOON }],
    automations: many(
      10,
      'contact.created',
      times(3, email({ template_id: 'tpl_large', to: 'a@example.com' })),
    ),
  })
  const contact = { custom_fields: { notes: 'x'.repeat(60_000) } }

  await withoutBlocking(async () => {
    await crm.addContact({ ...contact, email: null })
    await crm.call('GET', '/automations?per_page=1')
  })

  const [sent] = await crm.emails()
  expect([sent?.subject.length, sent?.text.length]).toEqual([998, 262_144])
})

test('completes pending actions once after a kill', async () => {
  build()
  const folder = scratchFolder()
  const args = ['--port', '0', '--db', join(folder, 'suite.sqlite'), '--fixtures', 'none']
  const first = await start(args, { folder })
  const json = { 'content-type': 'application/json' }
  const made = await fetch(`${first.url}/_sim/workspaces`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 'Killed' }),
  })
  const { workspace, key } = (await made.json()) as { workspace: { id: string }; key: string }
  const snapshot = `/_sim/workspaces/${workspace.id}/snapshot`
  const saved = (await (await fetch(first.url + snapshot)).json()) as object
  const crm = { automations: many(60, 'contact.created', times(20, task())) }
  const body = JSON.stringify({ ...saved, crm })
  const put = await fetch(first.url + snapshot, { method: 'PUT', headers: json, body })
  expect(await put.text()).toBe('')
  const credential = { authorization: `Bearer ${key}` }

  const answer = await fetch(`${first.url}/crm/v1/contacts`, {
    method: 'POST',
    headers: { ...json, ...credential },
    body: JSON.stringify({ name: 'Ana' }),
  })
  expect(answer.status).toBe(201)
  await first.stop('SIGKILL')

  const second = await start(args, { folder })
  const tasks = await fetch(`${second.url}/crm/v1/activities?per_page=1`, { headers: credential })
  expect(await tasks.json()).toMatchObject({ meta: { total_count: 60 * 20 } })
})
