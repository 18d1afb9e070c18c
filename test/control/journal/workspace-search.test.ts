/** Search and counts: what they find in a workspace, their order, and their limits. */
import { describe, expect, test } from 'vitest'
import { sendEmail } from '../../../src/state/shared/emails.ts'
import { controlApp, makeWorkspace } from '../app.ts'
import { receiver, status } from '../receiver.ts'

interface Result {
  readonly kind: string
  readonly id: string
  readonly section?: string
  readonly title: string
  readonly excerpt: string
  readonly at?: string
}

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const workspace = app.workspaces.get(made.id)
  const search = async (query: string) => {
    const answer = await app.sim('GET', `${path}/search?${query}`)
    return { ...answer, ...(answer.body as { data: Result[]; complete: boolean }) }
  }
  const addContact = async (name: string) =>
    (
      await app.call('POST', '/crm/v1/contacts', made.key, {
        name,
        email: `${encodeURIComponent(name).replaceAll('%', '')}@example.com`,
      })
    ).body as { id: string }
  const mail = (subject: string, text = 'Good morning.') =>
    workspace.write(() =>
      sendEmail(workspace, {
        interface: 'crm',
        to: 'ana@example.com',
        subject: () => subject,
        text: () => text,
      }),
    )
  const emit = async (data: object) =>
    app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'stock.low', data } })
  return { ...app, ...made, app, path, workspace, search, addContact, mail, emit }
}

describe('search', () => {
  test('finds a text in calls, e-mails, deliveries and records', async () => {
    const { sim, path, search, addContact, mail, emit } = await setup()
    const { url } = await receiver()
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    const contact = await addContact('Marisol Quintero')
    const email = mail('Hello', 'Dear   Quintero,\nyour order is ready.')
    await emit({ id: 's1', customer: 'Quintero' })
    const { data, complete } = await search('q=Quintero')
    expect(complete).toBe(true)
    expect(data).toEqual([
      {
        kind: 'request',
        id: 'req_1',
        title: 'POST /crm/v1/contacts 201',
        excerpt: expect.stringContaining('Marisol Quintero') as string,
        at: expect.any(String) as string,
      },
      {
        kind: 'email',
        id: email.id,
        title: 'Hello',
        excerpt: expect.stringContaining('Dear Quintero, your order is ready.') as string,
        at: expect.any(String) as string,
      },
      {
        kind: 'delivery',
        id: expect.any(String) as string,
        title: 'stock.low',
        excerpt: expect.stringContaining('"customer":"Quintero"') as string,
        at: expect.any(String) as string,
      },
      {
        kind: 'record',
        id: contact.id,
        section: 'crm.contacts',
        title: 'Marisol Quintero',
        excerpt: expect.stringContaining('Marisol Quintero') as string,
        at: expect.any(String) as string,
      },
    ])
    // Each result is there under its id.
    expect((await sim('GET', `${path}/requests/req_1`)).status).toBe(200)
    expect((await sim('GET', `${path}/records/crm.contacts/${contact.id}`)).status).toBe(200)
  })

  test.each(['jose nunez', 'JOSÉ NÚÑEZ', '  José Núñez '])(
    'ignores case, accents and spaces around: %s',
    async (text) => {
      const { search, addContact } = await setup()
      await addContact('José Núñez')
      const { data } = await search(`q=${encodeURIComponent(text)}`)
      expect(data.map(({ kind, title }) => `${kind} ${title}`)).toContain('record José Núñez')
    },
  )

  test.each([
    ['Josélia Muñiz'.normalize('NFD'), 'josélia MUÑIZ'],
    ['Josélia Muñiz', 'Josélia Muñiz'.normalize('NFD')],
    ['Straße İnci', 'STRASSE inci'],
    ['STRASSE INCI', 'straße i\u0307nci'],
  ])('finds %s by %s in records, calls and e-mails', async (written, text) => {
    const { search, addContact, mail } = await setup()
    await addContact(written)
    mail(written)
    const { data } = await search(`q=${encodeURIComponent(text)}`)
    expect(data.map(({ kind }) => kind)).toEqual(['request', 'email', 'record'])
  })

  test('refuses a text of accents alone', async () => {
    const { search } = await setup()
    const { status, body } = await search('q=%CC%81%CC%83')
    expect([status, body.error.message]).toEqual([400, 'q must contain a character that is no accent'])
  })

  test('finds ids, paths with their query, and texts of responses', async () => {
    const { search, addContact, call, key } = await setup()
    const { id } = await addContact('Ana')
    await call('GET', '/crm/v1/contacts?search=Se%C3%B1or+X', key)
    const kindsOf = async (text: string) =>
      (await search(`q=${encodeURIComponent(text)}`)).data.map(({ kind, id: own }) => `${kind} ${own}`)
    expect(await kindsOf(id)).toEqual([`record ${id}`, 'request req_1'])
    expect(await kindsOf('search=señor')).toEqual(['request req_3'])
    expect(await kindsOf('req_3')).toEqual(['request req_3'])
    expect(await kindsOf('nothing like this')).toEqual([])
  })

  test('returns the newest first in each kind', async () => {
    const { search, addContact, mail, workspace } = await setup()
    for (const day of ['01', '02', '03']) {
      workspace.clock.set(Date.parse(`2030-01-${day}T12:00:00Z`), true)
      await addContact(`Same ${day}`)
      mail(`Same ${day}`)
    }
    const { data } = await search('q=same')
    expect(data.map(({ kind, title, at }) => [kind, title, at?.slice(0, 10)])).toEqual([
      ...['03', '02', '01'].map((day) => ['request', 'POST /crm/v1/contacts 201', `2030-01-${day}`]),
      ...['03', '02', '01'].map((day) => ['email', `Same ${day}`, `2030-01-${day}`]),
      ...['03', '02', '01'].map((day) => ['record', `Same ${day}`, `2030-01-${day}`]),
    ])
  })

  test('shows the match after letters that are longer when they are folded', async () => {
    const { search, mail } = await setup()
    mail('Hello', `${'안녕하세요 '.repeat(50)}Marisol ${'x'.repeat(200)}`)
    const { data } = await search('q=marisol')
    expect(data.map(({ excerpt }) => excerpt)).toEqual([expect.stringContaining('Marisol')])
  })

  test('returns what has the text as its id first, however old it is', async () => {
    const { search, addContact, mail } = await setup()
    const { id } = await addContact('Ana')
    const email = mail('Old')
    // Newer ones that mention it.
    for (const name of ['Eva', 'Ida', 'Zoe']) {
      await addContact(`${name} ${id} ${email.id}`)
      mail(name, `${id} ${email.id}`)
    }
    const first = async (text: string) => {
      const { data, complete } = await search(`q=${text}&limit=2`)
      expect([data.length, complete]).toEqual([6, false])
      return `${String(data[0]?.kind)} ${String(data[0]?.id)}`
    }
    expect(await first(id)).toBe(`record ${id}`)
    expect(await first(email.id)).toBe(`email ${email.id}`)
    const whole = await search(`q=${id}`)
    expect(whole.data.filter((result) => result.id === id)).toHaveLength(1)
  })

  test('returns at most limit of each kind, and says if there may be more', async () => {
    const { search, mail } = await setup()
    for (let count = 1; count <= 21; count++) mail(`Offer ${String(count)}`)
    const some = await search('q=offer&limit=2')
    expect(some.data.map(({ title }) => title)).toEqual(['Offer 21', 'Offer 20'])
    expect(some.complete).toBe(false)
    const all = await search('q=offer&limit=21')
    expect([all.data.length, all.complete]).toEqual([21, true])
    expect((await search('q=offer')).data).toHaveLength(20)
  })

  test('is complete if there are exactly as many records as the limit', async () => {
    const { search, addContact } = await setup()
    for (const name of ['Marisol Paz', 'Marisol Quintero']) await addContact(name)
    const { data, complete } = await search('q=marisol&limit=2')
    expect([data.filter(({ kind }) => kind === 'record').length, complete]).toEqual([2, true])
  })

  test.each([
    ['', 400],
    ['q=', 400],
    ['q=%20', 400],
    [`q=${'a'.repeat(201)}`, 400],
    [`q=${'a'.repeat(200)}`, 200],
    ['q=a&limit=0', 400],
    ['q=a&limit=1', 200],
    ['q=a&limit=100', 200],
    ['q=a&limit=101', 400],
    ['q=a&text=b', 400],
  ])('with ?%s answers %i', async (query, expected) => {
    const { search } = await setup()
    expect((await search(query)).status).toBe(expected)
  })

  test('finds nothing of another workspace', async () => {
    const { search, app } = await setup()
    const other = await makeWorkspace(app)
    await app.call('POST', '/crm/v1/contacts', other.key, { name: 'Foreign', email: 'f@example.com' })
    expect((await search('q=foreign')).data).toEqual([])
  })

  test('finds older deliveries and records after a restart, from which deliveries have much higher rowids', async () => {
    const { search, sim, path, addContact, emit, workspace } = await setup()
    const { url } = await receiver()
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await addContact('Marisol Quintero')
    await emit({ id: 's1', customer: 'Quintero' })
    workspace.database.sqlite.exec('UPDATE webhook_deliveries SET sequence = sequence - 4294967296')
    await emit({ id: 's2', customer: 'Quintero' })
    const { data, complete } = await search('q=Quintero')
    expect(complete).toBe(true)
    expect(data.map(({ kind }) => kind)).toEqual(['request', 'delivery', 'delivery', 'record'])
  })

  test('lets other calls run in between', async () => {
    const { sim, path, search, addContact } = await setup()
    await addContact('Ana')
    const { body } = await sim('GET', `${path}/snapshot`)
    const { format, crm } = body as { format: unknown; crm: { contacts: [Record<string, unknown>] } }
    const contacts = Array.from({ length: 20_000 }, (_, index) => ({
      ...crm.contacts[0],
      id: `con_${String(index).padStart(20, '0')}`,
      name: 'É'.repeat(100) + String(index),
      email: `person${String(index)}@example.com`,
    }))
    const answer = await sim('PUT', `${path}/snapshot`, { body: { format, crm: { contacts } } })
    expect(answer.status).toBeLessThan(300)
    const ended: string[] = []
    const searching = search('q=nowhere').then(({ data, complete }) => {
      expect([data, complete]).toEqual([[], true])
      ended.push('search')
    })
    while (ended.length < 3) {
      await sim('GET', '/health')
      ended.push('health')
    }
    await searching
    expect(ended.indexOf('search')).toBeGreaterThan(1)
  })
})

describe('counts', () => {
  const NONE = { calls: 0, hints: 0, deliveries: 0, deadDeliveries: 0, emails: 0, records: 0 }

  test('follow the calls, hints, deliveries, e-mails and records', async () => {
    const { sim, path, key, call, addContact, mail, emit } = await setup()
    const counts = async () => (await sim('GET', `${path}/counts`)).body as typeof NONE
    const { records } = await counts()
    expect(await counts()).toEqual({ ...NONE, records })
    await addContact('Ana')
    mail('Hello')
    expect(await counts()).toMatchObject({ calls: 1, hints: 0, emails: 1, records: records + 1 })
    await call('GET', '/crm/v1/contacts?colour=red', key)
    await call('GET', '/crm/v1/contacts?colour=blue', key)
    await call('GET', '/crm/v1/contacts?size=1', key)
    const { hints } = await counts()
    expect(hints).toBe(2)
    expect((await sim('GET', `${path}/hints`)).body.data).toHaveLength(hints)

    const { url } = await receiver(status(500))
    await sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url } })
    await emit({ id: 's1' })
    expect(await counts()).toMatchObject({ deliveries: 1, deadDeliveries: 0 })
    await sim('POST', `${path}/clock/advance`, { body: { duration: 'P30D' } })
    expect(await counts()).toMatchObject({ deliveries: 1, deadDeliveries: 1 })

    await sim('DELETE', `${path}/requests`)
    expect(await counts()).toMatchObject({ calls: 0, hints: 0 })
  })

  test('end at 1,000', async () => {
    const { sim, path, mail } = await setup()
    const emailCount = async () => ((await sim('GET', `${path}/counts`)).body as typeof NONE).emails
    for (let count = 1; count <= 999; count++) mail('Offer')
    expect(await emailCount()).toBe(999)
    mail('Offer')
    expect(await emailCount()).toBe(1000)
    mail('Offer')
    expect(await emailCount()).toBe(1000)
  })
})
