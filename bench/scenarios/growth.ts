/**
 * The time of calls among more products, and among more workspaces, compared with the fewest. A call is named
 * if its time grows more than 1.25 times as much as the logarithm of the number of products in the file: the
 * rule of `atMostLogarithmic()`.
 */
import { Client, request } from '../load.ts'
import { categoryOf, newProduct, productId } from '../records.ts'
import { atMostLogarithmic, ratiosOf, type Row } from '../report.ts'
import { alternate, median } from '../rounds.ts'
import { CONNECTIONS, type Settings } from '../settings.ts'
import { call, copyOf, databaseOf, PRODUCTS, Simulator } from '../simulator.ts'
import { pagesAnywhere } from './reads.ts'

const FEWEST = 1000
const MILLION = 1_000_000

const MANY_WORKSPACES = [100, 5000]
/** Number of products in each further workspace. */
const EACH = 2
/** Number of workspaces that are filled at once. */
const AT_ONCE = 10

/** Number of different requests of a load. */
const REQUESTS = 10_000
/** Number of creates in one measurement, few enough for the smallest set to stay small. */
const CREATES = 500
/** A write before every ten reads empties the response cache, which would serve the small sets only. */
const READS_PER_WRITE = 10

/** A server whose first workspace has some products. */
interface Stage {
  readonly what: string
  readonly simulator: Simulator
  /** Number of products in its first workspace, and in all. */
  readonly own: number
  readonly all: number
}

export async function growth(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  const smallest = await productStage(FEWEST)
  const larger = await Promise.all(
    [settings.records, ...(settings.million ? [MILLION] : [])].map((count) => productStage(count)),
  )
  const crowded: Stage[] = []
  for (const count of MANY_WORKSPACES) crowded.push(await workspaceStage(count))
  const stages = [smallest, ...larger, ...crowded]

  const client = new Client()
  for (const stage of stages) await prepare(client, stage)
  const rows: Row[] = []
  for (const [what, measure] of calls(settings, client)) {
    const sides = Object.fromEntries(stages.map((stage) => [stage.what, () => measure(stage)]))
    await alternate(sides, 1)
    const figures = await alternate(sides, settings.rounds)
    for (const stage of stages.slice(1)) {
      rows.push({
        what: `${what}, ${stage.what}`,
        unit: 'ms',
        ours: figures[stage.what] ?? [],
        beside: smallest.what,
        theirs: figures[smallest.what] ?? [],
        target: atMostLogarithmic(smallest.all, stage.all),
      })
    }
  }
  await Promise.all([client, ...stages.map(({ simulator }) => simulator)].map((one) => one.stop()))

  const named = rows.filter((row) => median(ratiosOf(row)) > (row.target?.value ?? Infinity))
  const names = named.map((row) => `${row.what} (${median(ratiosOf(row)).toFixed(1)} times)`)
  note(`growth: ${names.join('; ') || 'nothing'} grows faster than logarithmically.`)
  return rows
}

async function productStage(count: number): Promise<Stage> {
  const database = copyOf(await databaseOf(count), `growth-${String(count)}.sqlite`)
  const simulator = await Simulator.start(database)
  return { what: `among ${count.toLocaleString('en')} products`, simulator, own: count, all: count }
}

/** Starts a server with the fewest products in the first workspace, and some in each of many others. */
async function workspaceStage(count: number): Promise<Stage> {
  const database = copyOf(await databaseOf(FEWEST), `growth-workspaces-${String(count)}.sqlite`)
  const simulator = await Simulator.start(database)
  let left = count - 1
  const fill = async (): Promise<void> => {
    while (left-- > 0) {
      const { key } = await makeWorkspace(simulator)
      for (let index = 0; index < EACH; index++) {
        await call(simulator.url, 'POST', PRODUCTS, newProduct(index), key)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fill))
  const what = `among ${count.toLocaleString('en')} workspaces`
  return { what, simulator, own: FEWEST, all: FEWEST + EACH * (count - 1) }
}

interface Made {
  readonly workspace: { readonly id: string }
  readonly key: string
}

const makeWorkspace = (simulator: Simulator): Promise<Made> => simulator.call('POST', '/_sim/workspaces', {})

/** Prepares the loads of a server; their names end with its own. */
async function prepare(client: Client, { what, simulator, own }: Stage): Promise<void> {
  const step = Math.max(1, Math.floor(own / REQUESTS))
  const ids = Array.from({ length: Math.min(own, REQUESTS) }, (_, index) => productId(index * step))
  const filtered = ids.map((_, index) => `?limit=10&category=${encodeURIComponent(categoryOf(index))}`)
  const loads: Readonly<Record<string, readonly string[]>> = {
    one: ids.map((id) => request('GET', `${PRODUCTS}/${id}`)),
    first: ids.map(() => request('GET', PRODUCTS)),
    pages: await pagesAnywhere(simulator.url),
    filtered: filtered.map((query) => request('GET', PRODUCTS + query)),
  }
  for (const [name, reads] of Object.entries(loads))
    await client.prepare(`${name} ${what}`, withWrites(reads))
  await client.prepare(
    `create ${what}`,
    Array.from({ length: CREATES }, (_, index) => request('POST', PRODUCTS, newProduct(index))),
  )
}

const withWrites = (reads: readonly string[]): string[] =>
  reads.flatMap((read, index) => (index % READS_PER_WRITE === 0 ? [renaming(index), read] : [read]))

const renaming = (index: number): string =>
  request('PUT', `${PRODUCTS}/${productId(index % FEWEST)}`, { name: `Renamed ${String(index)}` })

/** Returns the calls, each with the function that measures its ms on a server. */
const calls = (
  { seconds, workspaces }: Settings,
  client: Client,
): [what: string, measure: (stage: Stage) => Promise<number>][] => {
  const msOf =
    (load: string) =>
    async ({ what, simulator }: Stage): Promise<number> =>
      1000 / (await client.perSecond(simulator.url, `${load} ${what}`, seconds))
  const msOfCreate = async ({ what, simulator }: Stage): Promise<number> =>
    (1000 * (await client.secondsFor(simulator.url, `create ${what}`, CREATES, CONNECTIONS))) / CREATES
  return [
    ['get one', msOf('one')],
    ['list 25, first page', msOf('first')],
    ['list 25, pages anywhere', msOf('pages')],
    ['list 10 of a category', msOf('filtered')],
    ['create', msOfCreate],
    ['workspace create and delete', ({ simulator }) => msOfWorkspace(simulator, workspaces)],
  ]
}

async function msOfWorkspace(simulator: Simulator, count: number): Promise<number> {
  const began = performance.now()
  for (let done = 0; done < count; done++) {
    const { workspace } = await makeWorkspace(simulator)
    await simulator.call('DELETE', `/_sim/workspaces/${workspace.id}`)
  }
  return (performance.now() - began) / count
}
