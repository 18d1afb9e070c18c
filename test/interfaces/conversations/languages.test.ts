/** The web widget in Spanish, and the e-mails to agents and users. */
import { expect, test } from 'vitest'
import type { CallOptions } from '../../support/app.ts'
import { freshAccount } from '../../support/conversations.ts'
import { freshChat } from '../../support/chatting.ts'
import { formOf } from '../../support/forms.ts'
import { emailsOf, inSpanish, SPANISH } from '../../support/languages.ts'
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

test('e-mails to agents and about contact files have the language of the call, else English', async () => {
  const { fresh, raw } = await freshAccount()
  const content = 'name,email,id\nMarta,marta@example.com,\nLuis,x,\nEva,eva@example.com,1\n'
  const send = async (
    path: string,
    options: (name: string) => CallOptions,
    expected: object,
  ): Promise<void> => {
    for (const [name, headers] of [
      ['Eva', SPANISH],
      ['Luis', {}],
    ] as const) {
      expect(await raw('POST', path, { ...options(name), headers })).toMatchObject({ status: 200 })
    }
    const [english, spanish] = await emailsOf(fresh)
    expect({ english, spanish }).toMatchObject(expected)
  }
  const agent = (name: string) => ({
    body: { name, email: `${name}@example.com`, role: 'administrator' },
  })
  await send('/agents', agent, {
    english: {
      subject: 'You are invited to Test workspace',
      text: 'Hello Luis,\n\nyou are invited to answer conversations of Test workspace as administrator.\n',
    },
    spanish: {
      subject: 'Invitación a Test workspace',
      text: 'Hola, Eva:\n\nLe invitamos a atender las conversaciones de Test workspace con el rol de administrador.\n',
    },
  })
  await send('/contacts/import', () => formOf({ import_file: { filename: 'contacts.csv', content } }), {
    english: {
      subject: 'Contact import completed',
      text: '2 of 3 contacts were imported.\nCreated: 0. Updated: 2. Refused: 1.\nWarnings: 1.\n',
    },
    spanish: {
      subject: 'La importación de contactos terminó',
      text: 'Contactos importados: 2 de 3.\nCreados: 2. Actualizados: 0. Rechazados: 1.\nAdvertencias: 1.\n',
    },
  })
  await send('/contacts/export', () => ({}), {
    english: { subject: 'Your contact export is ready', text: '2 contacts are in the attached file.\n' },
    spanish: {
      subject: 'Su exportación de contactos está lista',
      text: 'Contactos en el archivo adjunto: 2.\n',
    },
  })
})
