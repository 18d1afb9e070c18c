/** The web widget in Spanish. */
import { expect, test } from 'vitest'
import { freshChat } from '../../support/chatting.ts'
import { inSpanish } from '../../support/languages.ts'
import { nextOf } from '../../support/payers.ts'
import { widgetOf } from '../../support/widgets.ts'

const DATA = ['Marta', 'Mesa', 'Tienda', 'Website', 'Web']

test('a visitor writes in Spanish', async () => {
  const chat = await freshChat()
  const { home, post, begin } = widgetOf(chat, await chat.website({ name: 'Tienda' }))
  await inSpanish(chat.call, home, DATA)
  await inSpanish(chat.call, home, DATA, { name: '', email: 'x' })
  await inSpanish(chat.call, home, DATA, { name: 'a'.repeat(201) })
  const page = await begin({ name: 'Marta' })
  await inSpanish(chat.call, page, DATA)
  await inSpanish(chat.call, page, DATA, { text: '' })
  await post(page, { text: 'Mesa' })
  expect((await inSpanish(chat.call, page, DATA)).text).toContain('<p class="who">Usted</p>')
  const { payload } = await chat.app.fastify.inject('/chat/widget/script.js?lang=es')
  expect(payload).toContain("say('No se envió. Inténtelo de nuevo.')")
})

test('a chosen language stays from the name to the conversation, and in a new one', async () => {
  const chat = await freshChat()
  const { home, post, get } = widgetOf(chat, await chat.website())
  const path = `${home}?lang=es`
  const talk = nextOf(await post(path, { name: 'Marta' }), path)
  expect(talk).toMatch(/\?lang=es$/)
  expect(nextOf(await post(talk, { text: 'Mesa' }), talk)).toBe(talk)
  expect((await get(talk)).text).toMatch(/\?new=true&amp;lang=es"\s*>/)
})
