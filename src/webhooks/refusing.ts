/** Retries to receivers that nobody listens at, written down without being made. */
import { iso } from '../state/clock.ts'
import { notify } from '../state/longPoll.ts'
import { Slices } from '../state/slices.ts'
import type { Workspace } from '../state/workspace.ts'
import { dueTo, nextDueTo, findDueDelivery, recordAttempt } from './deliveries.ts'
import { releaseNext } from './order.ts'
import type { Profiles } from './profile.ts'
import { ATTEMPTS, tellOfAttempt, type ResultsListener } from './results.ts'
import { REFUSED } from './sending/index.ts'

/**
 * Has what falls due by `limit` to these origins refused, each at its own time and in that order, as much as goes into a
 * slice; answers with when the last of it was due, null where there was none. Only inside a `write`.
 */
export function refuseInOrder(
  workspace: Workspace,
  origins: readonly string[],
  limit: number,
  profiles: Profiles,
  listener: Pick<ResultsListener, 'released'>,
): number | null {
  const slices = new Slices()
  const dues = new Map(origins.map((origin) => [origin, nextDueTo(workspace, origin, -Infinity)]))
  let upTo: number | null = null
  do {
    const [origin, due] = earliestOf(dues)
    if (due > limit) break
    // What has waited for another of its record was due before, and goes now.
    upTo = Math.max(due, upTo ?? workspace.now())
    for (const sequence of dueTo(workspace, origin, due, 1)) {
      refuse(workspace, sequence, upTo, profiles, listener)
    }
    // What waited for it, of the same record, may go to any of them.
    for (const name of origins) dues.set(name, nextDueTo(workspace, name, -Infinity))
  } while (!slices.isOver)
  if (upTo !== null) notify(workspace, 'deliveries')
  return upTo
}

const earliestOf = (dues: ReadonlyMap<string, number>): readonly [origin: string, due: number] =>
  [...dues].reduce((first, each) => (each[1] < first[1] ? each : first))

function refuse(
  workspace: Workspace,
  sequence: number,
  instant: number,
  profiles: Profiles,
  listener: Pick<ResultsListener, 'released'>,
): void {
  const { database } = workspace
  const owed = findDueDelivery(database, sequence)
  if (!owed) return
  workspace.at(instant, () => {
    const result = { status: null, error: REFUSED, durationMs: 0 }
    const { schedule } = profiles.of(owed.interface)
    workspace.count(ATTEMPTS, 1)
    const outcome = recordAttempt(workspace, sequence, schedule, { at: iso(instant), ...result })
    tellOfAttempt(workspace, owed, result)
    if (owed.record !== null && outcome.status !== 'pending')
      listener.released(releaseNext(database, [sequence]))
  })
}
