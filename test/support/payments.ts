/** A fresh app with a frozen clock, and helpers for payments. */
import type { Static } from '@sinclair/typebox'
import type { AppOptions } from '../../src/app.ts'
import type { ERROR_CODES } from '../../src/interfaces/payments/dialect.ts'
import type { Link } from '../../src/interfaces/payments/shapes/links.ts'
import type { RevenueReport, Settlement } from '../../src/interfaces/payments/shapes/reports.ts'
import type { Refund, Transaction } from '../../src/interfaces/payments/shapes/transactions.ts'
import type { NewWorkspace } from '../../src/state/workspace/registry.ts'
import { freshApp, type Answer, type Call, type FreshApp, type Method } from './app.ts'
import { eventsOf } from './events.ts'

export const NOON = '2026-11-21T12:00:00.000Z'

export type LinkBody = Static<typeof Link.item>
export type TransactionBody = Static<typeof Transaction.item>
export type RefundBody = Static<typeof Refund.item>
export type SettlementBody = Static<typeof Settlement.item>
export type RevenueBody = Static<typeof RevenueReport>

export interface PageBody<Item> {
  readonly data: Item[]
  readonly meta: { readonly total: number; readonly page: number; readonly per_page: number }
}

type Fields = Readonly<Record<string, unknown>>

/** The response of a trigger. */
export interface TriggerResponse {
  readonly transaction_id: string
  readonly refund_id: string
  readonly settlement_id: string
  readonly status: string
  readonly link_status: string
}

export interface Payments {
  readonly fresh: FreshApp
  readonly call: Call
  readonly setClock: (now: string) => void
  /** Returns the body of a response that must be a 2xx. */
  readonly ask: <Body>(method: Method, path: string, body?: Fields) => Promise<Body>
  /** POST /payment-links; 1000 cents by default. */
  readonly addLink: (fields?: Fields) => Promise<LinkBody>
  readonly getLink: (id: string) => Promise<LinkBody>
  /** Fires a trigger and returns the response. */
  readonly pull: (name: string, body?: unknown) => Promise<Answer>
  /** Fires a trigger and returns the body of its response, which must be a 200. */
  readonly happens: (name: string, body: Fields) => Promise<TriggerResponse>
  /** Pays the link and returns the transaction. */
  readonly pay: (linkId: string, fields?: Fields) => Promise<TransactionBody>
  /** Creates a link of this amount, pays it, and returns the transaction. */
  readonly paid: (amount?: number, fields?: Fields) => Promise<TransactionBody>
  readonly getTransaction: (id: string) => Promise<TransactionBody>
  /** POST /transactions/{id}/refund. */
  readonly refund: (id: string, body?: Fields) => Promise<Answer>
  /** Refunds and completes the refund. */
  readonly refundWholly: (id: string, body?: Fields) => Promise<TriggerResponse>
  readonly settle: (fields?: Fields) => Promise<TriggerResponse>
  readonly settlements: (query?: string) => Promise<SettlementBody[]>
  readonly revenue: (query: string) => Promise<RevenueBody>
  /** The events of payments so far, oldest first. */
  readonly events: () => readonly { readonly name: string; readonly data: Fields }[]
}

export async function freshPayments(
  options: AppOptions = {},
  settings: Partial<NewWorkspace> = {},
): Promise<Payments> {
  const fresh = await freshApp(options)
  fresh.workspace.change(settings)
  fresh.setClock(NOON)
  const call = fresh.at('payments')

  const ask = async <Body>(method: Method, path: string, body?: Fields): Promise<Body> => {
    const answer = await call(method, path, body && { body })
    if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as Body
  }
  const data = async <Item>(method: Method, path: string, body?: Fields): Promise<Item> =>
    (await ask<{ data: Item }>(method, path, body)).data
  const pull = (name: string, body: unknown = {}) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/payments.${name}`, { body })
  const happens = async (name: string, body: Fields): Promise<TriggerResponse> => {
    const answer = await pull(name, body)
    if (answer.status !== 200) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as TriggerResponse
  }
  const addLink = (fields?: Fields) => data<LinkBody>('POST', '/payment-links', { amount: 1000, ...fields })
  const getTransaction = (id: string) => data<TransactionBody>('GET', `/transactions/${id}`)
  const pay = async (linkId: string, fields: Fields = {}) =>
    getTransaction((await happens('link.pay', { link_id: linkId, ...fields })).transaction_id)

  return {
    fresh,
    call,
    setClock: (now) => {
      fresh.setClock(now)
    },
    ask,
    addLink,
    getLink: (id) => data('GET', `/payment-links/${id}`),
    pull,
    happens,
    pay,
    paid: async (amount = 1000, fields = {}) => pay((await addLink({ amount })).id, fields),
    getTransaction,
    refund: (id, body) => call('POST', `/transactions/${id}/refund`, body && { body }),
    refundWholly: async (id, body) => {
      const made = await data<RefundBody>('POST', `/transactions/${id}/refund`, body)
      return happens('refund.complete', { refund_id: made.id })
    },
    settle: (fields = {}) => happens('settlement.create', fields),
    settlements: (query = '') => data('GET', `/reports/settlements${query}`),
    revenue: (query) => data('GET', `/reports/revenue?${query}`),
    events: () => eventsOf<Fields>(fresh.workspace, 'payments'),
  }
}

/** An error of payments for `toMatchObject`; its body has exactly these three fields. */
export const refusal = (status: number, code: (typeof ERROR_CODES)[number], message?: unknown) => ({
  status,
  body: { error: code, status, ...(message !== undefined && { message }) },
})

/** The error of the specification for an invalid amount. */
export const INVALID_AMOUNT = {
  error: 'invalid_amount',
  message: 'amount must be a positive integer in cents',
  status: 422,
}

export const INVALID_AMOUNTS = [-5, 0, 1.5, -0.5, '100', 'x', true, [], {}, null].map((amount) => [amount])
