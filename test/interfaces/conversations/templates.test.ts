/** Templates of messaging apps. Specification part 3, "Business rules". */
import { describe, expect, test } from 'vitest'
import { CHANNELS } from '../../../src/interfaces/conversations/shapes/people.ts'
import { freshAccount } from '../../support/conversations.ts'
import { formOf } from '../../support/forms.ts'

describe('template', () => {
  const WITHOUT_A_NAME: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['only message_type template', { message_type: 'template' }, 'template_params'],
    ['only message_type 3', { message_type: 3 }, 'template_params'],
    ['empty parameters', { template_params: {} }, 'template_params.name'],
    ['both', { message_type: 'template', template_params: {} }, 'template_params.name'],
    ['parameters without a name', { template_params: { language: 'es' } }, 'template_params.name'],
    ['a blank name', { template_params: { name: ' \n' } }, 'template_params.name'],
    ['a name that is not a string', { template_params: { name: 7 } }, 'template_params.name'],
    ['a name of 513 characters', { template_params: { name: 'x'.repeat(513) } }, 'template_params.name'],
  ]

  test.each(Object.keys(CHANNELS))(
    'on the channel %s must name an approved one, or has no effect',
    async (channel) => {
      const { inbox, begin, raw, fresh } = await freshAccount()
      const { id: inbox_id } = await inbox(channel)
      const { id } = await begin({ inbox_id })
      const path = `/conversations/${String(id)}/messages`
      const before = fresh.dump()
      for (const [what, fields, field] of WITHOUT_A_NAME) {
        const body = { content: 'Hello', ...fields }
        const texts = Object.entries(body).map(([name, value]): [string, string] => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ])
        for (const sent of [{ body }, formOf(Object.fromEntries(texts))]) {
          const answer = await raw('POST', path, sent)
          expect([what, answer.status, answer.body]).toMatchObject([what, 422, { attributes: [field] }])
        }
      }
      expect(fresh.dump()).toEqual(before)
      const named = { template_params: { name: 'x'.repeat(512) } }
      expect((await raw('POST', path, { body: named })).body).toMatchObject({ message_type: 3 })
    },
  )

  test('cannot be sent by a contact', async () => {
    const { inbox, begin, raw } = await freshAccount()
    const { id: inbox_id } = await inbox('api')
    const { id } = await begin({ inbox_id })
    const body = { message_type: 'incoming', template_params: { name: 'order_shipped' } }
    const answer = await raw('POST', `/conversations/${String(id)}/messages`, { body })
    expect([answer.status, answer.body]).toMatchObject([422, { attributes: ['template_params'] }])
  })
})

describe('first message of a conversation', () => {
  const PARAMS = { name: 'order_shipped', language: 'es' }

  test('is delivered on a messaging app as a template, and fails as a free text', async () => {
    const { inbox, contact, ask } = await freshAccount()
    const { id: inbox_id } = await inbox('whatsapp')
    const { id: contact_id } = await contact({ phone_number: '+5215512345678' })
    const begin = async (message: object) => {
      const { id } = await ask<{ id: number }>('POST', '/conversations', { inbox_id, contact_id, message })
      const { payload } = await ask<{ payload: readonly object[] }>(
        'GET',
        `/conversations/${String(id)}/messages`,
      )
      return payload.at(-1)
    }
    expect(await begin({ content: 'Your desk leaves tomorrow.', template_params: PARAMS })).toMatchObject({
      content: 'Your desk leaves tomorrow.',
      message_type: 3,
      status: 'delivered',
      content_attributes: { template_params: PARAMS },
    })
    expect(await begin({ content: 'Hello' })).toMatchObject({ message_type: 1, status: 'failed' })
  })

  test.each([{}, { name: ' ' }, { name: 'x'.repeat(513) }, { language: 'es' }])(
    'is refused with the template %j',
    async (template_params) => {
      const { inbox, contact, raw, fresh } = await freshAccount()
      const { id: inbox_id } = await inbox('whatsapp')
      const { id: contact_id } = await contact()
      const before = fresh.dump()
      const body = { inbox_id, contact_id, message: { content: 'Hello', template_params } }
      const answer = await raw('POST', '/conversations', { body })
      expect([answer.status, answer.body]).toMatchObject([
        422,
        { attributes: ['message.template_params.name'] },
      ])
      expect(fresh.dump()).toEqual(before)
    },
  )
})
