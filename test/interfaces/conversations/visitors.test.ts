/** How the widget identifies a visitor, what its token allows, and which sites may frame it. All of it is assumed. */
import { describe, expect, test } from 'vitest'
import { freshChat, type Chat } from '../../support/chatting.ts'
import type { FreshOptions } from '../../support/app.ts'
import { skippableTime } from '../../support/skippableTime.ts'
import { widgetOf } from '../../support/widgets.ts'

const BETWEEN_PINGS = 3000

interface Listed {
  readonly id: number
  readonly inbox_id: number
  readonly meta: { readonly sender: { readonly id: number; readonly name: string; readonly email: string } }
}

const conversationsOf = async ({ chat }: Chat): Promise<Listed[]> =>
  (await chat('GET', '/conversations')).body.data.payload as Listed[]

const contactsOf = async ({ chat }: Chat) =>
  (await chat('GET', '/contacts')).body.payload as {
    readonly id: number
    readonly name: string
    readonly email: string | null
    readonly additional_attributes: object
  }[]

const tokenIn = (text: string): string => /data-token="([^"]+)"/.exec(text)?.[1] ?? ''

/** A website on which Marta has written and got an answer. */
async function withMarta(options: FreshOptions = {}) {
  const chat = await freshChat(options)
  const inbox = await chat.website()
  const email = 'marta@example.com'
  await chat.receive({ inbox_id: inbox, content: 'My order?', contact: { name: 'Marta', email } })
  const [marta] = await conversationsOf(chat)
  const say = (content: string, id = marta?.id) =>
    chat.chat('POST', `/conversations/${String(id)}/messages`, { content })
  await say('A secret for Marta')
  return { chat, inbox, widget: widgetOf(chat, inbox), email, marta, say }
}

describe('a visitor without proof', () => {
  test.each(['marta@example.com', 'MARTA@Example.com'])(
    'who enters %s of a contact becomes another contact',
    async (typed) => {
      const { chat, widget, marta, say } = await withMarta()
      const page = await widget.begin({ name: 'Marta', email: typed })
      const { text } = await widget.get(page)
      expect(text).not.toContain('A secret for Marta')
      await widget.post(page, { text: 'It is me' })
      const [latest, first] = await conversationsOf(chat)
      expect(first).toMatchObject({ id: marta?.id, meta: { sender: { email: 'marta@example.com' } } })
      expect(latest).toMatchObject({ meta: { sender: { name: 'Marta', email: null } } })
      expect(latest?.meta.sender.id).not.toBe(marta?.meta.sender.id)
      expect(await contactsOf(chat)).toContainEqual(
        expect.objectContaining({
          id: latest?.meta.sender.id,
          additional_attributes: { unverified_email: typed },
        }),
      )

      const client = await chat.subscriber({ pubsub_token: tokenIn(text) })
      await say('Another secret for Marta')
      await say('For the visitor', latest?.id)
      expect((await client.next()).message).toMatchObject({ data: { content: 'For the visitor' } })
    },
  )

  test('cannot find out whether a contact has an address', async () => {
    const { chat, widget } = await withMarta()
    const known = await widget.get(await widget.begin({ name: 'A', email: 'marta@example.com' }))
    const unknown = await widget.get(await widget.begin({ name: 'A', email: 'nobody@example.com' }))
    const plain = (text: string) => text.replaceAll(tokenIn(text), '')
    expect(plain(known.text)).toBe(plain(unknown.text))
    expect((await contactsOf(chat)).map(({ email }) => email)).toEqual(
      expect.arrayContaining(['marta@example.com', 'nobody@example.com', null]),
    )
  })
})

describe('returning visitor', () => {
  const pair = (header: unknown): string => String(header).split(';')[0] ?? ''

  async function returning(options: FreshOptions = {}) {
    const all = await withMarta(options)
    const { widget, email } = all
    const { headers } = await widget.post(widget.home, { name: 'Marta', email })
    const page = `${widget.home.replace(/\d+$/, '')}${headers['location'] ?? ''}`
    await widget.post(page, { text: 'Hello' })
    return { ...all, page, header: headers['set-cookie'], cookie: pair(headers['set-cookie']) }
  }

  test('finds the conversation by the cookie', async () => {
    const { widget, cookie, page } = await returning()
    for (const sent of [cookie, `other=1; ${cookie}; last=2`]) {
      const { status, headers } = await widget.get(widget.home, { cookie: sent })
      expect([status, headers['location']]).toEqual([
        303,
        page.slice(page.indexOf(widget.home) + widget.home.lastIndexOf('/') + 1),
      ])
    }
    expect((await widget.get(page)).text).toContain('Hello')
  })

  test('stays the same contact when submitting the form again', async () => {
    const { chat, widget, cookie } = await returning()
    const before = (await contactsOf(chat)).length
    const fields = { name: 'Marta Ríos', email: 'm.rios@example.com' }
    const { headers } = await widget.post(widget.home, fields, { cookie })
    expect(pair(headers['set-cookie'])).toBe(cookie)
    const contacts = await contactsOf(chat)
    expect(contacts).toHaveLength(before)
    expect(contacts).toContainEqual(expect.objectContaining(fields))
  })

  test('starts again on request', async () => {
    const { chat, widget, cookie, page } = await returning()
    expect((await widget.get(page)).text).toContain('?new=true')
    const anew = `${widget.home}?new=true`
    expect((await widget.get(anew, { cookie })).status).toBe(200)
    const before = (await contactsOf(chat)).length
    const { headers } = await widget.post(anew, { name: 'Otto' }, { cookie })
    expect(pair(headers['set-cookie'])).not.toBe(cookie)
    expect(await contactsOf(chat)).toHaveLength(before + 1)
  })

  test.each([
    ['an unknown cookie', (cookie: string) => cookie.replace(/.$/, '')],
    ['the number of another contact', (cookie: string) => cookie.replace(/=\d+/, '=1')],
    ['an empty cookie', (cookie: string) => cookie.replace(/=.*/, '=')],
  ])('gets the contact form with %s', async (_what, change) => {
    const { widget, cookie } = await returning()
    expect((await widget.get(widget.home, { cookie: change(cookie) })).status).toBe(200)
  })

  test('gets the contact form with a cookie of another inbox', async () => {
    const { chat, widget, cookie } = await returning()
    const other = await chat.website()
    const value = cookie.slice(cookie.indexOf('=') + 1)
    const there = widgetOf(chat, other)
    expect((await there.get(there.home, { cookie: `widget_${String(other)}=${value}` })).status).toBe(200)
    expect((await widget.get(widget.home, { cookie })).status).toBe(303)
  })

  test('has an HttpOnly cookie for this path, and in third-party frames only over HTTPS', async () => {
    const { header } = await returning()
    expect(header).toMatch(/^widget_1=[\w.-]+; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
    const secure = await returning({ publicUrl: 'https://sim.example.com' })
    expect(secure.header).toMatch(/; HttpOnly; SameSite=None; Secure; Partitioned$/)
  })

  test('is unknown after a reset, even if another contact has the same number', async () => {
    const { chat, widget, cookie } = await returning()
    chat.setClock('2027-01-01T00:00:00.000Z')
    await chat.call('POST', `/_sim/workspaces/${chat.workspace.id}/reset`)
    chat.setClock('2027-01-01T00:00:00.000Z')
    await chat.website()
    for (const name of ['One', 'Two']) await chat.chat('POST', '/contacts', { name })
    expect((await widget.get(widget.home, { cookie })).status).toBe(200)
  })
})

describe('token of a page', () => {
  test('works for no other inbox of the same contact', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const other = await chat.website()
    const { begin, get, post } = widgetOf(chat, inbox)
    const page = await begin({ name: 'Marta' })
    await post(page, { text: 'One' })
    const contact_id = (await conversationsOf(chat))[0]?.meta.sender.id ?? 0
    const { conversation_id } = await chat.receive({ inbox_id: other, contact_id, content: 'Two' })
    const client = await chat.subscriber({ pubsub_token: tokenIn((await get(page)).text) })
    await chat.chat('POST', `/conversations/${String(conversation_id)}/messages`, { content: 'Elsewhere' })
    const [here] = (await conversationsOf(chat)).filter(({ inbox_id }) => inbox_id === inbox)
    await chat.chat('POST', `/conversations/${String(here?.id)}/messages`, { content: 'Here' })
    expect((await client.next()).message).toMatchObject({ data: { content: 'Here', inbox_id: inbox } })
  })

  test('is invalid after a reset, which disconnects its clients at once', async () => {
    const chat = await freshChat()
    const { begin, get } = widgetOf(chat, await chat.website())
    const page = await begin({ name: 'Marta' })
    const client = await chat.subscriber({ pubsub_token: tokenIn((await get(page)).text) })
    await chat.call('POST', `/_sim/workspaces/${chat.workspace.id}/reset`)
    expect(await client.next()).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false })
  })

  test('reveals no address of an agent', async () => {
    const chat = await freshChat()
    const { begin, get, post } = widgetOf(chat, await chat.website())
    const page = await begin({ name: 'Marta', email: 'marta@example.com' })
    const client = await chat.subscriber({ pubsub_token: tokenIn((await get(page)).text) })
    await post(page, { text: 'One' })
    const [here] = await conversationsOf(chat)
    await chat.chat('POST', `/conversations/${String(here?.id)}/messages`, { content: 'Two' })
    const senders = [await client.next(), await client.next()].map(({ message }) => message)
    expect(senders).toMatchObject([
      { data: { sender: { type: 'contact', email: 'marta@example.com' } } },
      { data: { sender: { type: 'user', name: 'Test User', email: null } } },
    ])
  })

  test.each([
    ['its contact is deleted', 'contact'],
    ['its inbox is disconnected', 'inbox'],
  ] as const)('is invalid when %s: its clients are disconnected at the next ping', async (_what, kind) => {
    const skip = skippableTime()
    const chat = await freshChat({ ownApp: true })
    const inbox = await chat.website()
    const { begin, get, post } = widgetOf(chat, inbox)
    const page = await begin({ name: 'Marta' })
    await post(page, { text: 'One' })
    const pubsub_token = tokenIn((await get(page)).text)
    const client = await chat.subscriber({ pubsub_token })
    const [here] = await conversationsOf(chat)
    const removedPath = {
      contact: `/contacts/${String(here?.meta.sender.id)}`,
      inbox: `/inboxes/${String(inbox)}`,
    }
    await chat.chat('DELETE', removedPath[kind])
    await skip(BETWEEN_PINGS)
    expect(await client.next()).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false })
    await client.closed
    expect((await chat.subscriber({ pubsub_token })).answer).toBe('reject_subscription')
    expect((await get(page)).status).toBe(404)
  })
})

describe('pages of the widget', () => {
  const LOCAL = "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"

  test.each([
    ['https://almendro.example/shop?a=1', `${LOCAL} https://almendro.example https://*.almendro.example`],
    ['http://shop.test:3000', `${LOCAL} http://shop.test:3000 http://*.shop.test:3000`],
    ['almendro.example', `${LOCAL} almendro.example *.almendro.example`],
    ['almendro.example:8080/shop', `${LOCAL} almendro.example:8080 *.almendro.example:8080`],
    ['https://x;script-src', LOCAL],
  ])('of %s can be framed by its website and by pages of this machine', async (website_url, frames) => {
    const chat = await freshChat()
    const inbox = await chat.website({ channel: { type: 'web_widget', website_url } })
    const { home, get, begin, post } = widgetOf(chat, inbox)
    const page = await begin({ name: 'Marta' })
    for (const { headers } of [await get(home), await get(page), await post(page, { text: '' })]) {
      const policy = String(headers['content-security-policy']).split('; ')
      expect(policy).toContain(frames)
      expect(policy).toContain("connect-src 'self'")
      expect(policy.filter((each) => each.startsWith('script-src'))).toEqual(["script-src 'self'"])
      expect(headers).not.toHaveProperty('x-frame-options')
    }
  })
})
