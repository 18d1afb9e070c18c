/** An account whose readings can be chosen, the events of conversations, and their deliveries. */
import type { Answer } from './app.ts'
import { freshAccount } from './conversations.ts'
import type { Receiver } from './webhooks.ts'

export const FLAT = { 'conversations.webhook_payload': 'flat' }
export const NESTED = { 'conversations.webhook_payload': 'nested' }
export const WORDS = { 'conversations.message_type': 'string' }
export const NUMBERS = { 'conversations.message_type': 'integer' }

/** A body whose shape a test asserts. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any

export interface Delivery {
  readonly id: string
  readonly event: string
  readonly status: string
  readonly payload: Body
}

/** An account whose readings can be chosen, with access to its control plane. */
export async function chosen(readings: object = {}) {
  const account = await freshAccount()
  const { fresh } = account
  const sim = async (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT',
    path: string,
    body?: object,
    of = fresh.workspace.id,
  ) => {
    const answer = await fresh.call(method, `/_sim/workspaces/${of}${path}`, body && { body })
    if (answer.status >= 300) throw new Error(answer.text)
    return (answer as Answer<Body>).body
  }
  const choose = (choice: object) => sim('PATCH', '', { readings: choice })
  const subscribe = async (to: Receiver, of = 'conversations'): Promise<string> =>
    (await sim('POST', '/subscriptions', { interface: of, url: to.url })).secret
  /** Returns all deliveries, oldest first. */
  const deliveries = async (): Promise<Delivery[]> =>
    (await sim('GET', '/deliveries?limit=500')).data.toReversed()
  await choose(readings)
  return { ...account, sim, choose, subscribe, deliveries }
}

export type Account = Awaited<ReturnType<typeof chosen>>

/** Causes every event of conversations. */
export async function causeAll({ ask, inbox, contact, trigger }: Account) {
  const { id: inbox_id } = await inbox()
  await ask('PATCH', `/inboxes/${String(inbox_id)}`, { name: 'Shop' })
  const { id: contact_id } = await contact()
  await ask('PATCH', `/contacts/${String(contact_id)}`, { name: 'Marta Lasso' })
  const { id } = await ask<{ id: number }>('POST', '/conversations', { inbox_id, contact_id })
  const path = `/conversations/${String(id)}`
  const message = await ask<{ id: number }>('POST', `${path}/messages`, { content: 'Hello' })
  await trigger('message.status', { message_id: message.id, status: 'read' })
  await ask('POST', `${path}/toggle_vip`, { vip: true })
  await ask('POST', `${path}/toggle_status`, { status: 'resolved' })
  const { id: other } = await contact({ name: 'Luis' })
  await ask('DELETE', `/contacts/${String(other)}`)
  return { inbox_id, contact_id, id, message_id: message.id }
}

/** True if the last delivery has no envelope. */
export const isFlat = async ({ deliveries }: Account): Promise<boolean> =>
  (await deliveries()).slice(-1).some(({ payload }) => !('data' in payload))

/** The message types in an answer or an event, wherever they are. */
export function typesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(typesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => (name === 'message_type' ? [each] : typesIn(each)))
}
