/**
 * A file with 100,000 transactions: payments through the form of a link's page, filtered lists, and the
 * revenue report, compared with bare Fastify and bare better-sqlite3.
 */
import type { PaymentsQuestion } from '../companions/bare-payments.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { Client, form, rate, request, type Beside } from '../load.ts'
import { Companion, scratch } from '../processes.ts'
import { WORKSPACE } from '../records.ts'
import type { Row } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { copyOf, Simulator } from '../simulator.ts'
import {
  LINKS,
  OPEN_LINKS,
  payPage,
  REVENUE,
  spanOf,
  TRANSACTIONS,
  transactionsFixture,
} from '../transactions.ts'

const WRITES: Beside = { load: 'link-writes', perSecond: 50 }

/** Number of reports in one measurement, each with another time span, so that none is cached. */
const REPORTS = 10

type Bare = Companion<PaymentsQuestion, string | number>

export async function payments(settings: Settings): Promise<Row[]> {
  const database = scratch('payments.sqlite')
  await (await Simulator.start(database, transactionsFixture(settings.records))).stop()
  const simulator = await Simulator.start(copyOf(database, 'payments-ours.sqlite'))
  const bare: Bare = new Companion('bare-payments')
  const bareUrl = String(await bare.ask({ page: await simulator.call('GET', TRANSACTIONS) }))
  await bare.ask({ open: copyOf(database, 'payments-bare.sqlite') })
  const client = new Client()
  await client.prepare('transactions', FILTERS.flatMap(pagesOf))
  await client.prepare(WRITES.load, newLinks)
  await client.prepare('pay', paymentForms)

  const rows = await listRows(settings, client, simulator.url, bareUrl)
  rows.push(await reportRow(settings, simulator, bare))
  rows.push(...(await payRows(settings, client, simulator, bare, bareUrl)))
  await Promise.all([simulator.stop(), bare.stop(), client.stop()])
  return rows
}

async function listRows(settings: Settings, client: Client, ours: string, theirs: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, beside] of [
    ['list 25 transactions, filtered', undefined],
    ['list 25 transactions, filtered, at 50 writes/s', WRITES],
  ] as const) {
    for (const url of [ours, theirs]) await client.perSecond(url, 'transactions', settings.warmUp)
    const figures = await alternate(
      {
        ours: () => client.perSecond(ours, 'transactions', settings.seconds, beside),
        // The baseline has no writes: this is its best case.
        theirs: () => client.perSecond(theirs, 'transactions', settings.seconds),
      },
      settings.rounds,
    )
    rows.push({ what, unit: '/s', ...figures, beside: 'bare Fastify' })
  }
  return rows
}

async function reportRow(settings: Settings, simulator: Simulator, bare: Bare): Promise<Row> {
  const { from, to } = spanOf(settings.records)
  let reports = 0
  const figures = await alternate(
    {
      ours: async () => {
        const began = performance.now()
        for (let done = 0; done < REPORTS; done++) {
          const until = new Date(Date.parse(to) + ++reports).toISOString()
          await simulator.call('GET', `${REVENUE}?from=${from}&to=${until}`)
        }
        return (performance.now() - began) / REPORTS
      },
      theirs: async () => Number(await bare.ask({ reports: REPORTS })),
    },
    settings.rounds,
  )
  return {
    what: `revenue report over ${settings.records.toLocaleString('en')} transactions, by day`,
    unit: 'ms',
    ...figures,
    beside: 'bare better-sqlite3, the plain sums',
  }
}

async function payRows(
  settings: Settings,
  client: Client,
  simulator: Simulator,
  bare: Bare,
  bareUrl: string,
): Promise<Row[]> {
  const receiver = new Companion<ReceiverQuestion, ReceiverAnswer>('receiver')
  const url = `http://127.0.0.1:${String(await receiver.ask({ listen: 0 }))}/`
  await simulator.call('POST', `/_sim/workspaces/${WORKSPACE}/subscriptions`, { interface: 'payments', url })
  let expectedCount = 0
  const pay = async (seconds = settings.seconds): Promise<number> => {
    const loaded = await client.forSeconds(simulator.url, 'pay', seconds)
    expectedCount += loaded.requests
    await receiver.ask({ received: expectedCount })
    return rate(loaded)
  }
  await pay(settings.warmUp)
  await client.perSecond(bareUrl, 'pay', settings.warmUp)
  const { ours, fastify, sqlite } = await alternate(
    {
      ours: () => pay(),
      fastify: () => client.perSecond(bareUrl, 'pay', settings.seconds),
      sqlite: async () => Number(await bare.ask({ insertFor: settings.seconds })),
    },
    settings.rounds,
  )
  await receiver.stop()
  const what = 'pay through the form of the page, event and delivery'
  return [
    { what, unit: '/s', ours, beside: "bare Fastify's form", theirs: fastify },
    { what, unit: '/s', ours, beside: "bare better-sqlite3's insert", theirs: sqlite },
  ]
}

const FILTERS = [
  'status=completed',
  'status=refunded&min_amount=50000',
  'payment_method=ach',
  'payment_method=network_1&status=completed',
  'status=failed&from=2025-12-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  'min_amount=99000',
]

const pagesOf = (filter: string): string[] =>
  [1, 2, 3, 20].map((page) => request('GET', `${TRANSACTIONS}?${filter}&per_page=25&page=${String(page)}`))

const newLinks: readonly string[] = Array.from({ length: 1000 }, (_, index) =>
  request('POST', LINKS, { amount: 100 + index, currency: 'USD', description: `Link ${String(index)}` }),
)

/** One per link, because a link counts all its payments. */
const paymentForms: readonly string[] = OPEN_LINKS.map((link, index) =>
  form(payPage(link), {
    method: 'card',
    amount: `${String(1 + index)}.50`,
    card_number: '4242 4242 4242 4242',
    card_expiry: '12/34',
    card_cvc: '123',
    name: `Payer ${String(index)}`,
    email: `payer.${String(index)}@example.com`,
  }),
)
