/** The rows of the queue: pending deliveries, results of attempts, and the log for the control plane. */
import { and, asc, desc, eq, gt, lte, min, sql, type SQL } from 'drizzle-orm'
import { statement, type Database } from '../state/storage/database/database.ts'
import { trimmer } from '../state/storage/records/retention.ts'
import { mustMove } from '../state/model/machine.ts'
import { writer } from '../state/storage/database/prepared.ts'
import { cellReader } from '../state/storage/queries/readers.ts'
import { refuse } from '../state/model/refusal.ts'
import type { Trace } from '../state/timeline/trace.ts'
import type { Workspace } from '../state/workspace/workspace.ts'
import { deliveryMachine } from './machine.ts'
import { heldOnInsert, heldOnUpdate, holdNext } from './order.ts'
import { delayAfter, type Schedule } from './schedule.ts'
import { deliveries, subscriptions, type Attempt } from './tables.ts'
import { originOf } from './urls.ts'

export type Delivery = typeof deliveries.$inferSelect
export type DeliveryStatus = Delivery['status']

const placeholder = (name: string): SQL => sql`${sql.placeholder(name)}`

/** A literal, because SQLite uses a partial index only if the condition repeats that of the index. */
const isPending = sql`${deliveries.status} = 'pending'`

/** True for every origin; makes SQLite use the index of pending deliveries instead of scanning the log. */
const isPendingDelivery = sql`${deliveries.origin} > '' and ${isPending}`

const ofWorkspace = eq(deliveries.workspace, sql.placeholder('workspace'))
/** Pending and not held back by another delivery. */
const canBeSent = sql`${isPending} and ${deliveries.held} = 0`
const ofBacklog = and(ofWorkspace, eq(deliveries.origin, sql.placeholder('origin')), canBeSent)
const bySequence = eq(deliveries.sequence, sql.placeholder('sequence'))

export interface NewDelivery {
  readonly subscription: string
  readonly interface: string
  readonly event: string
  /** The record of the event; null if it has no single record. */
  readonly record: string | null
  readonly url: string
  readonly origin: string
  readonly body: string
  /** Ms until the first attempt. */
  readonly delay: number
  readonly trace: Trace | null
}

const insertOne = writer((orm) =>
  orm.insert(deliveries).values({
    sequence: placeholder('sequence'),
    workspace: placeholder('workspace'),
    id: placeholder('id'),
    subscription: placeholder('subscription'),
    interface: placeholder('interface'),
    event: placeholder('event'),
    record: placeholder('record'),
    url: placeholder('url'),
    origin: placeholder('origin'),
    body: placeholder('body'),
    status: deliveryMachine.initial[0],
    attempts: [],
    round: 0,
    held: heldOnInsert({
      workspace: placeholder('workspace'),
      subscription: placeholder('subscription'),
      record: placeholder('record'),
    }),
    nextAttemptAt: placeholder('nextAttemptAt'),
    createdAt: placeholder('createdAt'),
    traceparent: placeholder('traceparent'),
    tracestate: placeholder('tracestate'),
  }),
)

/** Dead deliveries stay until they are redelivered or the workspace is reset. */
const trimDeliveries = trimmer(deliveries, sql`${deliveries.status} = 'delivered'`)

/** A new pending delivery. */
export interface PendingDelivery {
  readonly id: string
  readonly sequence: number
  readonly due: number
}

/** Creates a pending delivery. Only inside a `write`. */
export function createDelivery(workspace: Workspace, delivery: NewDelivery): PendingDelivery {
  const id = workspace.ids.cuid2('delivery')
  const now = workspace.now()
  const due = now + delivery.delay
  const sequence = workspace.database.nextRevision()
  // Lists each property, because adding properties to a copy is slow.
  insertOne(workspace.database, {
    subscription: delivery.subscription,
    interface: delivery.interface,
    event: delivery.event,
    record: delivery.record,
    url: delivery.url,
    origin: delivery.origin,
    body: delivery.body,
    sequence,
    workspace: workspace.rowScope,
    id,
    nextAttemptAt: due,
    createdAt: now,
    traceparent: delivery.trace?.traceparent ?? null,
    tracestate: delivery.trace?.tracestate ?? null,
  })
  trimDeliveries(workspace)
  return { id, sequence, due }
}

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
    .where(and(ofWorkspace, isPendingDelivery, sql`${deliveries.nextAttemptAt} <= ${placeholder('instant')}`))
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

const DELIVERED = mustMove(deliveryMachine, 'pending', 'succeed')
const DEAD = mustMove(deliveryMachine, 'pending', 'give_up')

const withAttempt = sql`json_insert(${deliveries.attempts}, '$[#]', json(${placeholder('attempt')}))`

const markDelivered = writer((orm) =>
  orm
    .update(deliveries)
    .set({
      status: DELIVERED,
      attempts: withAttempt,
      round: sql`${deliveries.round} + 1`,
      nextAttemptAt: null,
    })
    .where(and(bySequence, isPending)),
)

const readRound = statement((orm) =>
  orm.select({ round: deliveries.round }).from(deliveries).where(and(bySequence, isPending)).prepare(),
)

const markFailed = writer((orm) =>
  orm
    .update(deliveries)
    .set({
      status: placeholder('status'),
      attempts: withAttempt,
      round: placeholder('round'),
      nextAttemptAt: placeholder('nextAttemptAt'),
    })
    .where(bySequence),
)

const addAttempt = writer((orm) => orm.update(deliveries).set({ attempts: withAttempt }).where(bySequence))

/** The state of a delivery after an attempt. */
export interface Outcome {
  readonly status: DeliveryStatus
  /** Failed attempts in this round; 0 if it was delivered or no longer pending. */
  readonly round: number
  /** null if no attempt follows. */
  readonly nextAttemptAt: number | null
}

/** The status of a receiver that no longer exists: RFC 9110, 15.5.11. */
export const GONE = 410

const NO_LONGER_PENDING: Outcome = { status: DEAD, round: 0, nextAttemptAt: null }
const SUCCEEDED: Outcome = { status: DELIVERED, round: 0, nextAttemptAt: null }

/**
 * Stores the result of an attempt and plans the next one, not before `retryAfterMs`, and none after a 410. Ignores a
 * delivery that a reset has deleted; a canceled one stays dead. Only inside a `write`.
 */
export function recordAttempt(
  workspace: Workspace,
  sequence: number,
  schedule: Schedule,
  attempt: Attempt,
  retryAfterMs = 0,
): Outcome {
  const { database } = workspace
  const values = { sequence, attempt: JSON.stringify(attempt) }
  if (attempt.error === null) {
    if (markDelivered(database, values) === 0) addAttempt(database, values)
    return SUCCEEDED
  }
  const pending = readRound(database).get({ sequence })
  if (!pending) {
    addAttempt(database, values)
    return NO_LONGER_PENDING
  }
  const round = pending.round + 1
  const delay = delayAfter(round, workspace.ids.chance('webhook.jitter'), schedule)
  const outcome: Outcome =
    delay === null || attempt.status === GONE
      ? { status: DEAD, round, nextAttemptAt: null }
      : { status: 'pending', round, nextAttemptAt: workspace.now() + Math.max(delay, retryAfterMs) }
  markFailed(database, { ...values, ...outcome })
  return outcome
}

const cancelAll = statement((orm) =>
  orm
    .update(deliveries)
    .set({ status: DEAD, held: false, nextAttemptAt: null })
    .where(and(ofWorkspace, eq(deliveries.subscription, sql.placeholder('subscription')), isPendingDelivery))
    .prepare(),
)

/** Cancels the pending deliveries to a subscription. Only inside a `write`. */
export function cancelPending(workspace: Workspace, subscription: string): void {
  cancelAll(workspace.database).run({ workspace: workspace.rowScope, subscription })
}

const redirectAll = statement((orm) =>
  orm
    .update(deliveries)
    .set({ url: placeholder('url'), origin: placeholder('origin') })
    .where(and(ofWorkspace, eq(deliveries.subscription, sql.placeholder('subscription')), isPendingDelivery))
    .prepare(),
)

/** Moves the pending deliveries to a subscription to another URL. Only inside a `write`. */
export function redirectPending(workspace: Workspace, subscription: string, url: string): void {
  const origin = originOf(url)
  redirectAll(workspace.database).run({ workspace: workspace.rowScope, subscription, url, origin })
}

const findOne = statement((orm) =>
  orm
    .select({
      sequence: deliveries.sequence,
      status: deliveries.status,
      url: subscriptions.url,
      active: subscriptions.active,
    })
    .from(deliveries)
    .leftJoin(
      subscriptions,
      and(eq(subscriptions.workspace, deliveries.workspace), eq(subscriptions.id, deliveries.subscription)),
    )
    .where(and(ofWorkspace, eq(deliveries.id, sql.placeholder('id'))))
    .prepare(),
)

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

/**
 * Makes a delivery pending again, with a new schedule and the current URL of its subscription. Refuses an unknown
 * delivery and a missing or inactive subscription. Only inside a `write`.
 */
export function retryDelivery(workspace: Workspace, id: string): RetriedDelivery {
  const found = findOne(workspace.database).get({ workspace: workspace.rowScope, id })
  if (!found) return refuse('not_found', `There is no delivery ${id}.`)
  if (found.url === null) return refuse('conflict', 'The subscription of this delivery was deleted.')
  if (!found.active) return refuse('conflict', 'The subscription of this delivery is not active.')
  const due = workspace.now()
  const origin = originOf(found.url)
  const status = mustMove(deliveryMachine, found.status, 'send_again')
  const { sequence, url } = found
  updateForRetry(workspace.database).run({ sequence, status, url, origin, nextAttemptAt: due })
  return { origin, due, holdsBack: holdNext(workspace.database, sequence) }
}

export interface DeliveryQuery {
  readonly interface?: string | undefined
  readonly event?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly limit: number
}

const STATUS_IS: Readonly<Record<DeliveryStatus, SQL>> = {
  pending: isPendingDelivery,
  delivered: sql`${deliveries.status} = 'delivered'`,
  dead: sql`${deliveries.status} = 'dead'`,
}

const FILTERS = ['interface', 'event', 'status'] as const

type PreparedList = ReturnType<typeof prepareList>

const createPreparedLists = (): Map<string, PreparedList> => new Map()

function prepareList(database: Database, { interface: name, event, status }: DeliveryQuery) {
  return database.orm
    .select()
    .from(deliveries)
    .where(
      and(
        ofWorkspace,
        name === undefined ? undefined : eq(deliveries.interface, sql.placeholder('interface')),
        event === undefined ? undefined : eq(deliveries.event, sql.placeholder('event')),
        status && STATUS_IS[status],
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
