/** The next attempt of a workspace, and what holds it back when it is overdue. */
import { and, asc, eq, lte, min, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { iso } from '@suite-sim/kit/time/instants'
import { statement } from '../../state/storage/database/database.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { deliveries } from './tables.ts'

export interface NextAttempt {
  /** The id of its delivery. */
  readonly delivery: string
  /** On the workspace's clock. */
  readonly due: number
  /** What an overdue attempt waits for; null if it is not due yet. */
  readonly heldBackBy: string | null
}

/** The state of a backlog and of all attempts in flight. */
export interface Standing {
  readonly origin: string
  /** True if it is a listener that is not connected. */
  readonly isListenerAway: boolean
  /** False before the start and while the server stops. */
  readonly isSending: boolean
  readonly isInFlight: boolean
  /** Attempts in flight to the origin, and whether its limit is reached. */
  readonly inFlightToOrigin: number
  readonly isOriginLimitReached: boolean
  /** True if this receiver does not respond, and such receivers use all slots that they may have. */
  readonly isThrottled: boolean
  /** True if the total limit of attempts in flight is reached. */
  readonly isTotalLimitReached: boolean
  /** True if another attempt for the same record is in flight. */
  readonly isBlocked: boolean
}

/** Returns what a due attempt waits for, other than deliveries of its record. */
export function reasonHeldBack(standing: Standing): string {
  if (standing.isListenerAway) return 'its listener, which is not connected'
  if (!standing.isSending) return 'the server, which is not sending now'
  if (standing.isInFlight) return 'its attempt, which is in flight'
  if (standing.isOriginLimitReached) {
    return `the slots of ${standing.origin}: ${String(standing.inFlightToOrigin)} attempts to it are in flight`
  }
  if (standing.isThrottled) return 'receivers that do not respond, which use all slots that they may have'
  if (standing.isTotalLimitReached)
    return 'the slots of the server: the maximum number of attempts is in flight'
  if (standing.isBlocked) return 'an attempt for the same record that is still in flight'
  return 'the queue, which sends it next'
}

const idOf = statement((orm) =>
  orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(eq(deliveries.sequence, sql.placeholder('sequence')))
    .prepare(),
)

export const deliveryOf = (workspace: Workspace, sequence: number): string =>
  idOf(workspace.database).get({ sequence })?.id ?? ''

const first = alias(deliveries, 'first')
const earlier = alias(deliveries, 'earlier')

/** Uses the index of held-back deliveries. */
const firstHeld = statement((orm) => {
  const firstOfRecord = orm
    .select({ sequence: min(earlier.sequence) })
    .from(earlier)
    .where(
      sql`${earlier.workspace} = ${deliveries.workspace} and ${earlier.subscription} = ${deliveries.subscription} and ${earlier.record} = ${deliveries.record} and ${earlier.status} = 'pending'`,
    )
  return orm
    .select({
      delivery: deliveries.id,
      due: sql<number>`${deliveries.nextAttemptAt}`,
      behind: first.id,
      behindDue: sql<number>`${first.nextAttemptAt}`,
    })
    .from(deliveries)
    .innerJoin(first, sql`${first.sequence} = ${firstOfRecord}`)
    .where(
      and(
        eq(deliveries.workspace, sql.placeholder('workspace')),
        sql`${deliveries.held} = 1`,
        lte(deliveries.nextAttemptAt, sql`${sql.placeholder('now')}`),
      ),
    )
    .orderBy(asc(deliveries.nextAttemptAt), asc(deliveries.sequence))
    .limit(1)
    .prepare()
})

/** Returns the first overdue attempt that another delivery of the same record holds back; null if none is. */
export function firstHeldBack(workspace: Workspace): NextAttempt | null {
  const now = workspace.now()
  const found = firstHeld(workspace.database).get({ workspace: workspace.rowScope, now })
  if (!found) return null
  const { delivery, due, behind, behindDue } = found
  const when = behindDue > now ? `which is retried at ${iso(behindDue)}` : 'which is also due'
  return { delivery, due, heldBackBy: `delivery ${behind} of the same record, ${when}` }
}
