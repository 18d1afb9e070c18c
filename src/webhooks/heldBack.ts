/** The attempt that comes next in a workspace, and what holds it back when it is due and not made. */
import { and, asc, eq, lte, min, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { iso } from '../state/clock.ts'
import { statement } from '../state/database.ts'
import type { Workspace } from '../state/workspace.ts'
import { deliveries } from './tables.ts'

export interface NextAttempt {
  /** The id of its delivery. */
  readonly delivery: string
  /** On the workspace's clock. */
  readonly due: number
  /** What an attempt in the past waits for; null for one that is not due yet. */
  readonly heldBackBy: string | null
}

/** How a backlog and all that is under way stand. */
export interface Standing {
  readonly origin: string
  /** Whether deliveries are sent at all: before the start they are not, nor while the server stops. */
  readonly isSending: boolean
  readonly isUnderWay: boolean
  /** Attempts under way to the origin, and whether that is as many as may be. */
  readonly given: number
  readonly isFull: boolean
  /** Whether receivers that do not answer, as this one, hold as many slots as they may. */
  readonly isThrottled: boolean
  /** Whether as many attempts as may be are under way in all. */
  readonly isOverallFull: boolean
  /** Whether its turn is that of another attempt for the same record. */
  readonly isBlocked: boolean
}

/** What holds an attempt back that is due, and that no other delivery of its record holds back. */
export function whatHolds(standing: Standing): string {
  if (!standing.isSending) return 'the server, which does not send now'
  if (standing.isUnderWay) return 'its attempt, which is under way'
  if (standing.isFull) {
    return `the slots of ${standing.origin}: ${String(standing.given)} attempts are under way to it`
  }
  if (standing.isThrottled) return 'receivers that do not answer, which hold as many slots as they may'
  if (standing.isOverallFull) return 'the slots of the server: as many attempts as may be are under way'
  if (standing.isBlocked) return 'an attempt for the same record that is still under way'
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

/** By the index of what is held back. */
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

/** The first attempt in the past that another delivery of the same record holds back; null when there is none. */
export function firstHeldBack(workspace: Workspace): NextAttempt | null {
  const now = workspace.now()
  const found = firstHeld(workspace.database).get({ workspace: workspace.rowScope, now })
  if (!found) return null
  const { delivery, due, behind, behindDue } = found
  const when = behindDue > now ? `which is tried again at ${iso(behindDue)}` : 'which is due as well'
  return { delivery, due, heldBackBy: `delivery ${behind} of the same record, ${when}` }
}
