/** Compares the answers of one interface by all checks: verdicts, differences, and the entries that they lead to. */
import type { Entry } from '../../../src/published.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { ServiceClient } from './exchanges/serviceClient.ts'
import { Checks, type Tally } from './checks/checks.ts'
import { checkDifferential } from './differential/differential.ts'
import type { SimulatedExchanges } from './differential/replay.ts'
import { checkScenarios } from './write/checkScenarios.ts'
import type { Written } from './write/runScenarios.ts'
import { flakyTallies } from './flaky.ts'
import { alternativesOf, type ReadingValue } from './overlay/alternatives.ts'
import type { InferredEntry } from './overlay/inferEntries.ts'
import { rebound } from './overlay/rebinding.ts'
import { shapesOf } from './model/shapes.ts'
import { keyOf, inferTestedEntries } from './overlay/testedEntries.ts'
import { checkContract } from './checks/contract.ts'
import type { CheckContext } from './checks/context.ts'
import { checkEffects } from './checks/effects.ts'
import { checkFormats } from './checks/documents.ts'
import { checkInvariants } from './checks/invariants.ts'
import { checkRateLimits } from './checks/rateLimits.ts'
import { checkRelations } from './checks/relations.ts'
import type { PublishedInterface, PublishedReading } from './reference.ts'
import type { ClaimVerdict, Difference } from './report/report.ts'
import { differencesIn } from './reporting.ts'
import { verdictsOf } from './verdicts.ts'
import { answersOf } from './crawl/answers.ts'
import type { Uncalled, Crawl } from './crawl/crawl.ts'
import type { Baseline } from './baseline.ts'

/** The comparison of one interface. */
export interface InterfaceComparison {
  readonly name: InterfaceName
  readonly context: CheckContext
  readonly uncalled: Uncalled
  readonly verdicts: readonly ClaimVerdict[]
  readonly differences: readonly Difference[]
  readonly inferred: readonly InferredEntry[]
  /** Entries of the overlay of the run that the service contradicts. */
  readonly stale: readonly Entry[]
}

interface ComparisonOptions {
  readonly published: PublishedInterface
  readonly crawled: Crawl
  readonly client: ServiceClient
  readonly baseline: Baseline
  readonly choices: readonly PublishedReading[]
  readonly timezone: string | undefined
  /** Whether the answers were captured: no call can be repeated, and bodies were sent. */
  readonly isCaptured: boolean
  /** What write mode did; null in a run that only reads. */
  readonly written?: Written | null
}

export async function compareInterface(options: ComparisonOptions): Promise<InterfaceComparison> {
  const { published, client, isCaptured, written = null } = options
  const { name, operations, claims } = published
  const { context, simulatedExchanges, uncalled } = await checkAnswers(options)
  const { tallies } = context.checks
  const deviating = tallies.filter(({ samples }) => samples.deviating > 0)
  const flaky = isCaptured ? new Set<never>() : await flakyTallies(deviating, client)
  const flakes = new Set([...flaky].map(keyOf))
  const driftOf = (found: CheckContext): readonly Tally[] =>
    found.checks.tallies.filter((tally) => tally.samples.deviating > 0 && !flakes.has(keyOf(tally)))
  const explainedBy = async (
    used: ComparisonOptions,
    found: Pick<CheckedAnswers, 'context' | 'simulatedExchanges'>,
  ): Promise<ReadonlyMap<Tally, ReadingValue>> =>
    isCaptured
      ? new Map()
      : await alternativesOf({
          ...found,
          name,
          deviating: driftOf(found.context).filter(isRead),
          readings: used.choices,
          start: used.baseline.start,
          observed: used.baseline.observed,
          timezone: used.timezone,
        })
  const drift = driftOf(context)
  const explained = await explainedBy(options, { context, simulatedExchanges })
  const { inferred, stale, followedBy } = await inferTestedEntries({
    first: { context, drift, explained },
    baseline: options.baseline,
    secrets: [client.service.key],
    compareWith: async (baseline) => {
      const other = await baseline.reference.published(name)
      const { answers, steps } = rebound(other.operations, options.crawled.answers, written?.steps ?? [])
      const used: ComparisonOptions = {
        ...options,
        baseline,
        published: other,
        crawled: { ...options.crawled, answers, uncalled: new Map() },
        written: written && { ...written, steps, unwritten: new Map() },
      }
      const found = await checkAnswers(used)
      return {
        context: found.context,
        drift: driftOf(found.context),
        explained: await explainedBy(used, found),
      }
    },
  })
  const differing = new Set(drift.map(({ claim }) => claim))
  return {
    name,
    context,
    uncalled,
    verdicts: verdictsOf({ claims, tallies, differing, operations, uncalled, mayWrite: isCaptured, written }),
    differences: differencesIn({ context, deviating, flaky, followedBy, explained, service: client.service }),
    inferred,
    stale,
  }
}

interface CheckedAnswers {
  readonly context: CheckContext
  readonly simulatedExchanges: SimulatedExchanges
  readonly uncalled: Uncalled
}

/** Runs all checks of the answers against a simulator. */
async function checkAnswers({
  published: { name, operations, claims },
  crawled,
  baseline: { reference, calibration, observed },
  timezone,
  isCaptured,
  written = null,
}: ComparisonOptions): Promise<CheckedAnswers> {
  const { untrue, moving, invariants, formats, effects } = calibration
  const answers = answersOf(crawled.answers, operations)
  const uncalled = new Map(
    [...crawled.uncalled, ...(written?.unwritten ?? [])].filter(([operation]) =>
      operations.includes(operation),
    ),
  )
  const shapes = shapesOf(observed, name, claims)
  const context: CheckContext = { name, answers, claims, checks: new Checks(), untrue, moving, shapes }
  checkContract(context)
  checkRelations(context)
  checkInvariants(context, invariants)
  checkFormats(context, formats)
  checkEffects(context, effects)
  checkRateLimits(context)
  const simulatedExchanges: SimulatedExchanges = isCaptured
    ? new Map()
    : await checkDifferential(context, { reference, name, timezone })

  if (written) {
    const own = written.steps.filter(({ exchange }) => operations.includes(exchange.probe.operation))
    checkScenarios(context, own, operations)
  }
  return { context, simulatedExchanges, uncalled }
}

/** True for a difference of a call that can be made again. */
const isRead = ({ differences }: Tally): boolean =>
  differences.every(({ exchange }) => exchange.probe.purpose.kind !== 'step')
