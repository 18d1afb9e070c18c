/** Records retries to receivers that refuse connections, without sending them. */
import { iso } from '@suite-sim/kit/time/instants'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { notify } from '../../state/timeline/longPoll.ts'
import { Slices } from '../../state/model/slices.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Backlog } from '../backlogs/backlog.ts'
import { recordAttempt } from '../deliveries/deliveries.ts'
import { countAttempt } from '../deliveries/deliveryCounts.ts'
import { dueSequences, findDueDelivery, nextDueTime } from '../deliveries/dueDeliveries.ts'
import { releaseNext } from '../deliveries/order.ts'
import type { Profiles } from '../profiles/profile.ts'
import { ATTEMPTS, recordAttemptStep, type ResultsListener } from './results.ts'
import { REFUSED } from '@suite-sim/kit/webhooks/attempts'

/** Ms after a refused connection in which retries are recorded as refused. */
const REFUSAL_MS = 1000

/** Checks whether the origin has just refused a connection. */
export const isRefusing = ({ origin, inFlight }: Backlog): boolean =>
  origin.refusedAt !== null && monotonicNow() - origin.refusedAt < REFUSAL_MS && inFlight.size === 0

/**
 * Records the due deliveries to these origins until `limit` as refused, each at its own time and in order, up to a
 * slice. Returns the due time of the last one; null if no delivery was refused. Only inside a `write`.
 */
export function refuseInOrder(
  workspace: Workspace,
  origins: readonly string[],
  limit: number,
  profiles: Profiles,
  listener: Pick<ResultsListener, 'released'>,
): number | null {
  const slices = new Slices()
  const dues = new Map(origins.map((origin) => [origin, nextDueTime(workspace, origin, -Infinity)]))
  let upTo: number | null = null
  do {
    const [origin, due] = earliestOf(dues)
    if (due > limit) break
    // A delivery that waited for another one of its record was due earlier and goes now.
    upTo = Math.max(due, upTo ?? workspace.now())
    for (const sequence of dueSequences(workspace, origin, due, 1)) {
      recordRefused(workspace, sequence, upTo, profiles, listener)
    }
    // The released delivery of the same record can belong to any of the origins.
    for (const name of origins) dues.set(name, nextDueTime(workspace, name, -Infinity))
  } while (!slices.isOver)
  if (upTo !== null) notify(workspace, 'deliveries')
  return upTo
}

const earliestOf = (dues: ReadonlyMap<string, number>): readonly [origin: string, due: number] =>
  [...dues].reduce((first, each) => (each[1] < first[1] ? each : first))

function recordRefused(
  workspace: Workspace,
  sequence: number,
  instant: number,
  profiles: Profiles,
  listener: Pick<ResultsListener, 'released'>,
): void {
  const { database } = workspace
  const delivery = findDueDelivery(database, sequence)
  if (!delivery) return
  workspace.clock.at(instant, () => {
    const result = { status: null, error: REFUSED, durationMs: 0 }
    const { schedule } = profiles.of(delivery.interface)
    workspace.count(ATTEMPTS, 1)
    const outcome = recordAttempt(workspace, sequence, schedule, { at: iso(instant), ...result })
    database.whenCommitted((error) => {
      if (!error) countAttempt(database, delivery.interface, result.error, outcome)
    })
    recordAttemptStep(workspace, delivery, result)
    if (delivery.record !== null && outcome.status !== 'pending')
      listener.released(releaseNext(database, [sequence]))
  })
}
