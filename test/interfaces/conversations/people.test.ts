/** Inboxes, agents and teams. Specification part 3, "Inbox", "Agent and team". */
import { describe, expect, test } from 'vitest'
import { freshAccount, hintsOf, refusalOf } from '../../support/conversations.ts'
import { multiply } from '../../support/filling.ts'

describe('inbox', () => {
  test('returns the given fields, and defaults for the rest', async () => {
    const { ask } = await freshAccount()
    const created = await ask<{ id: number }>('POST', '/inboxes', {
      name: 'Website',
      channel: { type: 'web_widget', website_url: 'https://shop.example' },
      greeting_enabled: true,
      greeting_message: 'Hello!',
    })
    expect(created).toMatchObject({
      id: 1,
      name: 'Website',
      channel_type: 'Channel::WebWidget',
      greeting_enabled: true,
      greeting_message: 'Hello!',
      enable_auto_assignment: true,
      out_of_office_message: null,
      working_hours_enabled: false,
      website_url: 'https://shop.example',
    })
    expect(await ask('GET', '/inboxes/1')).toEqual(created)
    expect(await ask('GET', '/inboxes')).toEqual({ payload: [created] })
    const changes = {
      name: 'Shop',
      enable_auto_assignment: false,
      greeting_enabled: false,
      greeting_message: null,
    }
    expect(await ask('PATCH', '/inboxes/1', changes)).toEqual({ ...created, ...changes })
  })

  test.each([
    [{ channel: { type: 'api' } }, 'name'],
    [{ name: 'a', channel: { type: 'web_widget' } }, 'channel.website_url'],
  ])('is not created with %j', async (body, field) => {
    const { raw, ask } = await freshAccount()
    const answer = await raw('POST', '/inboxes', { body })
    expect([answer.status, (answer.body as { attributes: string[] }).attributes]).toEqual([422, [field]])
    expect(await ask('GET', '/inboxes')).toEqual({ payload: [] })
  })

  test('gets a new website by an update', async () => {
    const { ask, inbox } = await freshAccount()
    await inbox()
    const website_url = 'https://other.example'
    expect(await ask('PATCH', '/inboxes/1', { channel: { website_url } })).toMatchObject({ website_url })
    expect(await ask('GET', '/inboxes/1')).toMatchObject({ name: 'Website', website_url })
    expect(await ask('PATCH', '/inboxes/1', { channel: {} })).toMatchObject({ website_url })
  })

  test.each(['shop.example', 'shop.example:8080/chat', 'http://localhost:3000'])(
    'accepts the website %s',
    async (website_url) => {
      const { inbox, ask } = await freshAccount()
      await inbox()
      expect(await ask('PATCH', '/inboxes/1', { channel: { website_url } })).toMatchObject({ website_url })
    },
  )

  test.each(['not a url', 'shop', 'ftp://shop.example', ''])(
    'refuses the website %j',
    async (website_url) => {
      const { raw, inbox, ask } = await freshAccount()
      await inbox()
      const created = { name: 'Website', channel: { type: 'web_widget', website_url } }
      for (const answer of [
        await raw('POST', '/inboxes', { body: created }),
        await raw('PATCH', '/inboxes/1', { body: { channel: { website_url } } }),
      ]) {
        expect(answer.status).toBe(422)
        expect(answer.body).toMatchObject({ attributes: ['channel.website_url'] })
      }
      expect(await ask('GET', '/inboxes/1')).toMatchObject({ website_url: 'https://shop.example' })
    },
  )
})

describe('agent', () => {
  const LUIS = { name: 'Luis Mora', email: 'luis@example.com', role: 'agent' }

  test('exists for every user of the workspace', async () => {
    const { ask, account } = await freshAccount()
    expect(await ask('GET', '/agents')).toEqual([
      {
        id: 1,
        name: 'Test User',
        email: 'test.user@example.com',
        role: 'administrator',
        availability_status: 'online',
        confirmed: true,
        account_id: account,
        available_name: 'Test User',
        thumbnail: '',
      },
    ])
  })

  test('is invited by e-mail, changed and removed, and returns with a new invitation', async () => {
    const { ask, raw, fresh } = await freshAccount()
    expect(await ask('POST', '/agents', LUIS)).toMatchObject({
      id: 2,
      ...LUIS,
      availability_status: 'offline',
      confirmed: false,
    })
    const emails = await fresh.call(
      'GET',
      `/_sim/workspaces/${fresh.workspace.id}/emails?to=luis@example.com`,
    )
    expect((emails.body as { data: unknown[] }).data).toHaveLength(1)
    expect(await ask('PATCH', '/agents/2', { role: 'administrator', availability: 'busy' })).toMatchObject({
      role: 'administrator',
      availability_status: 'busy',
    })
    expect((await raw('DELETE', '/agents/2')).text).toBe('')
    expect(await ask('GET', '/agents')).toHaveLength(1)
    expect((await raw('PATCH', '/agents/2', { body: {} })).status).toBe(404)
    const again = { ...LUIS, name: 'Luis M. Mora' }
    expect(await ask('POST', '/agents', again)).toMatchObject({ id: 2, ...again })
    expect(await ask('GET', '/agents')).toMatchObject([{ id: 1 }, { id: 2, name: 'Luis M. Mora' }])
  })

  test.each([
    ['agent', 'administrator'],
    ['administrator', 'agent'],
  ])('invited as %s and changed to %s gets hints that roles have no effect', async (first, then) => {
    const { ask, fresh } = await freshAccount()
    const hint = (role: string) =>
      `For the role ${role}: a role is stored and returned but has no effect; the scopes of a key decide what it may do.`
    await ask('POST', '/agents', { ...LUIS, role: first })
    await ask('PATCH', '/agents/2', { availability: 'busy' })
    expect(await hintsOf(fresh)).toEqual([hint(first)])
    await ask('PATCH', '/agents/2', { role: then })
    expect((await hintsOf(fresh)).toSorted()).toEqual([hint(first), hint(then)].toSorted())
  })

  test('has a unique address', async () => {
    const { ask, raw } = await freshAccount()
    await ask('POST', '/agents', LUIS)
    await ask('POST', '/agents', { ...LUIS, email: 'josé@example.com' })
    const decomposed = await raw('POST', '/agents', { body: { ...LUIS, email: 'jose\u0301@example.com' } })
    expect(decomposed.status).toBe(422)
    const answer = await raw('POST', '/agents', { body: { ...LUIS, email: 'LUIS@example.com' } })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ error: 'email has already been taken', attributes: ['email'] })
  })
})

describe('team', () => {
  test('is created, shown, changed and deleted', async () => {
    const { ask, raw, account } = await freshAccount()
    const team = { id: 1, name: 'sales', description: null, allow_auto_assign: true, account_id: account }
    expect(await ask('POST', '/teams', { name: 'sales' })).toEqual(team)
    expect(await ask('GET', '/teams')).toEqual([team])
    const changed = { ...team, description: 'Before the sale', allow_auto_assign: false }
    const body = { description: 'Before the sale', allow_auto_assign: false }
    expect(await ask('PATCH', '/teams/1', body)).toEqual(changed)
    expect(await ask('GET', '/teams/1')).toEqual(changed)
    expect((await raw('DELETE', '/teams/1')).text).toBe('')
    expect(await ask('GET', '/teams')).toEqual([])
    expect((await raw('GET', '/teams/1')).status).toBe(404)
  })
})

describe('an account is limited to a thousand', () => {
  const agent = { name: 'Rosa', email: 'rosa@example.com', role: 'agent' }

  test.each([
    ['inboxes', 'chat_inboxes', { name: 'Website', channel: { type: 'api' } }, {}],
    ['agents', 'chat_agents', agent, { number: 'number + n', email: 'n || email' }],
    ['teams', 'chat_teams', { name: 'Support' }, {}],
  ])('%s; deleted ones do not count', async (path, table, body, cells) => {
    const { fresh, raw, ask } = await freshAccount()
    const first = await ask<{ id: number }>('POST', `/${path}`, body)
    const copied = path === 'agents' ? cells : { id: 'id + n' }
    multiply(fresh.workspace, table, 998, copied)
    fresh.workspace.database.sqlite.prepare('UPDATE chat_counters SET last = 5000').run()
    const another = { ...body, ...('email' in body && { email: 'another@example.com' }) }
    const last = await ask<{ id: number }>('POST', `/${path}`, another)
    expect(last.id).not.toBe(first.id)

    const more = { ...body, ...('email' in body && { email: 'more@example.com' }) }
    const refused = await raw('POST', `/${path}`, { body: more })
    expect(refusalOf(refused)).toEqual([422, `A workspace holds at most 1000 ${path}.`])
    await raw('DELETE', `/${path}/${String(first.id)}`)
    expect((await raw('POST', `/${path}`, { body: more })).status).toBe(200)
    expect((await raw('POST', `/${path}`, { body: { ...more, email: 'x@example.com' } })).status).toBe(422)
  })
})
