/** A fresh app with helpers for the catalog and a clock frozen at NOON. */
import type { Static } from '@sinclair/typebox'
import type { AppOptions } from '../../src/app.ts'
import type { Activity } from '../../src/interfaces/catalog/shapes/activities.ts'
import type { Product, ProductWithPlans } from '../../src/interfaces/catalog/shapes/products.ts'
import { freshApp, type Answer, type Call, type CallOptions, type FreshApp } from './app.ts'

export const NOON = '2026-11-21T12:00:00.000Z'

/** The format of catalog ids: a nanoid. */
export const NANOID = /^[A-Za-z0-9_-]{21}$/

export type ProductBody = Static<typeof Product.item>
export type ProductWithPlansBody = Static<typeof ProductWithPlans.item>
export type ActivityBody = Static<typeof Activity.item>

export interface PageBody<Item> {
  readonly data: Item[]
  readonly pagination: { readonly nextCursor: string | null; readonly hasMore: boolean }
}

type Fields = Readonly<Record<string, unknown>>

export interface Catalog {
  readonly fresh: FreshApp
  readonly call: Call
  readonly setClock: (now: string) => void
  /** POST /products; `fields` extend a name and a type. */
  readonly addProduct: (fields?: Fields, options?: CallOptions) => Promise<ProductBody>
  readonly getProduct: (id: string, options?: CallOptions) => Promise<ProductWithPlansBody>
  readonly putProduct: (id: string, fields: Fields) => Promise<ProductBody>
  readonly listProducts: (query?: string, options?: CallOptions) => Promise<PageBody<ProductBody>>
  /** POST /activities; `fields` extend a title and a type. */
  readonly addActivity: (fields?: Fields, options?: CallOptions) => Promise<ActivityBody>
  readonly getActivity: (id: string, options?: CallOptions) => Promise<ActivityBody>
  readonly putActivity: (id: string, fields: Fields) => Promise<ActivityBody>
  readonly completeActivity: (id: string) => Promise<ActivityBody>
  readonly listActivities: (query?: string, options?: CallOptions) => Promise<PageBody<ActivityBody>>
}

/** The body of a response that must be a success. */
function bodyOf(answer: Answer, status = 200): unknown {
  if (answer.status !== status) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
  return answer.body
}

const dataOf = (answer: Answer, status = 200): unknown => (bodyOf(answer, status) as { data: unknown }).data

export async function freshCatalog(options: AppOptions = {}): Promise<Catalog> {
  const fresh = await freshApp(options)
  const call = fresh.at('catalog')
  fresh.setClock(NOON)

  const post = async (path: string, body: Fields, callOptions?: CallOptions) =>
    dataOf(await call('POST', path, { ...callOptions, body }), 201)
  const get = async (path: string, callOptions?: CallOptions) => dataOf(await call('GET', path, callOptions))
  const put = async (path: string, body: Fields) => dataOf(await call('PUT', path, { body }))
  const list = async (path: string, callOptions?: CallOptions) => bodyOf(await call('GET', path, callOptions))

  return {
    fresh,
    call,
    setClock: (now) => {
      fresh.setClock(now)
    },
    addProduct: async (fields, callOptions) =>
      (await post(
        '/products',
        { name: 'Standing desk', type: 'physical', ...fields },
        callOptions,
      )) as ProductBody,
    getProduct: async (id, callOptions) =>
      (await get(`/products/${id}`, callOptions)) as ProductWithPlansBody,
    putProduct: async (id, fields) => (await put(`/products/${id}`, fields)) as ProductBody,
    listProducts: async (query = '', callOptions) =>
      (await list(`/products${query}`, callOptions)) as PageBody<ProductBody>,
    addActivity: async (fields, callOptions) =>
      (await post(
        '/activities',
        { title: 'Call about the quote', type: 'call', ...fields },
        callOptions,
      )) as ActivityBody,
    getActivity: async (id, callOptions) => (await get(`/activities/${id}`, callOptions)) as ActivityBody,
    putActivity: async (id, fields) => (await put(`/activities/${id}`, fields)) as ActivityBody,
    completeActivity: async (id) => dataOf(await call('PATCH', `/activities/${id}/complete`)) as ActivityBody,
    listActivities: async (query = '', callOptions) =>
      (await list(`/activities${query}`, callOptions)) as PageBody<ActivityBody>,
  }
}

/** An error of the catalog for `toMatchObject`; `field` and `problem` if one field is invalid. */
export const refusal = (status: number, code: string, field?: string, problem?: string) => ({
  status,
  body: {
    error: {
      code,
      ...(field !== undefined && { details: [{ field, ...(problem !== undefined && { code: problem }) }] }),
    },
  },
})

export const invalid = (field: string, problem: string) => refusal(400, 'validation_error', field, problem)

/** A test title for one value; a long value is replaced by its length. */
export function titleFor(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 20)}... (${String(text.length)} characters of JSON)` : text
}
