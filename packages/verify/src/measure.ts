/** Reads a service, or takes what was captured of it, and compares it with the simulator. */
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { randomToken } from '@suite-sim/kit/random'
import { VERSION } from '@suite-sim/kit/version'
import { ServiceClient, baseOf } from './exchanges/serviceClient.ts'
import { readCapture } from './exchanges/capture.ts'
import { compareInterface, type InterfaceComparison } from './compareInterface.ts'
import { DEFAULT_BUDGET, DEFAULT_RATE, type VerifyHooks, type VerifyOptions } from './options.ts'
import { ALL_INTERFACES, type PublishedInterface } from './reference.ts'
import { BUDGET_SPENT, REPORT_FORMAT, type Report } from './report/report.ts'
import { notCheckedIn, summaryOf } from './reporting.ts'
import { sideEffectsOf } from './crawl/sideEffects.ts'
import { crawl, type Crawl } from './crawl/crawl.ts'
import { write } from './write/write.ts'
import type { Baseline } from './baseline.ts'

/** A run that has ended. */
export interface Measurement {
  readonly interfaces: readonly InterfaceComparison[]
  readonly report: Report
}

export async function measure(
  options: VerifyOptions,
  baseline: Baseline,
  { signal, onProgress = () => undefined, confirm }: VerifyHooks = {},
): Promise<Measurement> {
  const { baseUrl, key, at, budget = DEFAULT_BUDGET, rate = DEFAULT_RATE, timezone } = options
  const { interfaces = ALL_INTERFACES, account, values, probeAuth = false, replay } = options
  const { reference } = baseline
  const startedAt = new Date(systemNow()).toISOString()
  const id = runId(startedAt)
  const intervalMs = rate ? (rate.seconds * 1000) / rate.calls : 0
  let stage = ''
  let differences = 0
  let written = 0
  const published = await Promise.all(interfaces.map((name) => reference.published(name)))
  // Scenarios come first, because they need fewer calls. They leave at least half of them to the reads.
  const writing =
    options.write === undefined
      ? null
      : await write({
          run: id,
          options,
          published,
          reference,
          budget: Math.ceil(budget / 2),
          intervalMs,
          hooks: { ...(signal && { signal }), ...(confirm && { confirm }) },
          onStage: (name) => {
            stage = name
          },
          onSent: (sent) => {
            written = sent
            onProgress({ stage, requests: written, budget, differences })
          },
        })
  const client: ServiceClient = new ServiceClient({
    service: { baseUrl, key, ...(at && { at }) },
    budget: budget - written,
    intervalMs,
    mayWrite: false,
    before: written,
    ...(signal && { signal }),
    onExchange: () => {
      reportProgress()
    },
  })
  const reportProgress = (): void => {
    onProgress({ stage, requests: written + client.sent, budget, differences })
  }
  const choices = await reference.readings()
  const isCaptured = replay !== undefined
  const crawled = isCaptured
    ? captured(replay, published, client)
    : await crawl({
        client,
        operations: published.flatMap(({ operations }) => operations),
        known: { ...(account !== undefined && { account_id: String(account) }), ...values },
        probesAuth: probeAuth,
        onStage: (name) => {
          stage = `reads ${name}`
        },
      })

  const compared: InterfaceComparison[] = []
  for (const each of published) {
    stage = `compares ${each.name}`
    reportProgress()
    const one = await compareInterface({
      published: each,
      crawled,
      client,
      baseline,
      choices,
      timezone,
      isCaptured,
      written: writing,
    })
    differences += one.differences.length
    compared.push(one)
  }
  // A capture sent no calls.
  const notes = isCaptured ? [] : [...(writing?.sideEffects ?? []), ...sideEffectsOf(crawled.answers)]
  const verdicts = compared.flatMap((each) => each.verdicts)
  const found = compared.flatMap((each) => each.differences)
  const report: Report = {
    format: REPORT_FORMAT,
    version: VERSION,
    run: {
      id,
      mode: writing ? 'write' : 'read',
      startedAt,
      endedAt: new Date(systemNow()).toISOString(),
      baseUrl,
      at: at ?? {},
      interfaces,
      requests: written + client.sent,
      budget,
      endedEarly: endOf([writing?.endedEarly, crawled.endedEarly]),
    },
    summary: summaryOf(verdicts, found),
    notChecked: notCheckedIn(compared, verdicts),
    ...(writing && {
      written: {
        ledger: writing.ledger,
        deleted: writing.deleted.length,
        remaining: writing.remaining,
      },
    }),
    ...(notes.length > 0 && { notes }),
    differences: found,
    claims: verdicts,
  }
  return { interfaces: compared, report }
}

/** Returns why a run ended early. Every other reason says more than a spent budget. */
function endOf(reasons: readonly (string | null | undefined)[]): string | null {
  const given = reasons.filter((why) => typeof why === 'string')
  return given.find((why) => why !== BUDGET_SPENT) ?? given[0] ?? null
}

/** Returns the calls of a HAR file in place of a crawl. */
function captured(har: unknown, published: readonly PublishedInterface[], { service }: ServiceClient): Crawl {
  const operations = published.flatMap((each) => each.operations)
  const bases = new Map(
    operations.map((operation) => [operation.interface, baseOf(operation, service)] as const),
  )
  const { answers } = readCapture(har, operations, bases)
  const missing = operations.filter((operation) => answers.of(operation).length === 0)
  return {
    answers,
    uncalled: new Map(missing.map((operation) => [operation, 'the capture has no such call'])),
    endedEarly: null,
  }
}

/** "20261126t114500-x3k9": the time of the start, and four letters or digits. */
export const runId = (startedAt: string): string =>
  `${startedAt.slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}-${randomToken()
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .slice(0, 4)}`
