/** A fresh app with a clock frozen at NOON, and helpers for integration payments. */
import type { Static } from '@sinclair/typebox'
import type { AppOptions } from '../../src/app.ts'
import type { Customer } from '../../src/interfaces/integration-payments/shapes/customers.ts'
import type {
  CollectionLink,
  CreatedPaymentLink,
  PaymentLink,
} from '../../src/interfaces/integration-payments/shapes/links.ts'
import type { Product } from '../../src/interfaces/integration-payments/shapes/products.ts'
import type { linkMachine } from '../../src/state/integration-payments/machines.ts'
import { freshApp, type Answer, type Call, type FreshApp, type Method } from './app.ts'
import { eventsOf } from './events.ts'

export const NOON = '2026-11-21T12:00:00.000Z'
/** The expiry of a link created at NOON. */
export const NEXT_NOON = '2026-11-22T12:00:00.000Z'

export type ProductBody = Static<typeof Product.item>
export type CustomerBody = Static<typeof Customer.item>
export type CollectionLinkBody = Static<typeof CollectionLink.item>
export type PaymentLinkBody = Static<typeof CreatedPaymentLink.item>
export type LinkBody = Static<typeof PaymentLink.item>
export type LinkState = (typeof linkMachine.states)[number]

type Fields = Readonly<Record<string, unknown>>

export const CARD = { brand: 'network_2', last4: '4444', bin: '555555', exp: '0830' }

/** A body of POST /v1/collections/payment-links for the product that `freshProject` creates. */
export const PAYMENT = {
  customer: { name: 'Ana Castillo' },
  concept: 'Setup',
  amount: 4900,
  productCode: 'setup-fee',
}

export interface Project {
  readonly fresh: FreshApp
  readonly call: Call
  readonly setClock: (now: string) => void
  /** Returns the data of a response that must be a 2xx. */
  readonly ask: <Data>(method: Method, path: string, body?: Fields) => Promise<Data>
  /** Fires a trigger, named without its interface, and returns the response. */
  readonly pull: (name: string, body?: Fields) => Promise<Answer>
  readonly addProduct: (fields?: Fields) => Promise<ProductBody>
  readonly addCustomer: (fields?: Fields) => Promise<CustomerBody>
  readonly addCollectionLink: (fields?: Fields) => Promise<CollectionLinkBody>
  readonly addPaymentLink: (fields?: Fields) => Promise<PaymentLinkBody>
  readonly listLinks: (query?: string) => Promise<{ paymentLinks: LinkBody[]; total: number }>
  readonly findLink: (hashUrl: string) => Promise<LinkBody>
  /** Creates a payment link in this state; the clock stays where the state was reached. */
  readonly linkInState: (state: LinkState) => Promise<PaymentLinkBody>
  /** The events of the interface so far, oldest first. */
  readonly events: () => readonly { readonly name: string; readonly data: Fields }[]
}

export async function freshProject(options: AppOptions = {}): Promise<Project> {
  const fresh = await freshApp(options)
  const call = fresh.at('integration-payments')
  fresh.setClock(NOON)

  const ask = async <Data>(method: Method, path: string, body?: Fields): Promise<Data> => {
    const answer = await call(method, path, body && { body })
    if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return (answer.body as { data: Data }).data
  }
  const pull = (name: string, body: Fields = {}) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/integration-payments.${name}`, {
      body,
    })
  const happens = async <Result>(name: string, body: Fields): Promise<Result> => {
    const answer = await pull(name, body)
    if (answer.status !== 200) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as Result
  }
  const addProduct = async (fields: Fields = {}) => {
    const made = await happens<{ product: ProductBody }>('product.create', {
      productCode: 'setup-fee',
      name: 'Setup fee',
      paymentType: 'one_time',
      price: 4900,
      currency: 'USD',
      ...fields,
    })
    return made.product
  }
  await addProduct()
  const addPaymentLink = (fields: Fields = {}) =>
    ask<PaymentLinkBody>('POST', '/v1/collections/payment-links', { ...PAYMENT, ...fields })
  const listLinks: Project['listLinks'] = (query = '') => ask('GET', `/v1/payment-links${query}`)

  return {
    fresh,
    call,
    setClock: (now) => {
      fresh.setClock(now)
    },
    ask,
    pull,
    addProduct,
    async addCustomer(fields) {
      const body = { name: 'Ana Castillo', email: 'ana@example.com', ...fields }
      return (await ask<{ customer: CustomerBody }>('POST', '/v1/customers', body)).customer
    },
    addCollectionLink: (fields) =>
      ask('POST', '/v1/collections/links', { customer: { name: 'Ana Castillo' }, ...fields }),
    addPaymentLink,
    listLinks,
    async findLink(hashUrl) {
      const found = (await listLinks('?lim=100')).paymentLinks.find((link) => link.hashUrl === hashUrl)
      if (!found) throw new Error(`no link ${hashUrl} is listed`)
      return found
    },
    async linkInState(state) {
      const link = await addPaymentLink()
      const { hashUrl } = link
      const ways: Readonly<Record<LinkState, () => unknown>> = {
        pending: () => undefined,
        processing: () => happens('link.process', { hashUrl }),
        completed: () => happens('link.complete', { hashUrl }),
        expired: () => {
          fresh.setClock(NEXT_NOON)
        },
        cancelled: () => ask('PATCH', `/v1/payment-links/${hashUrl}/cancel`),
      }
      await ways[state]()
      return link
    },
    events: () => eventsOf<Fields>(fresh.workspace, 'integration-payments'),
  }
}

/** An error of integration payments for `toEqual`, with the time NOON by default. */
export const refusal = (status: number, code: string, message: unknown, timestamp: unknown = NOON) => ({
  status,
  body: { success: false, error: { code, message }, timestamp },
})

/** The part of a response that is compared with `refusal`. */
export const statusAndBody = ({ status, body }: Answer) => ({ status, body })
