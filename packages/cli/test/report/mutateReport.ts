/** A report of mutate, made as the command makes it. */
import type { Mutation } from '@suite-sim/mutate/mutation'
import { writeReport } from '@suite-sim/mutate/report/formats'
import { reportOf, type Report } from '@suite-sim/mutate/report/report'
import type { Outcome, Verdict } from '@suite-sim/mutate/run/outcome'

const json = (amount: number): object => ({ status: 200, json: { data: { amount } } })

export const outcome = (verdict: Verdict, kind: string, subject: string): Outcome => ({
  mutation: {
    id: `${kind} payments ${subject}`,
    kind,
    half: kind === 'field-more' || kind === 'header-more' ? 'harmless' : 'harmful',
    interface: 'payments',
    subject,
    operations: ['getLink'],
    places: [{ operation: 'getLink', at: '/data/amount' }],
  } satisfies Mutation,
  verdict,
  example: verdict === 'not run' ? null : { where: 'getLink', before: json(44900), after: json(44901) },
  failed: verdict === 'refused' ? ['strict'] : [],
  failedByChance: null,
  durationMs: 10,
})

export const mutateReport = (outcomes: readonly Outcome[]): Report =>
  reportOf(
    { met: [], outcomes, failedAtLast: null, undisturbedMs: 1000, isInterrupted: false },
    { command: ['npm', 'test'], seed: '1', minScore: null },
  )

/** Three of four harmful changes are noticed, and one of two harmless ones fails a test. */
export const REPORT: Report = mutateReport([
  outcome('noticed', 'field-gone', 'Link.amount'),
  outcome('noticed', 'field-gone', 'Link.status'),
  outcome('noticed', 'amount-times-100', 'Link.amount'),
  outcome('survived', 'amount-cent', 'Link.amount'),
  outcome('refused', 'field-more', 'payments'),
  outcome('tolerated', 'header-more', 'payments'),
  outcome('not run', 'page-ends', 'listLinks'),
])

/** What `suite-sim mutate --report json` prints. */
export const REPORT_TEXT: string = writeReport('json', REPORT)
