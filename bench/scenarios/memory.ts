/**
 * The resident memory of the server's process, idle after its start and after load, compared with bare
 * Fastify's.
 */
import type { ChildProcess } from 'node:child_process'
import { bareFastify } from '../bare.ts'
import { Client, request } from '../load.ts'
import { residentMemory } from '../processes.ts'
import { newProduct, productId } from '../records.ts'
import type { Row } from '../report.ts'
import { pause } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { copyOf, databaseOf, PRODUCTS, Simulator } from '../simulator.ts'

/** By then V8 has freed the memory of a start or a load, which takes about 8 s. */
const REST_MS = 12_000

export async function memory(settings: Settings): Promise<Row[]> {
  const simulator = await Simulator.start(copyOf(await databaseOf(settings.records), 'memory.sqlite'))
  const bare = await bareFastify(simulator)
  const idle = { demo: await restingWithDemo(), bare: await afterRest(bare.child) }

  const client = new Client()
  await client.prepare('get', eachProduct(settings))
  await client.prepare('list', [request('GET', PRODUCTS)])
  await client.prepare('create', [request('POST', PRODUCTS, newProduct(0))])
  const loads = ['get', 'list', 'create']
  for (const { url } of [simulator, bare]) {
    for (const load of loads) await client.perSecond(url, load, settings.seconds * 3)
  }
  const loaded = { simulator: await afterRest(simulator.child), bare: await afterRest(bare.child) }
  await Promise.all([simulator, bare, client].map((one) => one.stop()))

  const beside = 'bare Fastify'
  return [
    {
      what: 'resident memory idle, demo data',
      unit: 'MB',
      ours: [idle.demo],
      beside,
      theirs: [idle.bare],
      target: { of: 'figure', limit: 'at most', value: 90 },
    },
    {
      what: 'resident memory after get, list and create',
      unit: 'MB',
      ours: [loaded.simulator],
      beside,
      theirs: [loaded.bare],
    },
  ]
}

async function restingWithDemo(): Promise<number> {
  const simulator = await Simulator.start(':memory:', 'demo')
  const figure = await afterRest(simulator.child)
  await simulator.stop()
  return figure
}

async function afterRest(child: ChildProcess): Promise<number> {
  await pause(REST_MS)
  return residentMemory(child)
}

const eachProduct = ({ records }: Settings): string[] =>
  Array.from({ length: records }, (_, index) => request('GET', `${PRODUCTS}/${productId(index)}`))
