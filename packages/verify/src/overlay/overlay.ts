/** The overlay of a run: the entries of this run, and those of an earlier one that the service does not contradict. */
import {
  MAX_ENTRIES,
  MAX_OVERLAY_BYTES,
  OBSERVED_FORMAT,
  type Entry,
  type Overlay,
} from '../../../../src/published.ts'
import { redactedText, type Secrets } from '../exchanges/redaction.ts'
import { VERSION } from '@suite-sim/kit/version'
import type { Report } from '../report/report.ts'
import { jsonFile } from '../report/values.ts'
import type { InferredEntry } from './inferEntries.ts'

/** The entries inferred for one interface, and those that the service contradicts. */
interface InterfaceEntries {
  readonly inferred: readonly InferredEntry[]
  readonly stale: readonly Entry[]
}

/** Returns the overlay. A run that could check nothing leaves the earlier one as it was. */
export function overlayOf(
  { run, summary }: Report,
  interfaces: readonly InterfaceEntries[],
  before: Overlay | undefined,
  secrets: Secrets,
): Overlay {
  if (before && summary.checked === 0) return before
  const stale = new Set(interfaces.flatMap((each) => each.stale))
  const entries = withoutDuplicates(interfaces.flatMap(({ inferred }) => inferred.map(({ entry }) => entry)))
  const again = new Set(entries.map(keyOf))
  // An entry that no call of this run could show stays, with its own date.
  const kept = (before?.entries ?? []).filter((entry) => !stale.has(entry) && !again.has(keyOf(entry)))
  return fitting({
    format: OBSERVED_FORMAT,
    measured: { target: redactedText(run.baseUrl, secrets), at: run.endedAt, simulator: VERSION },
    entries: [...kept, ...entries],
  })
}

/** Leaves out the last entries of an overlay that a server would refuse for its size. */
function fitting(overlay: Overlay): Overlay {
  const entries = overlay.entries.slice(0, MAX_ENTRIES)
  while (entries.length > 0 && Buffer.byteLength(jsonFile({ ...overlay, entries })) > MAX_OVERLAY_BYTES)
    entries.splice(Math.floor(entries.length * 0.9))
  return { ...overlay, entries }
}

/** Leaves out entries that say the same of the same. */
function withoutDuplicates(entries: readonly Entry[]): Entry[] {
  const found = new Map<string, Entry>()
  for (const entry of entries) if (!found.has(keyOf(entry))) found.set(keyOf(entry), entry)
  return [...found.values()]
}

const keyOf = ({ claim, fidelity, observedAt, samples, evidence, ...rest }: Entry): string =>
  JSON.stringify(rest)
