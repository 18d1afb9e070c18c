/** A fresh account with an inbox, a contact and a conversation; paths are relative to the account. */
import type { Static } from '@sinclair/typebox'
import type { Conversation, Message } from '../../src/interfaces/conversations/shapes/conversations.ts'
import { freshApp, type Answer, type CallOptions, type Method } from './app.ts'

export type ConversationBody = Static<typeof Conversation>
export type MessageBody = Static<typeof Message>

type Fields = Readonly<Record<string, unknown>>

export const NOON = '2026-11-21T12:00:00.000Z'

/** NOON in seconds since the epoch. */
export const NOON_SECONDS = Date.parse(NOON) / 1000

export async function freshAccount() {
  const fresh = await freshApp()
  fresh.setClock(NOON)
  const account = fresh.workspace.tenantId
  const raw = (method: Method, path: string, options: CallOptions = {}): Promise<Answer> =>
    fresh.at('conversations')(method, `/accounts/${String(account)}${path}`, options)
  /** Returns the body of a response that must have the status 200. */
  const ask = async <Body>(method: Method, path: string, body?: Fields, options: CallOptions = {}) => {
    const answer = await raw(method, path, { ...(body && { body }), ...options })
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.text}`)
    return answer.body as Body
  }
  const trigger = (name: string, body: Fields) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/conversations.${name}`, { body })
  const receive = async (body: Fields) =>
    (await trigger('message.receive', body)).body as { conversation_id: number; message_id: number }
  const inbox = async (type = 'web_widget', fields: Fields = {}) =>
    ask<{ id: number }>('POST', '/inboxes', {
      name: 'Website',
      channel: { type, website_url: 'https://shop.example' },
      ...fields,
    })
  const contact = async (fields: Fields = { name: 'Marta' }) =>
    (await ask<{ payload: { contact: { id: number } } }>('POST', '/contacts', fields)).payload.contact
  const begin = async (fields: Fields = {}) => {
    const { id: inboxId } = await inbox()
    const { id: contactId } = await contact()
    return ask<ConversationBody>('POST', '/conversations', {
      inbox_id: inboxId,
      contact_id: contactId,
      ...fields,
    })
  }
  const get = (id: number) => ask<ConversationBody>('GET', `/conversations/${String(id)}`)
  const messagesOf = async (id: number, query = '') =>
    (await ask<{ payload: MessageBody[] }>('GET', `/conversations/${String(id)}/messages${query}`)).payload
  return { fresh, account, raw, ask, trigger, receive, inbox, contact, begin, get, messagesOf }
}

/** The status and the message of an error. */
export const refusalOf = ({ status, body }: Answer): [number, string] => [
  status,
  (body as { error: string }).error,
]

/** The hint messages of the request log. */
export async function hintsOf({
  call,
  workspace: { id },
}: Awaited<ReturnType<typeof freshAccount>>['fresh']): Promise<string[]> {
  const { body } = await call('GET', `/_sim/workspaces/${id}/hints`)
  return (body as { data: { message: string }[] }).data.map(({ message }) => message)
}
