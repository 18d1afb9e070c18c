/**
 * What a crawl of the simulator's own demo shows: invariants to look for, relations that do not hold there, and values
 * that differ between two reads.
 */
import { Checks } from './checks/checks.ts'
import { differencesOf } from './differential/compare.ts'
import { NO_SHAPES } from './model/shapes.ts'
import { mineFormats, type Formats } from './checks/documents.ts'
import { mineEffects, type Effects } from './checks/effects.ts'
import { mineInvariants, type Invariants } from './checks/invariants.ts'
import { checkRelations } from './checks/relations.ts'
import { withoutVolatile } from './checks/volatile.ts'
import type { PublishedInterface } from './reference.ts'
import { answersOf } from './crawl/answers.ts'
import type { Crawl } from './crawl/crawl.ts'

export interface Calibration {
  readonly invariants: Invariants
  readonly formats: Formats
  readonly effects: Effects
  /** Relations that do not hold in the simulator: "catalog filter GET /activities 200.data parameter …". */
  readonly untrue: ReadonlySet<string>
  /** Places that differ between two reads: "recruiting getSummary .data.period.from". */
  readonly moving: ReadonlySet<string>
}

/** Relations that a filter, a search or a sort need not have; others must hold. */
const OPTIONAL: ReadonlySet<string> = new Set(['accepted', 'filter', 'filter_rows', 'search', 'sort'])

/**
 * Returns what the answers of the simulator show. If it follows an overlay, any relation may be one that the service does
 * not have.
 */
export function calibrate(
  { answers }: Crawl,
  published: readonly PublishedInterface[],
  { followsOverlay }: { readonly followsOverlay: boolean },
): Calibration {
  const moving = new Set<string>()
  for (const { probe, body } of answers.exchanges) {
    if (probe.purpose.kind !== 'repeat') continue
    const before = withoutVolatile(probe.purpose.of.body)
    for (const { place } of differencesOf(before, withoutVolatile(body)))
      moving.add(`${probe.operation.interface} ${probe.operation.id} ${place}`)
  }
  const untrue = new Set<string>()
  for (const { name, operations, claims } of published) {
    const checks = new Checks()
    checkRelations({
      name,
      answers: answersOf(answers, operations),
      claims,
      checks,
      moving,
      untrue: new Set(),
      shapes: NO_SHAPES,
    })
    for (const { aspect, place, claim, samples } of checks.tallies) {
      if (samples.deviating > 0 && (followsOverlay || OPTIONAL.has(aspect)))
        untrue.add([name, aspect, place, claim].join(' '))
    }
  }
  return {
    invariants: mineInvariants(answers),
    formats: mineFormats(answers),
    effects: mineEffects(answers, moving),
    untrue,
    moving,
  }
}
