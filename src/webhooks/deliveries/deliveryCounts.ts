/** Counts attempts and finished deliveries since the start, of all workspaces, including deleted ones. For the metrics. */
import type { Database } from '../../state/storage/database/database.ts'
import { Totals } from '../../state/timeline/totals.ts'

const create = (_database: Database): Totals => new Totals()

/** All outcomes that are counted, by kind. */
export const COUNTED_OUTCOMES = {
  attempt: ['succeeded', 'failed'],
  delivery: ['delivered', 'dead', 'canceled'],
} as const

/** "attempt pos succeeded", "delivery pos dead" */
export const deliveryCountsOf = (database: Database): Totals => database.own(create)

/** Counts an attempt that is stored, and its delivery if no attempt follows. */
export function countAttempt(
  database: Database,
  of: string,
  error: string | null,
  outcome: { readonly status: string; readonly round: number },
): void {
  const counts = deliveryCountsOf(database)
  counts.count(`attempt ${of} ${error === null ? 'succeeded' : 'failed'}`, 1)
  if (outcome.status === 'delivered') counts.count(`delivery ${of} delivered`, 1)
  // A canceled delivery was counted when it was canceled; its round is 0.
  if (outcome.status === 'dead' && outcome.round > 0) counts.count(`delivery ${of} dead`, 1)
}

/** Counts deliveries that were canceled because their subscription or its event was removed or deactivated. */
export const countCanceled = (database: Database, of: string, count: number): void => {
  if (count > 0) deliveryCountsOf(database).count(`delivery ${of} canceled`, count)
}
