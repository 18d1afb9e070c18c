/** Triggers create the templates, teams and segments that automations and lists refer to. Also tests unknown ones. */
import { expect, test } from 'vitest'
import {
  assign,
  email,
  freshAutomations,
  MEMBERS,
  task,
  trigger,
  type Automated,
} from '../../support/automations.ts'

const [BEA, CARL, DORA] = MEMBERS

async function freshCrm() {
  const crm = await freshAutomations()
  // Without the teams and templates of other tests.
  await crm.load({})
  const pull = async (name: string, body: object) =>
    crm.fresh.call('POST', `/_sim/workspaces/${crm.fresh.workspace.id}/triggers/${name}`, { body })
  const define = async (name: string, body: object) => {
    const answer = await pull(name, body)
    if (answer.status !== 200) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as { id: string }
  }
  const stages = [{ name: 'New', probability: 10 }]
  const pipeline = (await crm.expect('POST', '/pipelines', 201, { name: 'Sales', stages })) as { id: string }
  const addDeal = (fields: object = {}) => crm.addDeal({ pipeline_id: pipeline.id, ...fields })
  return { ...crm, pull, define, addDeal }
}

/** The owners of this many deals, in order of creation. */
async function owners(
  { addDeal }: Pick<Automated, 'addDeal'>,
  count: number,
): Promise<(string | undefined)[]> {
  const found = []
  for (let number = 0; number < count; number += 1) found.push((await addDeal()).owner?.id)
  return found
}

test('sends a created template, and its new version after a change', async () => {
  const crm = await freshCrm()
  const made = await crm.define('crm.template.define', {
    name: 'Hello',
    subject: 'Hello {{contact.name}}',
    body: 'About {{contact.company}}',
  })
  expect(made).toMatchObject({ id: expect.stringMatching(/^tpl_/) as string, name: 'Hello' })
  await crm.automate({ trigger: trigger('contact.created'), actions: [email({ template_id: made.id })] })
  await crm.addContact({ company: 'Harbor' })

  const again = { id: made.id, name: 'Hello', subject: 'Good day', body: '' }
  expect(await crm.define('crm.template.define', again)).toMatchObject(again)
  await crm.addContact({ email: 'eva@example.com' })

  expect(await crm.emails()).toMatchObject([
    { to: 'eva@example.com', subject: 'Good day', text: '' },
    { to: 'ana@example.com', subject: 'Hello Ana Castillo', text: 'About Harbor' },
  ])
})

test('sends an HTML template as HTML and text, and escapes its values', async () => {
  const crm = await freshCrm()
  const made = await crm.define('crm.template.define', {
    name: 'Page',
    subject: '<b>{{contact.company}}</b>',
    body: '<style>p { color: red }</style><p>Dear {{contact.name}},</p><p>1 &lt; 2<br>Bye</p><script>no()</script>',
  })
  await crm.automate({ trigger: trigger('contact.created'), actions: [email({ template_id: made.id })] })
  await crm.addContact({ name: '<img src=x> & Sons', company: 'Harbor' })
  const [sent] = (await crm.emails()) as unknown as { id: string; subject: string; text: string }[]
  expect(sent).toMatchObject({ subject: '<b>Harbor</b>', text: 'Dear <img src=x> & Sons,\n1 < 2\nBye' })
  const path = `/_sim/workspaces/${crm.fresh.workspace.id}/emails/${sent?.id ?? ''}`
  const { body } = await crm.fresh.call('GET', path)
  expect((body as { html: string }).html).toContain('<p>Dear &lt;img src=x&gt; &amp; Sons,</p>')
})

test.each([
  ['subject', { subject: 'Dear {{contact.first_name}}', body: '' }],
  ['body', { subject: 'Hello', body: 'Dear {{nobody}}' }],
])('refuses a template whose %s names nothing that an event has', async (field, texts) => {
  const { pull } = await freshCrm()
  const answer = await pull('crm.template.define', { name: 'Hello', ...texts })
  expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field, code: 'unknown' }] } } })
})

test('gives a hint of each placeholder that an event left empty', async () => {
  const crm = await freshCrm()
  const { id } = await crm.define('crm.template.define', {
    name: 'Hello',
    subject: '{{deal.value}}',
    body: '{{contact.custom_fields.plate}}{{contact.company}}',
  })
  await crm.automate({ trigger: trigger('contact.created'), actions: [email({ template_id: id })] })
  await crm.addContact()
  const calls = `/_sim/workspaces/${crm.fresh.workspace.id}/requests`
  const { data } = (await crm.fresh.call('GET', `${calls}?limit=1`)).body as { data: { id: string }[] }
  expect((await crm.fresh.call('GET', `${calls}/${data[0]?.id ?? ''}`)).body).toMatchObject({
    // A company that is null is known.
    hints: [
      {
        code: 'unknown_placeholder',
        message: 'The placeholder {{deal.value}} names nothing, so it is empty. The event has contact.',
      },
      {
        code: 'unknown_placeholder',
        message:
          'The placeholder {{contact.custom_fields.plate}} names nothing, so it is empty. contact.custom_fields has no parts.',
      },
    ],
  })
})

test('lists the values in a message with an unknown template', async () => {
  const crm = await freshCrm()
  const automation = await crm.automate({ actions: [email({ template_id: 'tpl_offer' })] })
  const contact = await crm.addContact({ tags: ['vip', 'fleet'] })
  await crm.addDeal({ contact_id: contact.id, value: 12.5, custom_fields: { seats: 40 } })

  const [sent] = await crm.emails()
  expect(sent).toMatchObject({ to: 'ana@example.com', subject: 'Template tpl_offer' })
  expect(sent?.text).toMatch(
    /^There is no template tpl_offer\. The trigger crm\.template\.define creates one\./,
  )
  const lines = sent?.text.split('\n') ?? []
  expect(lines).toEqual(
    expect.arrayContaining([
      'deal.value: 12.5',
      'deal.stage.name: New',
      'deal.custom_fields.seats: 40',
      'contact.name: Ana Castillo',
      'contact.tags: vip, fleet',
    ]),
  )
  expect(await crm.executions(automation)).toMatchObject([
    {
      status: 'success',
      actions_executed: [
        {
          result: {
            template_id: 'tpl_offer',
            note: expect.stringContaining('no template tpl_offer') as string,
          },
        },
      ],
    },
  ])
})

test('assigns the members of a team in rotation, and starts again with the first after a change', async () => {
  const crm = await freshCrm()
  const team = { id: 'team_desk', name: 'Desk', member_ids: [DORA, BEA, DORA] }
  expect(await crm.define('crm.team.define', team)).toMatchObject({ ...team, member_ids: [DORA, BEA] })
  await crm.automate({ actions: [assign({ strategy: 'round_robin', team_id: 'team_desk' })] })
  expect(await owners(crm, 3)).toEqual([DORA, BEA, DORA])
  await crm.define('crm.team.define', { ...team, member_ids: [CARL, DORA] })
  expect(await owners(crm, 2)).toEqual([CARL, DORA])
})

test('treats an unknown team as all users', async () => {
  const crm = await freshCrm()
  const turns = assign({ strategy: 'round_robin', team_id: 'team_later' })
  const automation = await crm.automate({ actions: [turns] })
  const everybody = [crm.fresh.user.id, ...MEMBERS]
  expect(await owners(crm, 5)).toEqual([...everybody, crm.fresh.user.id])

  const load = assign({ strategy: 'least_loaded', team_id: 'team_later' })
  await crm.expect('PATCH', `/automations/${automation.id}`, 200, { actions: [load] })
  // Everybody has one, the first two.
  expect(await owners(crm, 1)).toEqual([BEA])
})

test('filters contacts with a created segment', async () => {
  const crm = await freshCrm()
  const filters = { tag: 'vip', vertical: 'education' }
  const { id } = await crm.define('crm.segment.define', { name: 'Schools', filters })
  await crm.addContact({ name: 'Eva', email: null, tags: ['vip'], vertical: 'education' })
  await crm.addContact({ name: 'Leo', email: null, tags: ['vip'], vertical: 'services' })
  const names = async () => {
    const { data } = (await crm.expect('GET', `/contacts?segment_id=${id}`, 200)) as {
      data: { name: string }[]
    }
    return data.map(({ name }) => name)
  }
  expect(await names()).toEqual(['Eva'])
  await crm.define('crm.segment.define', { id, name: 'Important', filters: { tag: 'vip' } })
  expect(await names()).toEqual(['Leo', 'Eva'])
})

test.each([
  ['crm.team.define', { name: 'Sales', member_ids: ['nobody'] }, 'member_ids.0'],
  ['crm.team.define', { name: 'Sales', member_ids: [] }, 'member_ids'],
  ['crm.template.define', { name: 'Hello', subject: 'Hello' }, 'body'],
  ['crm.template.define', { name: 'x'.repeat(201), subject: 'Hello', body: '' }, 'name'],
  ['crm.template.define', { name: 'Hello', subject: 'x'.repeat(999), body: '' }, 'subject'],
  ['crm.segment.define', { name: 'Schools', filters: { industry: 'school' } }, 'filters'],
  ['crm.segment.define', { id: 'a b', name: 'Schools', filters: {} }, 'id'],
])('%s refuses %#: a wrong field', async (name, body, field) => {
  const { pull } = await freshCrm()
  const { status, text } = await pull(name, body)
  expect(status).toBe(400)
  expect(text).toContain(field)
})

test('stores templates, teams and segments in a snapshot, and removes them with a reset', async () => {
  const crm = await freshCrm()
  await crm.define('crm.template.define', { id: 'tpl_one', name: 'One', subject: '', body: '' })
  await crm.define('crm.team.define', { id: 'team_one', name: 'One', member_ids: [BEA] })
  await crm.define('crm.segment.define', { id: 'seg_one', name: 'One', filters: {} })
  const path = `/_sim/workspaces/${crm.fresh.workspace.id}`
  const records = async () => ((await crm.fresh.call('GET', `${path}/snapshot`)).body as { crm: object }).crm
  expect(await records()).toMatchObject({
    templates: [{ id: 'tpl_one' }],
    teams: [{ id: 'team_one', members: [BEA] }],
    segments: [{ id: 'seg_one' }],
  })
  await crm.fresh.call('POST', `${path}/reset`)
  expect(await records()).toMatchObject({ templates: [], teams: [], segments: [] })
})

test('uses those created after the automation', async () => {
  const crm = await freshCrm()
  await crm.automate({
    actions: [
      assign({ strategy: 'round_robin', team_id: 'team_new' }),
      task({ assign_to: '{{deal.owner_id}}' }),
    ],
  })
  await crm.define('crm.team.define', { id: 'team_new', name: 'New', member_ids: [CARL] })
  await crm.addDeal()
  expect(await crm.tasks()).toMatchObject([{ owner_id: CARL }])
})
