/** What a diff marks as different in each run, and which causes it names. */
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace, type Method } from '../app.ts'

const CONTACTS = '/crm/v1/contacts'

interface Field {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  readonly volatile?: true
  readonly volatileParts?: readonly string[]
}

interface Changed {
  readonly section: string
  readonly id: string
  readonly change: 'added' | 'changed' | 'removed'
  readonly fields: readonly Field[]
  readonly causes: readonly { kind: string; id: string; title: string }[]
}

interface Page {
  readonly summary: object
  readonly data: readonly Changed[]
  readonly nextCursor: string | null
}

async function setup() {
  const app = await controlApp()
  const { sim, call, fastify } = app
  const { id, key } = await makeWorkspace(app, { fixtures: 'none' })
  const of = `/workspaces/${id}`
  const account = (await sim('GET', of)).body.accountId as number
  const diff = async (query = ''): Promise<Page> => {
    const { status, body, text } = await sim('GET', `${of}/diff?${query}`)
    expect(status, text).toBe(200)
    return body
  }
  const request = async (method: Method, path: string, sent?: unknown) => {
    const { status, body, text } = await call(method, path, key, sent)
    expect(status, text).toBeLessThan(300)
    return body
  }
  const chat = async (path: string, payload: object) => {
    const url = `/chat/api/v1/accounts/${String(account)}${path}`
    const response = await fastify.inject({
      method: 'POST',
      url,
      payload,
      headers: { api_access_token: key },
    })
    expect(response.statusCode, response.payload).toBeLessThan(300)
  }
  const fieldsOf = async (section: string, query = '') =>
    (await diff(`from=before&section=${section}${query}`)).data.flatMap(({ fields }) => fields)
  return {
    ...{ sim, fastify, of, diff, request, chat, fieldsOf },
    save: (name = 'before') => sim('POST', `${of}/snapshots`, { body: { name } }),
  }
}

const at = (fields: readonly Field[], path: string): Field | undefined =>
  fields.find((each) => each.path === path)

describe('ids that are numbers', () => {
  async function withConversation() {
    const made = await setup()
    const { chat } = made
    await chat('/inboxes', { name: 'A', channel: { type: 'api' } })
    for (const name of ['one', 'two']) await chat('/teams', { name })
    await chat('/contacts', { name: 'Ana', email: 'a@example.com' })
    await chat('/conversations', { inbox_id: 1, contact_id: 1 })
    await chat('/conversations/1/assignments', { team_id: 1 })
    return made
  }

  test('mean the records of one section only', async () => {
    const { chat, save, fieldsOf, diff } = await withConversation()
    await save()
    await chat('/contacts', { name: 'Bea', email: 'b@example.com' })
    await chat('/conversations/1/assignments', { team_id: 2 })
    expect((await diff('from=before&section=conversations.contacts')).data).toMatchObject([{ id: '2' }])
    const fields = await fieldsOf('conversations.conversations')
    expect(at(fields, 'teamId')).toEqual({ path: 'teamId', before: '1', after: '2' })
  })

  test('are marked in the record itself and in the fields that must refer to it', async () => {
    const { chat, save, fieldsOf } = await withConversation()
    await save()
    await chat('/contacts', { name: 'Bea', email: 'b@example.com' })
    await chat('/conversations', { inbox_id: 1, contact_id: 2 })
    const fields = await fieldsOf('conversations.conversations')
    expect(at(fields, 'id')).toMatchObject({ after: '2', volatile: true })
    expect(at(fields, 'contactId')).toMatchObject({ after: '2', volatile: true })
    expect(at(fields, 'inboxId')).toEqual({ path: 'inboxId', before: null, after: '1' })
  })

  test('mean nothing in data of callers', async () => {
    const { chat, save, fieldsOf, request } = await withConversation()
    const own = { legacy_id: 1, order_id: '1' }
    const { id } = await request('POST', CONTACTS, { name: 'Ana', custom_fields: own })
    await save()
    await chat('/contacts', { name: 'Bea', email: 'b@example.com' })
    await request('PATCH', `${CONTACTS}/${String(id)}`, { custom_fields: { legacy_id: 2, order_id: '2' } })
    expect((await fieldsOf('crm.contacts')).filter(({ path }) => path.startsWith('customFields'))).toEqual([
      { path: 'customFields.legacy_id', before: 1, after: 2 },
      { path: 'customFields.order_id', before: '1', after: '2' },
    ])
  })

  test('are not counted in a section of their own', async () => {
    const { chat, save, diff, sim, of } = await withConversation()
    await save()
    await chat('/contacts', { name: 'Bea', email: 'b@example.com' })
    const { data, summary } = await diff('from=before')
    expect(summary).toEqual({ added: 1, changed: 0, removed: 0 })
    expect(data.map(({ section }) => section)).toEqual(['conversations.contacts'])
    expect((await sim('GET', `${of}/diff?section=conversations.counters`)).status).toBe(400)
    expect((await sim('GET', `${of}/snapshot`)).body.conversations.counters).toContainEqual({
      id: 'contact',
      last: 2,
    })
    expect((await sim('POST', `${of}/snapshots/before/restore`)).status).toBe(204)
    expect((await diff('from=before')).data).toEqual([])
    await chat('/contacts', { name: 'Bea', email: 'b@example.com' })
    expect((await diff('from=before')).data).toMatchObject([{ id: '2' }])
  })
})

describe('an object', () => {
  const LINKS = '/pay/v1/payment-links'
  const LINK = { amount: 1250, currency: 'USD', description: 'Desk' }

  test('has times and texts of callers, which are the same in each run', async () => {
    const { save, request, fieldsOf } = await setup()
    await save()
    const metadata = { due: '2026-01-01T00:00:00.000Z', price: 999 }
    await request('POST', LINKS, { ...LINK, description: '2026-01-01T00:00:00.000Z', metadata })
    const fields = await fieldsOf('payments.links')
    expect(at(fields, 'metadata')).toEqual({ path: 'metadata', before: null, after: metadata })
    expect(at(fields, 'description')).not.toHaveProperty('volatile')
    expect(at(fields, 'createdAt')).toHaveProperty('volatile', true)
  })

  test('names the parts that differ in each run, and is marked as a whole if nothing else is in it', async () => {
    const { save, request, fieldsOf, fastify, of } = await setup()
    await save()
    const { id } = await request('POST', CONTACTS, { name: 'Ana' })
    const metadata = { buyers: [{ contact: id, share: 50 }], 'order no.': { of: `for ${String(id)}` } }
    await request('POST', LINKS, { ...LINK, metadata })
    await request('POST', LINKS, { ...LINK, metadata: { buyers: [id, id], none: null, empty: [] } })
    const marks = (await fieldsOf('payments.links')).filter(({ path }) => path === 'metadata')
    expect(marks).toMatchObject([
      {
        volatile: true,
        volatileParts: ['metadata.buyers[0].contact', 'metadata["order no."].of'],
      },
      { volatile: true },
    ])
    expect(marks[1]).not.toHaveProperty('volatileParts')
    const { payload } = await fastify.inject(`/_sim${of}/diff?from=before&format=text`)
    expect(payload).toContain('(volatile: metadata.buyers[0].contact, metadata["order no."].of)')
  })

  test('has a bounded list of parts', async () => {
    const { save, request, fieldsOf } = await setup()
    await save()
    const { id } = await request('POST', CONTACTS, { name: 'Ana' })
    const buyers = Array.from({ length: 200 }, () => id as string)
    const parts = async (name: string) => {
      await request('POST', LINKS, { ...LINK, metadata: { [name]: buyers, share: 1 } })
      return at((await fieldsOf('payments.links')).toReversed(), 'metadata')?.volatileParts
    }
    expect(await parts('buyers')).toHaveLength(200)
    expect(await parts('b'.repeat(9000))).toHaveLength(2)
  })

  test('of an execution has its outcome apart from its ids and times', async () => {
    const { save, request, fieldsOf } = await setup()
    await request('POST', '/crm/v1/automations', {
      name: 'Welcome',
      trigger: { event: 'contact.created', conditions: [] },
      actions: [{ type: 'create_task', config: { title: 'Call' } }],
    })
    await save()
    await request('POST', CONTACTS, { name: 'Ana' })
    const executed = at(await fieldsOf('crm.executions'), 'actionsExecuted')
    expect(executed?.volatile).toBe(true)
    expect(executed).toHaveProperty('after[0].result.activity_id')
    expect(executed?.volatileParts).toEqual(['actionsExecuted[0].result.activity_id'])
    const data = at(await fieldsOf('crm.executions'), 'triggerData')
    expect(data?.volatileParts).toContain('triggerData.contact.id')
    expect(data?.volatileParts).not.toContain('triggerData.contact.name')
  })
})

describe('the causes of a record that was removed with another', () => {
  async function withDeal() {
    const made = await setup()
    const { request, save } = made
    const stages = [
      { name: 'A', probability: 10 },
      { name: 'B', probability: 90 },
    ]
    const pipeline = await request('POST', '/crm/v1/pipelines', { name: 'Pipe', stages })
    const [stage] = (await request('GET', `/crm/v1/pipelines/${String(pipeline.id)}`)).stages
    const contact = await request('POST', CONTACTS, { name: 'Ana' })
    const deal = await request('POST', '/crm/v1/deals', {
      name: 'D',
      value: 5,
      pipeline_id: pipeline.id,
      stage_id: stage.id,
      contact_id: contact.id,
    })
    await save()
    const patch = `PATCH /crm/v1/deals/${String(deal.id)} 200`
    const remove = `DELETE ${CONTACTS}/${String(contact.id)} 204`
    await request('PATCH', `/crm/v1/deals/${String(deal.id)}`, { name: 'D2' })
    await request('DELETE', `${CONTACTS}/${String(contact.id)}`)
    return { ...made, patch, remove }
  }

  const titles = ({ data }: Page) =>
    Object.fromEntries(data.map(({ section, causes }) => [section, causes.map(({ title }) => title)]))

  test('are its own and those of the other', async () => {
    const { diff, patch, remove } = await withDeal()
    const found = titles(await diff('from=before'))
    expect(found['crm.contacts']).toEqual([remove])
    expect(found['crm.deals']).toEqual([patch, remove])
    expect(found['crm.stageStays']).toEqual([patch, remove])
  })

  test('are the same on each page and in each section', async () => {
    const { diff } = await withDeal()
    const whole = titles(await diff('from=before'))
    for (const section of Object.keys(whole)) {
      expect(titles(await diff(`from=before&section=${section}`))).toEqual({ [section]: whole[section] })
    }
    const paged: Record<string, string[]> = {}
    let query = 'from=before&limit=1'
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await diff(cursor === '' ? query : `${query}&cursor=${cursor}`)
      Object.assign(paged, titles(page))
      cursor = page.nextCursor
    }
    expect(paged).toEqual(whole)
    query = 'from=before&section=crm'
    expect(titles(await diff(query))).toEqual(whole)
  })
})
