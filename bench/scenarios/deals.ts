/**
 * A file with 100,000 deals: filtered lists, compared with bare Fastify, and a pipeline's report, compared
 * with bare better-sqlite3.
 */
import type { DealsQuestion } from '../companions/bare-deals.ts'
import { DEALS, dealId, dealsFixture, OWNERS, PIPELINES, REPORT, stageId } from '../deals.ts'
import { Client, request, type Beside } from '../load.ts'
import { Companion, scratch } from '../processes.ts'
import type { Row } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { copyOf, Simulator } from '../simulator.ts'

const WRITES: Beside = { load: 'deal-writes', perSecond: 50 }
const OTHER_WRITES: Beside = { load: 'other-writes', perSecond: 50 }

/** Number of reports in one measurement. */
const REPORTS = 10

export async function deals(settings: Settings): Promise<Row[]> {
  const database = scratch('deals.sqlite')
  await (await Simulator.start(database, dealsFixture(settings.records))).stop()
  const simulator = await Simulator.start(copyOf(database, 'deals-read.sqlite'))
  const bare = new Companion<DealsQuestion, string | number>('bare-deals')
  const bareUrl = String(await bare.ask({ page: await simulator.call('GET', DEALS) }))
  await bare.ask({ open: copyOf(database, 'deals-bare.sqlite') })
  const client = new Client()
  await client.prepare('deals', FILTERS.flatMap(pagesOf))
  await client.prepare(WRITES.load, revaluations(settings))
  await client.prepare(OTHER_WRITES.load, await renamingsElsewhere(simulator))

  const rows: Row[] = []
  for (const [what, beside] of [
    ['list 25 deals, filtered', undefined],
    ['list 25 deals, filtered, at 50 writes/s', WRITES],
    ['list 25 deals, filtered, at 50 writes/s in another workspace', OTHER_WRITES],
  ] as const) {
    for (const url of [simulator.url, bareUrl]) await client.perSecond(url, 'deals', settings.warmUp)
    const figures = await alternate(
      {
        ours: () => client.perSecond(simulator.url, 'deals', settings.seconds, beside),
        theirs: () =>
          // The baseline has no writes: this is its best case.
          client.perSecond(bareUrl, 'deals', settings.seconds),
      },
      settings.rounds,
    )
    rows.push({ what, unit: '/s', ...figures, beside: 'bare Fastify' })
  }
  rows.push(await reportRow(settings, simulator, bare))
  await Promise.all([simulator.stop(), bare.stop(), client.stop()])
  return rows
}

async function reportRow(
  settings: Settings,
  simulator: Simulator,
  bare: Companion<DealsQuestion, string | number>,
): Promise<Row> {
  const pipeline = PIPELINES[0] ?? ''
  const figures = await alternate(
    {
      ours: async () => {
        const began = performance.now()
        for (let done = 0; done < REPORTS; done++) {
          await simulator.call('GET', `${REPORT}?pipeline_id=${pipeline}`)
        }
        return (performance.now() - began) / REPORTS
      },
      theirs: async () => Number(await bare.ask({ reports: REPORTS, pipeline })),
    },
    settings.rounds,
  )
  return {
    what: `report on a pipeline with ${(settings.records / PIPELINES.length).toLocaleString('en')} deals`,
    unit: 'ms',
    ...figures,
    beside: 'bare better-sqlite3, the plain sums',
  }
}

const FILTERS = [
  'status=open',
  'status=won&min_value=5000',
  ...PIPELINES.map((id) => `pipeline_id=${id}`),
  `pipeline_id=${PIPELINES[0] ?? ''}&status=open&min_value=1000&max_value=20000`,
  ...PIPELINES.map((id) => `stage_id=${stageId(id, 2)}`),
  ...OWNERS.map((id) => `owner_id=${id}&status=open`),
  'vertical=education',
  'vertical=services&status=lost',
]

const pagesOf = (filter: string): string[] =>
  [1, 2, 3, 20].map((page) => request('GET', `${DEALS}?${filter}&page=${String(page)}`))

/** Returns changes of deals all over the table. */
const revaluations = ({ records }: Settings): string[] =>
  Array.from({ length: 1000 }, (_, index) =>
    request('PATCH', `${DEALS}/${dealId((index * 7919) % records)}`, { value: index }),
  )

/** Returns changes of a contact in another workspace; deals contain names of contacts. */
async function renamingsElsewhere(simulator: Simulator): Promise<string[]> {
  const { key } = await simulator.call<{ key: string }>('POST', '/_sim/workspaces', {})
  const authorization = `Bearer ${key}`
  const answer = await fetch(`${simulator.url}/crm/v1/contacts`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ana' }),
  })
  const { id } = (await answer.json()) as { readonly id: string }
  return Array.from({ length: 1000 }, (_, index) =>
    request(
      'PATCH',
      `/crm/v1/contacts/${id}`,
      { name: `Name ${String(index)}` },
      `authorization: ${authorization}`,
    ),
  )
}
