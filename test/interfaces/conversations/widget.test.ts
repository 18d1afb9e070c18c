/** The page on which a visitor writes as a contact, as forms without a browser. All of it is assumed. */
import { describe, expect, test } from 'vitest'
import { freshChat } from '../../support/chatting.ts'
import { formOf } from '../../support/forms.ts'
import { PIXEL } from '../../support/signage.ts'
import { soundOf, videoOf } from '../../support/videos.ts'
import { widgetOf } from '../../support/widgets.ts'

describe('widget', () => {
  test('is at the URL that the inbox shows', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const { body } = await chat.chat('GET', `/inboxes/${String(inbox)}`)
    expect(new URL(body.widget_url).pathname).toBe(widgetOf(chat, inbox).home)
  })

  test('creates a contact that writes, and shows answers', async () => {
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

  test('greets once in the first bubble, and not in its header', async () => {
    const chat = await freshChat()
    const greeting_message = 'Hello! <b>How</b> can we help?'
    const inbox = await chat.website({ greeting_enabled: true, greeting_message })
    const { begin, post, get, home } = widgetOf(chat, inbox)
    const bubbles = (text: string) =>
      [...text.matchAll(/<p class="said">([^<]*)<\/p>/g)].map(([, said]) => said)
    const escapedGreeting = 'Hello! &lt;b&gt;How&lt;/b&gt; can we help?'
    const pageOf = async (path: string) => {
      const { text } = await get(path)
      expect(text.split(escapedGreeting)).toHaveLength(2)
      return bubbles(text)
    }
    expect(await pageOf(home)).toEqual([escapedGreeting])
    const page = await begin({ name: 'Marta' })
    expect(await pageOf(page)).toEqual([escapedGreeting])
    await post(page, { text: 'Where is my desk?' })
    expect(await pageOf(page)).toEqual([escapedGreeting, 'Where is my desk?'])
    await post(page, { text: 'Hello?' })
    expect(await pageOf(page)).toEqual([escapedGreeting, 'Where is my desk?', 'Hello?'])
    expect((await get(page)).text).toMatch(/<h1>[^<]+<\/h1>\s*<\/div>/)
    // Agents see the messages in the order in which they were sent.
    const { body } = await chat.chat('GET', '/conversations')
    const { id } = body.data.payload[0]
    const { body: sent } = await chat.chat('GET', `/conversations/${String(id)}/messages`)
    const texts = (sent.payload as { content: string; message_type: number }[])
      .filter(({ message_type: type }) => type !== 2)
      .map(({ content }) => content)
    expect(texts).toEqual(['Where is my desk?', greeting_message, 'Hello?'])
  })

  test.each([
    ['is switched off', { greeting_enabled: false, greeting_message: 'Hello!' }],
    ['is blank', { greeting_enabled: true, greeting_message: ' ' }],
  ])('has no bubble if the greeting %s', async (_what, fields) => {
    const chat = await freshChat()
    const { begin, post, get, home } = widgetOf(chat, await chat.website(fields))
    expect((await get(home)).text).not.toContain('class="saying"')
    const page = await begin({ name: 'Marta' })
    await post(page, { text: 'Where is my desk?' })
    expect((await get(page)).text.split('class="saying')).toHaveLength(2)
  })

  describe('outside business hours', () => {
    const GREETING = { greeting_enabled: true, greeting_message: 'Hello!' }
    const AWAY = { working_hours_enabled: true, out_of_office_message: 'Back on Monday.' }
    const bubbles = (text: string) =>
      [...text.matchAll(/<p class="said">([^<]*)<\/p>/g)].map(([, said]) => said)

    test.each([
      ['the out-of-office message instead of the greeting', { ...GREETING, ...AWAY }, ['Back on Monday.']],
      ['the out-of-office message without a greeting', AWAY, ['Back on Monday.']],
      [
        'the greeting if no out-of-office message is sent',
        { ...GREETING, ...AWAY, working_hours_enabled: false },
        ['Hello!'],
      ],
      [
        'the greeting if the out-of-office message is blank',
        { ...GREETING, ...AWAY, out_of_office_message: ' ' },
        ['Hello!'],
      ],
      ['no bubble without both', {}, []],
    ])('shows %s, before and after the first message', async (_what, fields, welcome) => {
      const chat = await freshChat()
      chat.setClock('2026-11-21T12:00:00.000Z')
      const { begin, post, get, home } = widgetOf(chat, await chat.website(fields))
      expect(bubbles((await get(home)).text)).toEqual(welcome)
      const page = await begin({ name: 'Marta' })
      expect(bubbles((await get(page)).text)).toEqual(welcome)
      await post(page, { text: 'Where is my desk?' })
      expect(bubbles((await get(page)).text)).toEqual([...welcome, 'Where is my desk?'])
      await post(page, { text: 'Hello?' })
      expect(bubbles((await get(page)).text)).toEqual([...welcome, 'Where is my desk?', 'Hello?'])
    })

    test('shows an out-of-office message to a later message after that message', async () => {
      const chat = await freshChat()
      chat.setClock('2026-11-20T15:00:00.000Z')
      const { begin, post, get } = widgetOf(chat, await chat.website({ ...GREETING, ...AWAY }))
      const page = await begin({ name: 'Marta' })
      expect(bubbles((await get(page)).text)).toEqual(['Hello!'])
      await post(page, { text: 'Where is my desk?' })
      chat.setClock('2026-11-21T12:00:00.000Z')
      expect(bubbles((await get(page)).text)).toEqual(['Hello!', 'Where is my desk?'])
      await post(page, { text: 'Hello?' })
      expect(bubbles((await get(page)).text)).toEqual([
        'Hello!',
        'Where is my desk?',
        'Hello?',
        'Back on Monday.',
      ])
    })
  })

  test('shows messages in the order of their creation, at any clock time', async () => {
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

  test('reopens a resolved conversation', async () => {
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

  test('sends its contact only messages to the contact', async () => {
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
  ])('shows the form again for %s, and creates no contact', async (_what, fields) => {
    const chat = await freshChat()
    const { post, home } = widgetOf(chat, await chat.website())
    const before = chat.dump()
    const { status, text } = await post(home, fields)
    expect([status, text.includes('Error: ')]).toEqual([422, true])
    expect(chat.dump()).toEqual(before)
  })

  test('accepts a message of 1 to 1000 characters', async () => {
    const chat = await freshChat()
    const { begin, post } = widgetOf(chat, await chat.website())
    const page = await begin({ name: 'x'.repeat(200) })
    const before = chat.dump()
    expect((await post(page, { text: 'x'.repeat(1001) })).status).toBe(413)
    expect((await post(page, { text: ' \n ' })).status).toBe(422)
    expect(chat.dump()).toEqual(before)
    expect((await post(page, { text: 'x'.repeat(1000) })).status).toBe(303)
  })

  test('has no page for other inboxes, unknown tokens, and deleted inboxes', async () => {
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

describe('a message of an agent', () => {
  async function talk() {
    const chat = await freshChat()
    const { begin, post, get } = widgetOf(chat, await chat.website())
    const page = await begin({ name: 'Marta' })
    await post(page, { text: 'Hi' })
    const { body } = await chat.chat('GET', '/conversations')
    const messages = `/conversations/${String(body.data.payload[0].id)}/messages`
    const send = (fields: object) => chat.chat('POST', messages, fields)
    return { chat, page, post, send, messages, text: async () => (await get(page)).text }
  }

  test('is shown with its Markdown, without its HTML', async () => {
    const { send, text } = await talk()
    await send({ content: '**Bold** <i>x</i> [shop](https://shop.example) [bad](javascript:alert(1))' })
    const shown = await text()
    expect(shown).toContain(
      '<p class="said"><strong>Bold</strong> &lt;i&gt;x&lt;/i&gt; <a href="https://shop.example"',
    )
    expect(shown).toContain('[bad](javascript:alert(1))</p>')
  })

  test('shows pictures, and plays sound and video', async () => {
    const { chat, messages, text } = await talk()
    const files = [
      { filename: 'a"<b>.png', content: PIXEL },
      { filename: 'voice.webm', content: await soundOf('webm') },
      { filename: 'film.mp4', content: await videoOf('mp4', { seconds: 1, width: 320, height: 240 }) },
      { filename: 'list.csv', content: 'a,b' },
    ]
    const path = `/accounts/${String(chat.workspace.tenantId)}${messages}`
    const { status } = await chat.at('conversations')('POST', path, formOf({ 'attachments[]': files }))
    expect(status).toBe(200)
    const shown = await text()
    expect(shown).toMatch(/<img src="[^"]+\/files\/[^"]+" alt="a&quot;&lt;b&gt;.png" \/>/)
    expect(shown).toMatch(
      /<audio controls preload="metadata" src="[^"]+voice.webm[^"]+" aria-label="voice.webm">/,
    )
    expect(shown).toMatch(
      /<video controls preload="metadata" src="[^"]+film.mp4[^"]+" aria-label="film.mp4">/,
    )
    expect(shown).toMatch(/<a href="[^"]+list.csv[^"]+">list.csv<\/a>/)
  })

  test('shows its options, and sends the chosen one', async () => {
    const { chat, send, post, page, text, messages } = await talk()
    const items = [
      { title: 'Delivery <now>', value: 'delivery' },
      { title: ' Invoice ', value: 'invoice' },
    ]
    await send({ content: 'About what?', content_type: 'input_select', content_attributes: { items } })
    const shown = await text()
    const values = [...shown.matchAll(/<button name="text" value="([^"]*)"/g)].map(([, value]) => value)
    expect(values).toEqual(['Delivery &lt;now&gt;', 'Invoice'])
    expect((await post(page, { text: 'Invoice' })).status).toBe(303)
    const { body } = await chat.chat('GET', messages)
    expect(body.payload.at(-1)).toMatchObject({ content: 'Invoice', message_type: 0 })
  })

  test.each([
    ['input_select', { items: 'x' }, []],
    ['input_select', { items: [null, 7, {}, { title: 7 }, { title: ' ' }, [], { title: 'a' }] }, ['a']],
    ['input_select', {}, []],
    ['cards', { items: [{ title: 'Desk', description: 'Oak' }] }, []],
  ])('of the type %s with %j has the options %j', async (content_type, content_attributes, options) => {
    const { send, text } = await talk()
    expect((await send({ content: 'What?', content_type, content_attributes })).status).toBe(200)
    const shown = await text()
    expect([...shown.matchAll(/<button name="text" value="([^"]*)"/g)].map(([, value]) => value)).toEqual(
      options,
    )
    expect(shown.includes('<li>Desk</li>')).toBe(content_type === 'cards')
  })
})
