/**
 * Creates products in a file, with event and delivery, compared with bare Fastify's POST and bare
 * better-sqlite3's insert.
 */
import { bareFastify } from '../bare.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import type { SqliteQuestion } from '../companions/bare-sqlite.ts'
import { Client, rate, request } from '../load.ts'
import { Companion, scratch } from '../processes.ts'
import { newProduct } from '../records.ts'
import type { Row } from '../report.ts'
import { alternate, median } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { copyOf, fixtureFile, PRODUCTS, Simulator } from '../simulator.ts'

const PRODUCTS_AT_START = 100

export async function create(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  const database = await startingDatabase()
  const [delivering, silenced, alone] = await Promise.all(
    ['delivering', 'silenced', 'alone'].map((name) =>
      Simulator.start(copyOf(database, `create-${name}.sqlite`)),
    ),
  )
  if (!delivering || !silenced || !alone) throw new Error('not every simulator was started')
  const accepting = new Companion<ReceiverQuestion, ReceiverAnswer>('receiver')
  const silent = new Companion<ReceiverQuestion, ReceiverAnswer>('receiver')
  await delivering.subscribe(`http://127.0.0.1:${String(await accepting.ask({ listen: 0 }))}/`)
  await silenced.subscribe(`http://127.0.0.1:${String(await silent.ask({ listen: 0, silent: true }))}/`)
  const bare = await bareFastify(alone)
  const sqlite = new Companion<SqliteQuestion, number>('bare-sqlite')
  await sqlite.ask({ open: copyOf(database, 'create-bare.sqlite') })
  const client = new Client()
  await client.prepare(
    'create',
    Array.from({ length: 1000 }, (_, index) => request('POST', PRODUCTS, newProduct(index))),
  )

  let expectedCount = 0
  const inTime: number[] = []
  const post = (url: string, seconds = settings.seconds): Promise<number> =>
    client.perSecond(url, 'create', seconds)
  const postAndDeliver = async (seconds = settings.seconds): Promise<number> => {
    const loaded = await client.forSeconds(delivering.url, 'create', seconds)
    const receivedCount = await accepting.ask({ received: 0 })
    // Requests in flight at the end of the load are created, but not counted.
    inTime.push(Math.min(1, (receivedCount - expectedCount) / loaded.requests))
    expectedCount += loaded.requests
    await accepting.ask({ received: expectedCount })
    return rate(loaded)
  }
  await postAndDeliver(settings.warmUp)
  for (const { url } of [silenced, alone, bare]) await post(url, settings.warmUp)
  const figures = await alternate(
    {
      delivering: () => postAndDeliver(),
      silenced: () => post(silenced.url),
      alone: () => post(alone.url),
      fastify: () => post(bare.url),
      sqlite: () => sqlite.ask({ insertFor: settings.seconds }),
    },
    settings.rounds,
  )
  await Promise.all(
    [delivering, silenced, alone, bare, sqlite, accepting, silent, client].map((one) => one.stop()),
  )

  note(
    `create: ${String(Math.round(100 * median(inTime.slice(1))))} % of the deliveries arrived while the load was still running; the next side's turn began when all had.`,
  )
  const target = { of: 'ratio', limit: 'at least', value: 0.2 } as const
  const besideFastify = {
    unit: '/s',
    beside: "bare Fastify's POST",
    theirs: figures.fastify,
    target,
  } as const
  return [
    { what: 'create, event and delivery, sent concurrently', ours: figures.delivering, ...besideFastify },
    {
      what: 'create, event and delivery to a receiver that never answers',
      ours: figures.silenced,
      ...besideFastify,
    },
    { what: 'create and event, no subscription', ours: figures.alone, ...besideFastify },
    {
      what: 'create, event and delivery, sent concurrently',
      unit: '/s',
      ours: figures.delivering,
      beside: "bare better-sqlite3's insert",
      theirs: figures.sqlite,
    },
  ]
}

/** Creates a database with some products, which gives a row to copy and a page to return. */
async function startingDatabase(): Promise<string> {
  const file = scratch('create.sqlite')
  const simulator = await Simulator.start(file, fixtureFile(PRODUCTS_AT_START))
  await simulator.stop()
  return file
}
