/** Lists and counts deliveries, for the control plane. */
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import { statement, type Database } from '../../state/storage/database/database.ts'
import { isAmong, query } from '../../state/storage/queries/query.ts'
import { longPoll } from '../../state/timeline/longPoll.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Delivery, DeliveryStatus } from './deliveries.ts'
import { isPendingDelivery, isOfWorkspace } from './deliveryConditions.ts'
import { deliveries } from './tables.ts'

export interface DeliveryQuery {
  readonly interface?: string | undefined
  readonly event?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly subscription?: string | undefined
  readonly limit: number
}

/** The conditions of each status, in the form of the indexes. */
export const STATUS_IS: Readonly<Record<DeliveryStatus, SQL>> = {
  pending: isPendingDelivery,
  delivered: sql`${deliveries.status} = 'delivered'`,
  dead: sql`${deliveries.status} = 'dead'`,
}

const FILTERS = ['interface', 'event', 'status', 'subscription'] as const

type PreparedList = ReturnType<typeof prepareList>

const createPreparedLists = (): Map<string, PreparedList> => new Map()

function prepareList(database: Database, { interface: name, event, status, subscription }: DeliveryQuery) {
  return database.orm
    .select()
    .from(deliveries)
    .where(
      and(
        isOfWorkspace,
        name === undefined ? undefined : eq(deliveries.interface, sql.placeholder('interface')),
        event === undefined ? undefined : eq(deliveries.event, sql.placeholder('event')),
        status && STATUS_IS[status],
        subscription === undefined ? undefined : eq(deliveries.subscription, sql.placeholder('subscription')),
      ),
    )
    .orderBy(desc(deliveries.sequence))
    .limit(sql.placeholder('limit'))
    .prepare()
}

/** Returns the workspace's deliveries, newest first. */
export function listDeliveries(workspace: Workspace, query: DeliveryQuery): Delivery[] {
  const { database } = workspace
  const shape = FILTERS.map((name) =>
    query[name] === undefined ? '' : name === 'status' ? query[name] : name,
  ).join(' ')
  const shapes = database.own(createPreparedLists)
  let run = shapes.get(shape)
  if (!run) shapes.set(shape, (run = prepareList(database, query)))
  return run.all({ ...query, workspace: workspace.rowScope })
}

const countDeadOfWorkspace = statement((orm) =>
  orm
    .select({ count: sql<number>`count(*)` })
    .from(
      orm
        .select({ sequence: deliveries.sequence })
        .from(deliveries)
        .where(and(isOfWorkspace, STATUS_IS.dead))
        .limit(sql.placeholder('max'))
        .as('dead'),
    )
    .prepare(),
)

/** Counts the dead deliveries of a workspace, up to `max`. */
export const countDead = ({ database, rowScope }: Workspace, max: number): number =>
  countDeadOfWorkspace(database).get({ workspace: rowScope, max })?.count ?? 0

/** The most deliveries of a status that are counted, because each count reads them. */
const MAX_COUNTED = 10_000

const countBySubscription = (status: 'pending' | 'dead') =>
  statement((orm) => {
    const newest = orm
      .select({ subscription: deliveries.subscription })
      .from(deliveries)
      .where(and(isOfWorkspace, STATUS_IS[status]))
      .limit(MAX_COUNTED)
      .as('newest')
    return orm
      .select({ subscription: newest.subscription, count: sql<number>`count(*)` })
      .from(newest)
      .groupBy(newest.subscription)
      .prepare()
  })

const countPendingOf = countBySubscription('pending')
const countDeadOf = countBySubscription('dead')

/** Counts the unfinished deliveries by subscription; at most 10,000 of each status are counted. */
export function countUndelivered({ database, rowScope }: Workspace): {
  readonly pending: ReadonlyMap<string, number>
  readonly dead: ReadonlyMap<string, number>
} {
  const counted = (of: typeof countPendingOf) =>
    new Map(
      of(database)
        .all({ workspace: rowScope })
        .map((row) => [row.subscription, row.count]),
    )
  return { pending: counted(countPendingOf), dead: counted(countDeadOf) }
}

/** Finds deliveries that wait for their first attempt. */
const findWithoutAttempt = query((orm) =>
  orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isOfWorkspace, isAmong(deliveries.id), isPendingDelivery, sql`${deliveries.attempts} = '[]'`))
    .limit(1),
)

/** Seconds after which an attempt has ended in any case. */
const MAX_WAIT = 60

/** Resolves when the first attempt of each delivery has ended, or when it is cut short. */
export async function firstAttempts(
  workspace: Workspace,
  ids: readonly string[],
  cut: AbortSignal,
): Promise<void> {
  const areMade = (): boolean => !findWithoutAttempt.first(workspace, { ids: JSON.stringify(ids) })
  await longPoll(workspace, 'deliveries', MAX_WAIT, areMade, (made) => made, cut)
}
