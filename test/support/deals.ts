/** A fresh app with helpers for deals and pipelines and a clock frozen at NOON. */
import type { Static } from '@sinclair/typebox'
import type { AppOptions } from '../../src/app.ts'
import type { Deal } from '../../src/interfaces/crm/shapes/deals.ts'
import type { Pipeline } from '../../src/interfaces/crm/shapes/pipelines.ts'
import type { NewWorkspace } from '../../src/state/workspace/registry.ts'
import { freshApp, type Call, type FreshApp, type Method } from './app.ts'
import { eventsOf } from './events.ts'

export const NOON = '2026-11-21T12:00:00.000Z'

export type DealBody = Static<typeof Deal>
export type PipelineBody = Static<typeof Pipeline>

export interface PageBody<Item> {
  readonly data: Item[]
  readonly meta: { readonly current_page: number; readonly total_pages: number; readonly total_count: number }
}

type Fields = Readonly<Record<string, unknown>>

export interface Sales {
  readonly fresh: FreshApp
  readonly call: Call
  readonly setClock: (now: string) => void
  /** Returns the body of a response that must be a 2xx. */
  readonly ask: <Body>(method: Method, path: string, body?: Fields) => Promise<Body>
  /** POST /pipelines; by default with two stages, "Talk" with 20 and "Offer" with 90 percent. */
  readonly addPipeline: (fields?: Fields) => Promise<PipelineBody>
  readonly getPipeline: (id: string) => Promise<PipelineBody>
  readonly addContact: (fields?: Fields) => Promise<{ readonly id: string }>
  /** POST /deals; into `pipeline` by default. */
  readonly addDeal: (fields?: Fields) => Promise<DealBody>
  readonly getDeal: (id: string) => Promise<DealBody>
  readonly listDeals: (query?: string) => Promise<PageBody<DealBody>>
  /** The names of the deals that a query lists. */
  readonly names: (query: string) => Promise<string[]>
  /** The default pipeline of deals, with a first and a last stage. */
  readonly pipeline: PipelineBody
  readonly talk: string
  readonly offer: string
  /** The CRM events so far, oldest first. */
  readonly events: () => readonly { readonly name: string; readonly data: Fields }[]
}

export async function freshSales(
  options: AppOptions = {},
  settings: Partial<NewWorkspace> = {},
): Promise<Sales> {
  const fresh = await freshApp(options)
  fresh.workspace.change(settings)
  const call = fresh.at('crm')
  fresh.setClock(NOON)

  const ask = async <Body>(method: Method, path: string, body?: Fields): Promise<Body> => {
    const answer = await call(method, path, body && { body })
    if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as Body
  }
  const addPipeline = (fields?: Fields) =>
    ask<PipelineBody>('POST', '/pipelines', {
      name: 'Sales',
      stages: [
        { name: 'Talk', probability: 20 },
        { name: 'Offer', probability: 90 },
      ],
      ...fields,
    })
  const pipeline = await addPipeline()
  const listDeals = (query = '') => ask<PageBody<DealBody>>('GET', `/deals${query}`)

  return {
    fresh,
    call,
    setClock: (now) => {
      fresh.setClock(now)
    },
    ask,
    addPipeline,
    getPipeline: (id) => ask('GET', `/pipelines/${id}`),
    addContact: (fields) => ask('POST', '/contacts', { name: 'Ana Castillo', ...fields }),
    addDeal: (fields) => ask('POST', '/deals', { name: 'Twelve vans', pipeline_id: pipeline.id, ...fields }),
    getDeal: (id) => ask('GET', `/deals/${id}`),
    listDeals,
    names: async (query) => (await listDeals(query)).data.map(({ name }) => name),
    pipeline,
    talk: pipeline.stages[0]?.id ?? '',
    offer: pipeline.stages[1]?.id ?? '',
    events: () => eventsOf<Fields>(fresh.workspace, 'crm'),
  }
}

/** An error of the CRM for `toMatchObject`. */
export const refusal = (status: number, code: string, field?: string, problem?: string) => ({
  status,
  body: {
    error: {
      code,
      ...(field !== undefined && { details: [{ field, ...(problem !== undefined && { code: problem }) }] }),
    },
  },
})

export const invalid = (field: string, problem?: string) => refusal(422, 'validation_error', field, problem)
