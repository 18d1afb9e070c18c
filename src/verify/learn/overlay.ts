/** The overlay of a run: what was learned, and what an earlier one says that still holds. */
import { OBSERVED_FORMAT, type Entry, type Overlay } from '../../observed/format.ts'
import { VERSION } from '../../version.ts'
import type { Report } from '../report/report.ts'
import type { Lesson } from './learn.ts'

export function overlayOf(
  { run, differences }: Report,
  lessons: readonly Lesson[],
  before: Overlay | undefined,
): Overlay {
  const learned = lessons.map(({ entry }) => entry)
  // The simulator followed the earlier entries in this run, so one without a difference was seen again.
  const differing = new Set(differences.map((each) => `${each.interface} ${each.claim}`))
  const kept = (before?.entries ?? []).filter(
    (entry) => !differing.has(`${entry.interface} ${entry.claim ?? ''}`),
  )
  return {
    format: OBSERVED_FORMAT,
    measured: { target: run.baseUrl, at: run.endedAt, simulator: VERSION },
    entries: [...kept, ...withoutTwins(learned, kept)],
  }
}

/** Leaves out entries that say the same of the same. */
function withoutTwins(learned: readonly Entry[], kept: readonly Entry[]): Entry[] {
  const seen = new Set(kept.map(keyOf))
  return learned.filter((entry) => {
    const key = keyOf(entry)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const keyOf = ({ claim, fidelity, observedAt, samples, evidence, ...rest }: Entry): string =>
  JSON.stringify(rest)
