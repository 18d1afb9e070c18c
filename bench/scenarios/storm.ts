/**
 * The 99th percentile of reads while 10,000 due deliveries are sent, compared with the same reads just
 * before.
 */
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { Client, request } from '../load.ts'
import { Companion } from '../processes.ts'
import type { Row } from '../report.ts'
import type { Settings } from '../settings.ts'
import { copyOf, PRODUCTS, Simulator } from '../simulator.ts'
import { CLOCK, LATER, owingDatabase } from './deliveries.ts'

const READS = 'storm-reads'

export async function storm({ rounds, storm: count, seconds }: Settings): Promise<Row[]> {
  const receiver = new Companion<ReceiverQuestion, ReceiverAnswer>('receiver')
  const port = await receiver.ask({ listen: 0 })
  await receiver.ask({ close: true })
  const { database } = await owingDatabase(count, `http://127.0.0.1:${String(port)}/hooks`)
  const client = new Client()
  await client.prepare(READS, [request('GET', PRODUCTS)])
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const simulator = await Simulator.start(copyOf(database, 'storm.sqlite'))
    const slowest = (): Promise<number> => client.slowestOfHundred(simulator.url, READS, seconds)
    await slowest()
    theirs.push(await slowest())
    await receiver.ask({ listen: port })
    const sent = receiver.ask({ received: count })
    await simulator.call('PUT', CLOCK, { now: LATER, frozen: true })
    ours.push(await slowest())
    await sent
    await simulator.stop()
    await receiver.ask({ close: true })
  }
  await Promise.all([client.stop(), receiver.stop()])
  return [
    {
      what: `reads while ${count.toLocaleString('en')} deliveries are sent, p99`,
      unit: 'ms',
      ours,
      beside: 'the same reads before',
      theirs,
      target: { of: 'ratio', limit: 'at most', value: 2 },
    },
  ]
}
