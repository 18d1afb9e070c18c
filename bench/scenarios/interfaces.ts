/** The newer interfaces: single reads and pages of 100,000 records, and a create with its delivery. */
import type { BareAnswer, BareQuestion, FixedAnswer } from '../companions/bare-answers.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { Client, rate, request } from '../load.ts'
import { Companion, scratch } from '../processes.ts'
import { atLeast, type Row, type Target } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { Simulator } from '../simulator.ts'
import { answerOf, grownFixture, SUBJECTS, type Asked, type Subject } from '../subjects.ts'

/** More records than the response cache holds. */
const READ = 20_000
const PAGE = 25

export async function interfaces(settings: Settings): Promise<Row[]> {
  const rows: Row[] = []
  for (const subject of SUBJECTS) rows.push(...(await measure(settings, subject)))
  return rows
}

async function measure(settings: Settings, subject: Subject): Promise<Row[]> {
  const { reads, creates, header, name } = subject
  const file = scratch(`${subject.interface}.sqlite`)
  const simulator = await Simulator.start(file, grownFixture(subject.grown, settings.records))
  const receiver = new Companion<ReceiverQuestion, ReceiverAnswer>('receiver')
  const url = `http://127.0.0.1:${String(await receiver.ask({ listen: 0 }))}/`
  const bare = new Companion<BareQuestion, BareAnswer>('bare-answers')
  const bareUrl = await bare.ask({ answers: await answersOf(simulator, subject) })
  const client = new Client()
  const rows: Row[] = []

  const read = async (what: string, paths: string[], target: Target): Promise<void> => {
    await client.prepare(
      what,
      paths.map((path) => request('GET', path, undefined, header)),
    )
    for (const each of [simulator.url, bareUrl]) await client.perSecond(each, what, settings.warmUp)
    const figures = await alternate(
      {
        ours: () => client.perSecond(simulator.url, what, settings.seconds),
        theirs: () => client.perSecond(bareUrl, what, settings.seconds),
      },
      settings.rounds,
    )
    rows.push({ what: `${name}: ${what}`, unit: '/s', ...figures, beside: 'bare Fastify', target })
  }
  if (reads) {
    const all = settings.records.toLocaleString('en')
    const scattered = Array.from({ length: READ }, (_, index) => (index * 7919) % settings.records)
    await read(`one of ${all} ${reads.what}`, scattered.map(reads.one), atLeast(0.4))
    await read(`list ${reads.what}, first page`, [reads.page(1)], atLeast(0.33))
    const pages = Math.floor(settings.records / PAGE)
    const anywhere = Array.from({ length: pages }, (_, index) => reads.page(1 + ((index * 1237) % pages)))
    await read(`list ${reads.what}, pages anywhere`, anywhere, atLeast(0.25))
  }
  if (creates) {
    await simulator.call('POST', '/_sim/workspaces/demo/subscriptions', { interface: subject.interface, url })
    await client.prepare(
      'create',
      Array.from({ length: READ }, (_, index) => request('POST', creates.path, creates.body(index), header)),
    )
    let expectedCount = 0
    const create = async (): Promise<number> => {
      const loaded = await client.forSeconds(simulator.url, 'create', settings.seconds)
      expectedCount += loaded.requests
      await receiver.ask({ received: expectedCount })
      return rate(loaded)
    }
    await create()
    await client.perSecond(bareUrl, 'create', settings.warmUp)
    const figures = await alternate(
      { ours: create, theirs: () => client.perSecond(bareUrl, 'create', settings.seconds) },
      settings.rounds,
    )
    rows.push({
      what: `${name}: create a ${creates.what}, event and delivery`,
      unit: '/s',
      ...figures,
      beside: "bare Fastify's POST",
      target: atLeast(0.16),
    })
  }
  await Promise.all([simulator.stop(), bare.stop(), client.stop(), receiver.stop()])
  return rows
}

/** Returns the simulator's own responses, so that both sides send the same bytes. */
async function answersOf(simulator: Simulator, { reads, creates, header }: Subject): Promise<FixedAnswer[]> {
  const calls: Asked[] = []
  if (reads) {
    calls.push(
      { method: 'GET', path: reads.one(0), route: reads.one(0).replace(/[^/]+$/, ':id') },
      { method: 'GET', path: reads.page(1), route: reads.page(1).replace(/\?.*/, '') },
    )
  }
  if (creates) {
    calls.push({ method: 'POST', path: creates.path, route: creates.path, body: creates.body(0) })
  }
  return Promise.all(calls.map((each) => answerOf(simulator, header, each)))
}
