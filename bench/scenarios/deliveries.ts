/**
 * Deliveries per second, 50 in flight to one receiver, until each is stored as delivered, compared with bare
 * undici. The first ones warm up the process and have their own row. For many pending deliveries, all first
 * attempts fail while the clock is frozen and the receiver is down; then the clock moves forward.
 */
import type { Sending } from '../companions/bare-undici.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { Client, request } from '../load.ts'
import { Companion, scratch } from '../processes.ts'
import { newProduct, WORKSPACE } from '../records.ts'
import type { Row } from '../report.ts'
import { alternate, pause } from '../rounds.ts'
import { CONNECTIONS, type Settings } from '../settings.ts'
import { copyOf, fixtureFile, PRODUCTS, Simulator } from '../simulator.ts'

/** The simulator's limit of attempts in flight to one origin. */
const IN_FLIGHT = 50

/** The frozen time, and a time when all retries are due. */
const STANDSTILL = '2026-06-01T12:00:00.000Z'
export const LATER = '2026-06-01T12:01:00.000Z'

export const CLOCK = `/_sim/workspaces/${WORKSPACE}/clock`
const DELIVERIES = `/_sim/workspaces/${WORKSPACE}/deliveries`

interface Delivery {
  readonly attempts: readonly unknown[]
  readonly payload: object
}

export async function deliveries(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  const { deliveries: count, deliveriesBefore: before } = settings
  const receiver = new Companion<ReceiverQuestion, ReceiverAnswer>('receiver')
  const port = await receiver.ask({ listen: 0 })
  await receiver.ask({ close: true })
  const url = `http://127.0.0.1:${String(port)}/hooks`
  const { database, payload } = await owingDatabase(before + count, url)

  /** The figures of the first deliveries in each round. */
  const first: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
  const theirs = async (): Promise<number> => {
    const undici = new Companion<Sending, number[]>('bare-undici')
    await receiver.ask({ listen: port })
    const body = JSON.stringify(payload)
    const counts = [before, count]
    const [cold = NaN, warm = NaN] = await undici.ask({
      url,
      headers: HEADERS,
      body,
      counts,
      inFlight: IN_FLIGHT,
    })
    await undici.stop()
    await receiver.ask({ close: true })
    first.theirs.push(before / cold)
    return count / warm
  }
  const ours = async (): Promise<number> => {
    const simulator = await Simulator.start(copyOf(database, 'deliveries.sqlite'))
    await receiver.ask({ listen: port })
    const began = performance.now()
    await simulator.call('PUT', CLOCK, { now: LATER, frozen: true })
    await receiver.ask({ received: before })
    const warm = performance.now()
    await receiver.ask({ received: before + count })
    await until(async () => (await newest(simulator, 'pending')) === undefined)
    const ended = performance.now()
    await simulator.stop()
    await receiver.ask({ close: true })
    first.ours.push((1000 * before) / (warm - began))
    return (1000 * count) / (ended - warm)
  }
  const figures = await alternate({ ours, theirs }, settings.rounds)
  await receiver.stop()
  note(
    `deliveries: ${count.toLocaleString('en')} a round, after ${before.toLocaleString('en')} that warm up the process, like undici's; the receiver runs on a third core if the machine has one.`,
  )
  return [
    {
      what: `deliveries at ${String(IN_FLIGHT)} in flight`,
      unit: '/s',
      ...figures,
      beside: 'bare undici Pool.request',
      target: { of: 'figure', limit: 'at least', value: 20_000 },
    },
    {
      what: `the first ${before.toLocaleString('en')} of a process just started`,
      unit: '/s',
      ...first,
      beside: 'bare undici Pool.request',
    },
  ]
}

/** The headers of a delivery. */
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'suite-simulator/0.0.0',
  'x-service-signature': `sha256=${'0'.repeat(64)}`,
  'x-service-delivery': 'a'.repeat(24),
  'x-service-attempt': '2',
  'x-service-event': 'product.created',
}

/** Returns a database with `count` pending deliveries, each attempted once, and the payload of one. */
export async function owingDatabase(
  count: number,
  url: string,
): Promise<{ database: string; payload: object }> {
  const database = scratch('owing.sqlite')
  const simulator = await Simulator.start(database, fixtureFile(0))
  await simulator.call('PUT', CLOCK, { now: STANDSTILL, frozen: true })
  await simulator.subscribe(url)
  const client = new Client()
  await client.prepare('create', [request('POST', PRODUCTS, newProduct(0))])
  await client.secondsFor(simulator.url, 'create', count, CONNECTIONS)
  await client.stop()
  // First attempts run in the order of the events.
  await until(async () => (await newest(simulator, 'pending'))?.attempts.length === 1)
  const payload = (await newest(simulator, 'pending'))?.payload ?? {}
  await simulator.stop()
  return { database, payload }
}

async function newest(simulator: Simulator, status: string): Promise<Delivery | undefined> {
  const path = `${DELIVERIES}?status=${status}&limit=1`
  const { data } = await simulator.call<{ data: Delivery[] }>('GET', path)
  return data[0]
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(5)
}
