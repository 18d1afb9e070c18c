/** Looks up the deliveries that are due, for the dispatcher. */
import { and, asc, eq, gt, lte, min, sql } from 'drizzle-orm'
import { statement, type Database } from '../../state/storage/database/database.ts'
import { cellReader } from '../../state/storage/queries/readers.ts'
import type { Trace } from '../../state/timeline/trace.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { bySequence, canBeSent, isPendingDelivery, isOfWorkspace, placeholder } from './deliveryConditions.ts'
import { deliveries } from './tables.ts'

const ofBacklog = and(isOfWorkspace, eq(deliveries.origin, sql.placeholder('origin')), canBeSent)

/** The pending deliveries of one workspace to one origin. */
export interface PendingGroup {
  readonly workspace: number
  readonly origin: string
  /** When the first one is due. */
  readonly due: number
}

/** Returns the pending groups of all workspaces, read only from the index. */
export const pendingGroups = (database: Database): PendingGroup[] =>
  database.orm
    .select({
      workspace: deliveries.workspace,
      origin: deliveries.origin,
      due: sql<number>`min(${deliveries.nextAttemptAt})`,
    })
    .from(deliveries)
    .where(canBeSent)
    .groupBy(deliveries.workspace, deliveries.origin)
    .all()

/** Counts the pending deliveries of all workspaces. */
export const countPending = (database: Database): number =>
  database.orm
    .select({ count: sql<number>`count(*)` })
    .from(deliveries)
    .where(isPendingDelivery)
    .get()?.count ?? 0

const selectDueOfBacklog = statement((orm) => {
  const earliest = orm
    .select({ sequence: deliveries.sequence })
    .from(deliveries)
    .where(and(ofBacklog, lte(deliveries.nextAttemptAt, placeholder('instant'))))
    .orderBy(asc(deliveries.nextAttemptAt), asc(deliveries.sequence))
    .limit(sql.placeholder('limit'))
    .as('earliest')
  // Reading one JSON array takes a third of the time of thousands of rows.
  return orm
    .select({ sequences: sql<string>`json_group_array(${earliest.sequence})` })
    .from(earliest)
    .prepare()
})

/**
 * Returns the sequence numbers of deliveries to an origin that are due at `instant`: the first `limit` by due time,
 * in the order of their events.
 */
export function dueSequences(workspace: Workspace, origin: string, instant: number, limit: number): number[] {
  const found = selectDueOfBacklog(workspace.database).get({
    workspace: workspace.rowScope,
    origin,
    instant,
    limit,
  })
  const sequences = JSON.parse(found?.sequences ?? '[]') as number[]
  // A typed array sorts faster.
  return Array.from(Float64Array.from(sequences).sort())
}

const selectNextDue = statement((orm) =>
  orm
    .select({ due: min(deliveries.nextAttemptAt) })
    .from(deliveries)
    .where(and(ofBacklog, gt(deliveries.nextAttemptAt, placeholder('instant'))))
    .prepare(),
)

/** Returns when the first delivery to an origin is due after `instant`; Infinity if none is. */
export const nextDueTime = (workspace: Workspace, origin: string, instant: number): number =>
  selectNextDue(workspace.database).get({ workspace: workspace.rowScope, origin, instant })?.due ?? Infinity

const selectAnyDue = statement((orm) =>
  orm
    .select({ sequence: deliveries.sequence })
    .from(deliveries)
    .where(
      and(
        ofBacklog,
        sql`${deliveries.nextAttemptAt} <= ${placeholder('instant')}`,
        sql`${deliveries.sequence} < ${placeholder('before')}`,
      ),
    )
    .limit(1)
    .prepare(),
)

/** Checks whether a delivery created before the sequence number `before` is pending and due at `instant`. */
export const isAnyDue = (workspace: Workspace, origin: string, instant: number, before: number): boolean =>
  selectAnyDue(workspace.database).get({ workspace: workspace.rowScope, origin, instant, before }) !==
  undefined

const countDueOfWorkspace = statement((orm) =>
  orm
    .select({ count: sql<number>`count(*)` })
    .from(deliveries)
    .where(
      and(isOfWorkspace, isPendingDelivery, sql`${deliveries.nextAttemptAt} <= ${placeholder('instant')}`),
    )
    .prepare(),
)

/** Counts the deliveries of a workspace that are due at `instant`. */
export const countDue = (workspace: Workspace, instant: number): number =>
  countDueOfWorkspace(workspace.database).get({ workspace: workspace.rowScope, instant })?.count ?? 0

type DueColumns = [
  id: string,
  subscription: string,
  from: string,
  event: string,
  record: string | null,
  url: string,
  origin: string,
  body: string,
  due: number,
  attempts: number,
  traceparent: string | null,
  tracestate: string | null,
]

const readDue = statement((orm, database) =>
  cellReader<DueColumns>(
    database,
    orm
      .select({
        id: deliveries.id,
        subscription: deliveries.subscription,
        interface: deliveries.interface,
        event: deliveries.event,
        record: deliveries.record,
        url: deliveries.url,
        origin: deliveries.origin,
        body: deliveries.body,
        due: deliveries.nextAttemptAt,
        attempts: sql`json_array_length(${deliveries.attempts})`,
        traceparent: deliveries.traceparent,
        tracestate: deliveries.tracestate,
      })
      .from(deliveries)
      .where(and(bySequence, canBeSent)),
  ),
)

/** A delivery that can be sent now, with everything that is needed to send it. */
export interface DueDelivery {
  readonly id: string
  readonly subscription: string
  readonly interface: string
  readonly event: string
  readonly record: string | null
  readonly url: string
  readonly origin: string
  readonly body: string
  readonly due: number
  /** The number of previous attempts. */
  readonly attempts: number
  readonly trace: Trace | null
}

/** Returns undefined if the delivery is no longer pending, or held back. */
export function findDueDelivery(database: Database, sequence: number): DueDelivery | undefined {
  const row = readDue(database).first({ sequence })
  if (!row) return undefined
  const [id, subscription, name, event, record, url, origin, body, due, attempts, traceparent, tracestate] =
    row
  const trace = traceparent === null ? null : { traceparent, tracestate }
  return { id, subscription, interface: name, event, record, url, origin, body, due, attempts, trace }
}
