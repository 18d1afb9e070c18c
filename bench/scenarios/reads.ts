/**
 * Gets single products and lists from a file with 100,000 products, compared with bare Fastify with fixed
 * responses.
 */
import { bareFastify, type BareFastify } from '../bare.ts'
import { Client, request, type Beside } from '../load.ts'
import { categoryOf, productId } from '../records.ts'
import type { Row, Target } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { call, copyOf, databaseOf, PRODUCTS, Simulator } from '../simulator.ts'

interface Load {
  readonly what: string
  /** The name of prepared requests. */
  readonly load: string
  readonly beside?: Beside
}

interface Stage {
  readonly settings: Settings
  readonly simulator: Simulator
  readonly bare: BareFastify
  readonly client: Client
}

const ALL_SIDES = 'bare Fastify'
const WRITES: Beside = { load: 'writes', perSecond: 50 }
const alsoWhileWritten = (loads: readonly Load[]): Load[] =>
  loads.flatMap((load) => [load, { ...load, what: `${load.what}, at 50 writes/s`, beside: WRITES }])

export const get = (settings: Settings): Promise<Row[]> =>
  withServers(settings, async (stage) => {
    await stage.client.prepare('one', [request('GET', `${PRODUCTS}/${productId(0)}`)])
    await stage.client.prepare('any', eachProduct(settings))
    const loads = alsoWhileWritten([
      { what: 'get one, always the same', load: 'one' },
      { what: `get one of ${settings.records.toLocaleString('en')}`, load: 'any' },
    ])
    return measure(stage, loads, { of: 'ratio', limit: 'at least', value: 0.5 })
  })

export const list = (settings: Settings): Promise<Row[]> =>
  withServers(settings, async (stage) => {
    await stage.client.prepare('first', [request('GET', PRODUCTS)])
    await stage.client.prepare('pages', await pagesAnywhere(stage.simulator.url))
    await stage.client.prepare('filtered', eachCategory())
    const loads = alsoWhileWritten([
      { what: 'list 25, first page', load: 'first' },
      { what: 'list 25, pages anywhere', load: 'pages' },
      { what: 'list 25 of a category', load: 'filtered' },
    ])
    return measure(stage, loads, { of: 'ratio', limit: 'at least', value: 0.33 })
  })

async function withServers(settings: Settings, act: (stage: Stage) => Promise<Row[]>): Promise<Row[]> {
  const simulator = await Simulator.start(copyOf(await databaseOf(settings.records), 'reads.sqlite'))
  const bare = await bareFastify(simulator)
  const client = new Client()
  await client.prepare(WRITES.load, renamings(settings))
  const rows = await act({ settings, simulator, bare, client })
  await Promise.all([simulator.stop(), bare.stop(), client.stop()])
  return rows
}

async function measure(stage: Stage, loads: readonly Load[], target: Target): Promise<Row[]> {
  const { settings, client } = stage
  const rows: Row[] = []
  for (const { what, load, beside } of loads) {
    for (const { url } of [stage.simulator, stage.bare]) await client.perSecond(url, load, settings.warmUp)
    const figures = await alternate(
      {
        ours: () => client.perSecond(stage.simulator.url, load, settings.seconds, beside),
        theirs: () => client.perSecond(stage.bare.url, load, settings.seconds, beside),
      },
      settings.rounds,
    )
    rows.push({ what, unit: '/s', ...figures, beside: ALL_SIDES, target })
  }
  return rows
}

/** Ids come from a hash, so that their order differs from the table's. */
const eachProduct = ({ records }: Settings): string[] =>
  Array.from({ length: records }, (_, index) => request('GET', `${PRODUCTS}/${productId(index)}`))

const eachCategory = (): string[] =>
  Array.from({ length: 100 }, (_, index) =>
    request('GET', `${PRODUCTS}?category=${encodeURIComponent(categoryOf(index))}`),
  )

/** Returns changes of products all over the table. */
const renamings = ({ records }: Settings): string[] =>
  Array.from({ length: 1000 }, (_, index) =>
    request('PUT', `${PRODUCTS}/${productId((index * 7919) % records)}`, {
      name: `Renamed ${String(index)}`,
    }),
  )

/** Returns requests for every page of the list, in an order without neighbors. */
export async function pagesAnywhere(url: string): Promise<string[]> {
  const paths: string[] = []
  let cursor: string | null = null
  do {
    const path: string = cursor === null ? PRODUCTS : `${PRODUCTS}?cursor=${encodeURIComponent(cursor)}`
    paths.push(path)
    const page: { pagination: { nextCursor: string | null } } = await call(url, 'GET', path)
    cursor = page.pagination.nextCursor
  } while (cursor !== null)
  return withoutNeighbors(paths).map((path) => request('GET', path))
}

/** Returns the items in another order. */
export function withoutNeighbors<Item>(items: readonly Item[]): Item[] {
  // The number of items and the step are coprime, so that each item occurs once.
  const step = [1237, 1249, 1259].find((prime) => items.length % prime !== 0) ?? 1
  return items.map((item, index) => items[(index * step) % items.length] ?? item)
}
