/** Compares the answers of one interface by all oracles: verdicts, differences, and what can be learned from them. */
import type { InterfaceName } from '../state/model/interfaceNames.ts'
import type { Asker } from './asking/asker.ts'
import { Checks, type Tally } from './checks.ts'
import { checkDifferential } from './differential/differential.ts'
import type { Twins } from './differential/replay.ts'
import { checkStories } from './write/checkStories.ts'
import type { Written } from './write/play.ts'
import { flakyTallies } from './flaky.ts'
import { alternativesOf } from './learn/alternatives.ts'
import { learn, type Lesson } from './learn/learn.ts'
import { checkContract } from './oracles/contract.ts'
import type { OracleContext } from './oracles/context.ts'
import { checkEffects } from './oracles/effects.ts'
import { checkFormats } from './oracles/documents.ts'
import { checkInvariants } from './oracles/invariants.ts'
import { checkRateLimits } from './oracles/rateLimits.ts'
import { checkRelations } from './oracles/relations.ts'
import type { PublishedInterface, PublishedReading } from './reference.ts'
import type { ClaimVerdict, Difference } from './report/report.ts'
import { differencesIn } from './reporting.ts'
import { verdictsOf } from './verdicts.ts'
import { readingsOf } from './walk/readings.ts'
import type { Unasked, Walk } from './walk/walk.ts'
import type { Yardstick } from './yardstick.ts'

/** What one interface was judged by. */
export interface Judged {
  readonly name: InterfaceName
  readonly context: OracleContext
  readonly unasked: Unasked
  readonly verdicts: readonly ClaimVerdict[]
  readonly differences: readonly Difference[]
  readonly lessons: readonly Lesson[]
}

interface JudgeOptions {
  readonly published: PublishedInterface
  readonly walked: Walk
  readonly asker: Asker
  readonly yardstick: Yardstick
  readonly choices: readonly PublishedReading[]
  readonly timezone: string | undefined
  /** Whether the answers were captured: nothing can be asked again, and bodies were sent. */
  readonly isCaptured: boolean
  /** What write mode did; null in a run that only reads. */
  readonly written?: Written | null
}

export async function judge({
  published: { name, operations, claims },
  walked,
  asker,
  yardstick: { reference, calibration, start },
  choices,
  timezone,
  isCaptured,
  written = null,
}: JudgeOptions): Promise<Judged> {
  const { untrue, moving, invariants, formats, effects } = calibration
  const readings = readingsOf(walked.readings, operations)
  const unasked = new Map(
    [...walked.unasked, ...(written?.unwritten ?? [])].filter(([operation]) =>
      operations.includes(operation),
    ),
  )
  const context: OracleContext = { name, readings, claims, checks: new Checks(), untrue, moving }
  checkContract(context)
  checkRelations(context)
  checkInvariants(context, invariants)
  checkFormats(context, formats)
  checkEffects(context, effects)
  checkRateLimits(context)
  const twins: Twins = isCaptured
    ? new Map()
    : await checkDifferential(context, { reference, name, timezone })

  if (written) {
    const own = written.steps.filter(({ exchange }) => operations.includes(exchange.probe.operation))
    checkStories(context, own, operations)
  }
  const { tallies } = context.checks
  const deviating = tallies.filter(({ samples }) => samples.deviating > 0)
  const flaky = isCaptured ? new Set<never>() : await flakyTallies(deviating, asker)
  const drift = deviating.filter((tally) => !flaky.has(tally))
  const explained = isCaptured
    ? new Map()
    : await alternativesOf({
        context,
        name,
        twins,
        deviating: drift.filter(isRead),
        readings: choices,
        start,
        timezone,
      })
  const lessons = learn({ context, deviating: drift, readings: explained, secrets: [asker.service.key] })
  const differing = new Set(drift.map(({ claim }) => claim))
  return {
    name,
    context,
    unasked,
    verdicts: verdictsOf({ claims, tallies, differing, operations, unasked, mayWrite: isCaptured, written }),
    differences: differencesIn({ context, deviating, flaky, lessons, explained, service: asker.service }),
    lessons,
  }
}

/** True for a difference of a call that can be made again. */
const isRead = ({ differences }: Tally): boolean =>
  differences.every(({ exchange }) => exchange.probe.purpose.kind !== 'step')
