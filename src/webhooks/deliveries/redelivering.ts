/** Makes deliveries pending again: one, or all that match a filter. */
import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { statement, type Database } from '../../state/storage/database/database.ts'
import { mustMove } from '../../state/model/machine.ts'
import { refuse } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Listeners } from '../listeners/listeners.ts'
import { originOf } from '../targets/urls.ts'
import type { DeliveryStatus } from './deliveries.ts'
import { bySequence, isOfWorkspace, placeholder } from './deliveryConditions.ts'
import { STATUS_IS } from './deliveryLog.ts'
import { deliveryMachine } from './machine.ts'
import { heldOnUpdate, holdNext } from './order.ts'
import { deliveries, subscriptions } from './tables.ts'

/** The columns that decide whether and where a delivery is sent again. */
const COLUMNS = {
  sequence: deliveries.sequence,
  status: deliveries.status,
  subscription: deliveries.subscription,
  url: subscriptions.url,
  active: subscriptions.active,
}

const itsSubscription = and(
  eq(subscriptions.workspace, deliveries.workspace),
  eq(subscriptions.id, deliveries.subscription),
)

const findOne = statement((orm) =>
  orm
    .select(COLUMNS)
    .from(deliveries)
    .leftJoin(subscriptions, itsSubscription)
    .where(and(isOfWorkspace, eq(deliveries.id, sql.placeholder('id'))))
    .prepare(),
)

type Found = NonNullable<ReturnType<ReturnType<typeof findOne>['get']>>

const updateForRetry = statement((orm) =>
  orm
    .update(deliveries)
    .set({
      status: placeholder('status'),
      url: placeholder('url'),
      origin: placeholder('origin'),
      round: 0,
      held: heldOnUpdate,
      nextAttemptAt: placeholder('nextAttemptAt'),
    })
    .where(bySequence)
    .prepare(),
)

/** A delivery that is pending again. */
export interface RetriedDelivery {
  readonly origin: string
  readonly due: number
  /** True if another delivery of the same record must wait from now on. */
  readonly holdsBack: boolean
}

/** The subscriptions without rows. */
type Urls = Pick<Listeners, 'urlOf'>

/**
 * Makes a delivery pending again, with a new schedule and the current URL of its subscription. Refuses an unknown
 * delivery and a missing or inactive subscription. Only inside a `write`.
 */
export function retryDelivery(workspace: Workspace, id: string, urls: Urls): RetriedDelivery {
  const found = findOne(workspace.database).get({ workspace: workspace.rowScope, id })
  if (!found) return refuse('not_found', `There is no delivery ${id}.`)
  if (found.active === false) return refuse('conflict', 'The subscription of this delivery is not active.')
  return retry(workspace, found, urls) ?? refuse('conflict', 'The subscription of this delivery was deleted.')
}

/** Returns null if no active subscription exists. */
function retry(workspace: Workspace, found: Found, urls: Urls): RetriedDelivery | null {
  const { sequence, subscription, active } = found
  const url = found.url ?? urls.urlOf(workspace, subscription)
  if (url === null || active === false) return null
  const due = workspace.now()
  const origin = originOf(url)
  const status = mustMove(deliveryMachine, found.status, 'send_again')
  updateForRetry(workspace.database).run({ sequence, status, url, origin, nextAttemptAt: due })
  return { origin, due, holdsBack: holdNext(workspace.database, sequence) }
}

export interface RedeliveryFilter {
  readonly status: DeliveryStatus
  readonly interface?: string | undefined
  readonly event?: string | undefined
  /** Deliveries of events from this instant on, on the workspace's clock. */
  readonly since?: number | undefined
}

/** Deliveries that are read at once. */
const BATCH = 50

const createPrepared = (): Map<DeliveryStatus, ReturnType<typeof prepareNext>> => new Map()

function prepareNext(database: Database, status: DeliveryStatus) {
  return database.orm
    .select(COLUMNS)
    .from(deliveries)
    .leftJoin(subscriptions, itsSubscription)
    .where(
      and(
        isOfWorkspace,
        STATUS_IS[status],
        gt(deliveries.sequence, sql.placeholder('after')),
        lt(deliveries.sequence, sql.placeholder('before')),
        sql`${deliveries.interface} = coalesce(${sql.placeholder('interface')}, ${deliveries.interface})`,
        sql`${deliveries.event} = coalesce(${sql.placeholder('event')}, ${deliveries.event})`,
        gte(deliveries.createdAt, sql.placeholder('since')),
      ),
    )
    .orderBy(asc(deliveries.sequence))
    .limit(BATCH)
    .prepare()
}

/**
 * Makes all matching deliveries with an active subscription pending again, in the order of their events and in slices.
 * `retried` is called for each in a `write`. Ignores deliveries that are created later. Returns the number.
 */
export async function retryMatching(
  workspace: Workspace,
  { status, interface: of, event, since = Number.MIN_SAFE_INTEGER }: RedeliveryFilter,
  urls: Urls,
  retried: (delivery: RetriedDelivery) => void,
): Promise<number> {
  const { database, generation } = workspace
  const prepared = database.own(createPrepared)
  let next = prepared.get(status)
  if (!next) prepared.set(status, (next = prepareNext(database, status)))
  const before = database.nextRevision()
  const slices = new Slices()
  let after = -1
  let count = 0
  // A reset or a deletion between two slices ends the work.
  while (workspace.isRegistered && workspace.generation === generation) {
    const found = next.all({
      workspace: workspace.rowScope,
      after,
      before,
      interface: of ?? null,
      event: event ?? null,
      since,
    })
    workspace.write(() => {
      for (const one of found) {
        const delivery = retry(workspace, one, urls)
        if (!delivery) continue
        count++
        retried(delivery)
      }
    })
    if (found.length < BATCH) break
    after = found.at(-1)?.sequence ?? after
    if (slices.isOver) await slices.turn()
  }
  return count
}
