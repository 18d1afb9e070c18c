/**
 * Infers entries from the differences of one interface, and tests them: a simulator that follows them is compared with
 * the same answers. Only entries that it can follow, and that explain a difference, remain.
 */
import { OBSERVED_FORMAT, type Entry, type Kind, type Overlay } from '../../../../src/published.ts'
import type { Tally } from '../checks/checks.ts'
import type { CheckContext } from '../checks/context.ts'
import { VERSION } from '@suite-sim/kit/version'
import type { Baseline } from '../baseline.ts'
import type { ReadingValue } from './alternatives.ts'
import { contradicts } from './contradicting.ts'
import { inferEntries, type InferredEntry } from './inferEntries.ts'

/** The answers of a service, compared with a simulator. */
export interface Compared {
  readonly context: CheckContext
  /** Differences that are no flakes, and the readings that explain them. */
  readonly drift: readonly Tally[]
  readonly explained: ReadonlyMap<Tally, ReadingValue>
}

export interface TestedEntries {
  readonly inferred: readonly InferredEntry[]
  /** Entries of the overlay of this run that the service contradicts. */
  readonly stale: readonly Entry[]
  /** The kind of the entry that follows a difference, or that no longer says what differs. */
  readonly followedBy: ReadonlyMap<Tally, Kind>
}

interface TestOptions {
  readonly first: Compared
  readonly baseline: Baseline
  /** Texts that must not appear in entries. */
  readonly secrets: readonly string[]
  /** Compares the same answers with another simulator. */
  readonly compareWith: (baseline: Baseline) => Promise<Compared>
}

export async function inferTestedEntries({
  first,
  baseline,
  secrets,
  compareWith,
}: TestOptions): Promise<TestedEntries> {
  const { following, observed } = baseline
  const { context, drift, explained } = first
  const before = observed?.entries ?? []
  const stale = before.filter((entry) => drift.some((tally) => contradicts(context, tally, entry, explained)))
  const kept = before.filter((entry) => !stale.includes(entry))
  const tried = async <Result>(
    entries: readonly Entry[],
    use: (other: Baseline) => Promise<Result>,
  ): Promise<Result> => {
    const other = await following(overlayWith(baseline, entries), context.name)
    try {
      return await use(other)
    } finally {
      await other.reference.close()
    }
  }
  // What a stale entry says would be part of all inferred entries.
  const base = stale.length === 0 ? first : await tried(kept, compareWith)
  const candidates = inferEntries({ ...base, deviating: base.drift, readings: base.explained, secrets })
  if (candidates.length === 0 && stale.length === 0) return { inferred: [], stale, followedBy: new Map() }

  const entriesOf = (inferred: readonly InferredEntry[]): Entry[] => [
    ...kept,
    ...inferred.map(({ entry }) => entry),
  ]
  const startable = await usable(candidates, async (inferred) => {
    await baseline.mustStart(overlayWith(baseline, entriesOf(inferred)))
  })
  let left: Compared = base
  const consistent = await usable(startable, async (inferred) => {
    left = inferred.length === 0 ? base : await tried(entriesOf(inferred), compareWith)
  })
  const remaining = new Set(left.drift.map(keyOf))
  const isGone = (tally: Tally): boolean => tally.oracle === 'story' || !remaining.has(keyOf(tally))
  const inferred = consistent.filter(({ tallies }) => tallies.some(isGone))
  const kinds = new Map(
    inferred.flatMap(({ entry, tallies }) => tallies.map((tally) => [keyOf(tally), entry.kind] as const)),
  )
  /** What explains a difference that is gone without being that of an inferred entry: an entry of the same operation. */
  const near = ({ differences: [found] }: Tally): Kind | undefined => {
    const id = found?.exchange.probe.operation.id ?? ''
    const entries = [...inferred.map(({ entry }) => entry), ...stale]
    return (entries.find((entry) => namesOf(entry).includes(id)) ?? entries[0])?.kind
  }
  return {
    inferred,
    stale,
    followedBy: new Map(
      drift.flatMap((tally): [Tally, Kind][] => {
        if (!isGone(tally)) return []
        const own = stale.find((entry) => contradicts(context, tally, entry, explained))?.kind
        const kind = kinds.get(keyOf(tally)) ?? own ?? (tally.oracle === 'story' ? undefined : near(tally))
        return kind === undefined ? [] : [[tally, kind]]
      }),
    ),
  }
}

/** Returns the operations that an entry names. */
function namesOf(entry: Entry): readonly string[] {
  const { operation, operations } = entry as { operation?: string; operations?: readonly string[] }
  return operation === undefined ? (operations ?? []) : [operation]
}

/** The same difference in two comparisons. The claim of a place depends on what the simulator follows. */
export const keyOf = ({ oracle, aspect, place }: Tally): string => [oracle, aspect, place].join('\n')

const overlayWith = ({ reference, observed }: Baseline, entries: readonly Entry[]): Overlay => ({
  format: OBSERVED_FORMAT,
  measured: observed?.measured ?? { target: reference.url, at: NO_TIME, simulator: VERSION },
  entries,
})

/** No overlay of a test is written, so its time does not count. */
const NO_TIME = '2026-01-01T00:00:00.000Z'

/** Returns the inferred entries that a simulator can follow together. `use` throws for some that it cannot. */
async function usable(
  inferred: readonly InferredEntry[],
  use: (inferred: readonly InferredEntry[]) => Promise<void>,
): Promise<readonly InferredEntry[]> {
  try {
    await use(inferred)
    return inferred
  } catch (error) {
    if (!REFUSALS.has((error as Error).name) || inferred.length === 0) throw error
  }
  if (inferred.length === 1) {
    await use([])
    return []
  }
  const middle = Math.floor(inferred.length / 2)
  const first = await usable(inferred.slice(0, middle), use)
  const second = await usable(inferred.slice(middle), (some) => use([...first, ...some]))
  return [...first, ...second]
}

/** The classes of another bundle are others, so their names count. */
const REFUSALS: ReadonlySet<string> = new Set(['ObservedError', 'SelfCheckError'])
