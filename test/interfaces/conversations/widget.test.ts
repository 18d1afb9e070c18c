/** The page where somebody writes as a contact, as forms without a browser. Assumed as a whole. */
import { describe, expect, test } from 'vitest'
import { freshChat } from '../../support/chatting.ts'
import { widgetOf } from '../../support/widgets.ts'

describe('the widget', () => {
  test('is where the inbox says that it is', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const { body } = await chat.chat('GET', `/inboxes/${String(inbox)}`)
    expect(new URL(body.widget_url).pathname).toBe(widgetOf(chat, inbox).home)
  })

  test('has a new contact write, and answers are read', async () => {
    const chat = await freshChat()
    const inbox = await chat.website({ greeting_enabled: true, greeting_message: 'Hello!' })
    const { begin, post, get, home } = widgetOf(chat, inbox)
    expect((await get(home)).text).toContain('Hello!')
    const page = await begin({ name: 'Marta <b>', email: '' })
    const agent = await chat.agent()
    expect((await post(page, { text: ' Where is\r\nmy <desk>? ' })).status).toBe(303)
    await agent.next()
    const { data } = (await agent.next()).message as { data: { conversation_id: number; content: string } }
    expect(data).toMatchObject({
      content: 'Where is\nmy <desk>?',
      message_type: 0,
      sender: { name: 'Marta <b>' },
    })

    const messages = `/conversations/${String(data.conversation_id)}/messages`
    await chat.chat('POST', messages, { content: 'On its way.' })
    await chat.chat('POST', messages, { content: 'Nothing for the contact', private: true })
    const { text, headers } = await get(page)
    expect(text).toContain('my &lt;desk&gt;?')
    expect(text).toContain('On its way.')
    expect(text).not.toContain('Nothing for the contact')
    expect(headers['content-security-policy']).toContain("connect-src 'self'")
  })

  test('shows messages in the order in which they were written, whatever the clock says', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const { begin, post, get } = widgetOf(chat, inbox)
    const page = await begin({ name: 'Marta' })
    chat.setClock('2026-11-21T12:00:00.000Z')
    await post(page, { text: 'The first' })
    chat.setClock('2026-11-21T11:00:00.000Z')
    await post(page, { text: 'The second' })
    const { text } = await get(page)
    expect(text.indexOf('The first')).toBeLessThan(text.indexOf('The second'))
  })

  test('opens again what was resolved', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const { begin, post } = widgetOf(chat, inbox)
    const page = await begin({ name: 'Marta' })
    await post(page, { text: 'One' })
    const { body } = await chat.chat('GET', '/conversations')
    const { id } = body.data.payload[0]
    await chat.chat('POST', `/conversations/${String(id)}/toggle_status`, { status: 'resolved' })
    await post(page, { text: 'Two' })
    const { body: after } = await chat.chat('GET', `/conversations/${String(id)}`)
    expect(after).toMatchObject({ status: 'open', unread_count: 2 })
  })

  test('pushes to its contact what is said to it, and nothing else', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const { begin, post, get } = widgetOf(chat, inbox)
    const page = await begin({ name: 'Marta' })
    const other = await begin({ name: 'Otto' })
    await post(page, { text: 'One' })
    await post(other, { text: 'Two' })
    const { body } = await chat.chat('GET', '/conversations')
    const [second, first] = body.data.payload as { id: number; meta: { sender: { name: string } } }[]
    expect([first?.meta.sender.name, second?.meta.sender.name].sort()).toEqual(['Marta', 'Otto'])
    const of = (name: string) => [first, second].find((each) => each?.meta.sender.name === name)?.id ?? 0
    const token = /data-token="([^"]+)"/.exec((await get(page)).text)?.[1] ?? ''
    const client = await chat.subscriber({ pubsub_token: token })
    expect(client.answer).toBe('confirm_subscription')
    const say = (name: string, content: string, more = {}) =>
      chat.chat('POST', `/conversations/${String(of(name))}/messages`, { content, ...more })
    await say('Otto', 'For another')
    await say('Marta', 'A note', { private: true })
    await chat.chat('POST', `/conversations/${String(of('Marta'))}/toggle_vip`, { vip: true })
    await say('Marta', 'For her')
    expect((await client.next()).message).toMatchObject({
      event: 'message.created',
      data: { content: 'For her' },
    })
  })

  test.each([
    ['no name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['no address', { name: 'Marta', email: 'marta' }],
  ])('asks again for %s, and makes nobody', async (_what, fields) => {
    const chat = await freshChat()
    const { post, home } = widgetOf(chat, await chat.website())
    const before = chat.dump()
    const { status, text } = await post(home, fields)
    expect([status, text.includes('Error: ')]).toEqual([422, true])
    expect(chat.dump()).toEqual(before)
  })

  test('takes a message of 1000 characters, none of more and none without', async () => {
    const chat = await freshChat()
    const { begin, post } = widgetOf(chat, await chat.website())
    const page = await begin({ name: 'x'.repeat(200) })
    const before = chat.dump()
    expect((await post(page, { text: 'x'.repeat(1001) })).status).toBe(413)
    expect((await post(page, { text: ' \n ' })).status).toBe(422)
    expect(chat.dump()).toEqual(before)
    expect((await post(page, { text: 'x'.repeat(1000) })).status).toBe(303)
  })

  test("has no page for other inboxes, for nobody's token, and for what was deleted", async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const { begin, get, home, post } = widgetOf(chat, inbox)
    const page = await begin({ name: 'Marta' })
    const token = page.slice(home.length)
    const api = await chat.website({ channel: { type: 'api' } })
    const second = await chat.website()
    for (const path of [
      `${home}/1.x`,
      `${home}/nobody`,
      `/chat/widget/${chat.workspace.id}/99`,
      widgetOf(chat, api).home,
      widgetOf(chat, second).home + token,
      `/chat/widget/nowhere/1`,
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
    await chat.chat('DELETE', `/inboxes/${String(inbox)}`)
    expect([(await get(page)).status, (await post(page, { text: 'Still there?' })).status]).toEqual([
      404, 404,
    ])
  })
})
