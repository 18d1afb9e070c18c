/** The rows of the queue: what is owed, what came of each attempt, and the log that the control plane shows. */
import { and, asc, desc, eq, gt, lte, min, sql, type SQL } from 'drizzle-orm'
import { statement, type Database } from '../state/database.ts'
import { trimmer } from '../state/retention.ts'
import { mustMove } from '../state/machine.ts'
import { writer } from '../state/prepared.ts'
import { cellReader } from '../state/reading.ts'
import { refuse } from '../state/refusal.ts'
import type { Trace } from '../state/trace.ts'
import type { Workspace } from '../state/workspace.ts'
import { deliveryMachine } from './machine.ts'
import { heldOnInsert, heldOnUpdate, holdNext } from './order.ts'
import { delayAfter, type Schedule } from './schedule.ts'
import { deliveries, subscriptions, type Attempt } from './tables.ts'
import { originOf } from './urls.ts'

export type Delivery = typeof deliveries.$inferSelect
export type DeliveryStatus = Delivery['status']

const placeholder = (name: string): SQL => sql`${sql.placeholder(name)}`

/** As a literal, for an index over some of the rows serves only conditions that name what it is over. */
const isPending = sql`${deliveries.status} = 'pending'`

/** Every origin is more than nothing; naming it makes SQLite go by the index of what is owed, not by the whole log. */
const isPendingDelivery = sql`${deliveries.origin} > '' and ${isPending}`

const ofWorkspace = eq(deliveries.workspace, sql.placeholder('workspace'))
/** Pending, and held back by no other. */
const mayGo = sql`${isPending} and ${deliveries.held} = 0`
const ofBacklog = and(ofWorkspace, eq(deliveries.origin, sql.placeholder('origin')), mayGo)
const itself = eq(deliveries.sequence, sql.placeholder('sequence'))

export interface NewDelivery {
  readonly subscription: string
  readonly interface: string
  readonly event: string
  /** The record that the event tells of; null where it tells of none. */
  readonly record: string | null
  readonly url: string
  readonly origin: string
  readonly body: string
  /** Ms from now to the first attempt. */
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

/** Dead letters stay until somebody sends them again or resets the workspace. */
const trimDeliveries = trimmer(deliveries, sql`${deliveries.status} = 'delivered'`)

/** What has come to be owed. */
export interface PendingDelivery {
  readonly id: string
  readonly sequence: number
  readonly due: number
}

/** Owes a delivery. Only inside a `write`. */
export function createDelivery(workspace: Workspace, delivery: NewDelivery): PendingDelivery {
  const id = workspace.ids.cuid2('delivery')
  const now = workspace.now()
  const due = now + delivery.delay
  const sequence = workspace.database.nextRevision()
  // Named one by one, for a copy that gets more properties is slow to make.
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

/** All that is owed of one workspace to one origin. */
export interface PendingGroup {
  readonly workspace: number
  readonly origin: string
  /** When the first of it is due. */
  readonly due: number
}

/** What is owed by all workspaces, read from the index alone. */
export const pendingGroups = (database: Database): PendingGroup[] =>
  database.orm
    .select({
      workspace: deliveries.workspace,
      origin: deliveries.origin,
      due: sql<number>`min(${deliveries.nextAttemptAt})`,
    })
    .from(deliveries)
    .where(mayGo)
    .groupBy(deliveries.workspace, deliveries.origin)
    .all()

/** How many deliveries are still owed by all workspaces. */
export const countPending = (database: Database): number =>
  database.orm
    .select({ count: sql<number>`count(*)` })
    .from(deliveries)
    .where(isPendingDelivery)
    .get()?.count ?? 0

const dueOfBacklog = statement((orm) => {
  const earliest = orm
    .select({ sequence: deliveries.sequence })
    .from(deliveries)
    .where(and(ofBacklog, lte(deliveries.nextAttemptAt, placeholder('instant'))))
    .orderBy(asc(deliveries.nextAttemptAt), asc(deliveries.sequence))
    .limit(sql.placeholder('limit'))
    .as('earliest')
  // One text with thousands of numbers is read in a third of the time that their rows would take.
  return orm
    .select({ sequences: sql<string>`json_group_array(${earliest.sequence})` })
    .from(earliest)
    .prepare()
})

/**
 * The sequence numbers of what a workspace owes to an origin and is due at `instant`: of the first `limit` by when they
 * fell due, in the order of their events.
 */
export function dueTo(workspace: Workspace, origin: string, instant: number, limit: number): number[] {
  const found = dueOfBacklog(workspace.database).get({
    workspace: workspace.rowScope,
    origin,
    instant,
    limit,
  })
  const sequences = JSON.parse(found?.sequences ?? '[]') as number[]
  // Numbers are sorted faster where nothing else can stand.
  return Array.from(Float64Array.from(sequences).sort())
}

const nextDueOfBacklog = statement((orm) =>
  orm
    .select({ due: min(deliveries.nextAttemptAt) })
    .from(deliveries)
    .where(and(ofBacklog, gt(deliveries.nextAttemptAt, placeholder('instant'))))
    .prepare(),
)

/** When the first of what a workspace owes to an origin is due after `instant`; Infinity when nothing is. */
export const nextDueTo = (workspace: Workspace, origin: string, instant: number): number =>
  nextDueOfBacklog(workspace.database).get({ workspace: workspace.rowScope, origin, instant })?.due ??
  Infinity

const anyDue = statement((orm) =>
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

/** Whether something that was made before the sequence number `before` is still owed and due at `instant`. */
export const isAnyDue = (workspace: Workspace, origin: string, instant: number, before: number): boolean =>
  anyDue(workspace.database).get({ workspace: workspace.rowScope, origin, instant, before }) !== undefined

const dueInAll = statement((orm) =>
  orm
    .select({ count: sql<number>`count(*)` })
    .from(deliveries)
    .where(and(ofWorkspace, isPendingDelivery, sql`${deliveries.nextAttemptAt} <= ${placeholder('instant')}`))
    .prepare(),
)

/** How many deliveries of a workspace are due at `instant`. */
export const countDue = (workspace: Workspace, instant: number): number =>
  dueInAll(workspace.database).get({ workspace: workspace.rowScope, instant })?.count ?? 0

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
      .where(and(itself, mayGo)),
  ),
)

/** A delivery that may go, with what it takes to send it. */
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
  /** Those that have been made. */
  readonly attempts: number
  readonly trace: Trace | null
}

/** undefined when it is owed no more, or held back. */
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
    .where(and(itself, isPending)),
)

const readRound = statement((orm) =>
  orm.select({ round: deliveries.round }).from(deliveries).where(and(itself, isPending)).prepare(),
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
    .where(itself),
)

const addAttempt = writer((orm) => orm.update(deliveries).set({ attempts: withAttempt }).where(itself))

/** What an attempt has made of a delivery. */
export interface Outcome {
  readonly status: DeliveryStatus
  /** Failed attempts in this round; 0 when delivered, or when the delivery was no longer owed. */
  readonly round: number
  /** null when nothing more is planned. */
  readonly nextAttemptAt: number | null
}

/** What a receiver answers that wants nothing more, ever: RFC 9110, 15.5.11. */
export const GONE = 410

const NO_LONGER_PENDING: Outcome = { status: DEAD, round: 0, nextAttemptAt: null }
const TAKEN: Outcome = { status: DELIVERED, round: 0, nextAttemptAt: null }

/**
 * Writes down what came of an attempt and plans the next. A delivery that a reset has removed meanwhile is left
 * alone; one that was dropped while it was under way keeps the attempt and stays dead. The next attempt is not made before
 * `retryAfterMs` are over, and none after a 410. Only inside a `write`.
 */
export function recordAttempt(
  workspace: Workspace,
  sequence: number,
  schedule: Schedule,
  attempt: Attempt,
  retryAfterMs = 0,
): Outcome {
  const { database } = workspace
  const written = { sequence, attempt: JSON.stringify(attempt) }
  if (attempt.error === null) {
    if (markDelivered(database, written) === 0) addAttempt(database, written)
    return TAKEN
  }
  const owed = readRound(database).get({ sequence })
  if (!owed) {
    addAttempt(database, written)
    return NO_LONGER_PENDING
  }
  const round = owed.round + 1
  const delay = delayAfter(round, workspace.ids.chance('webhook.jitter'), schedule)
  const outcome: Outcome =
    delay === null || attempt.status === GONE
      ? { status: DEAD, round, nextAttemptAt: null }
      : { status: 'pending', round, nextAttemptAt: workspace.now() + Math.max(delay, retryAfterMs) }
  markFailed(database, { ...written, ...outcome })
  return outcome
}

const dropAll = statement((orm) =>
  orm
    .update(deliveries)
    .set({ status: DEAD, held: false, nextAttemptAt: null })
    .where(and(ofWorkspace, eq(deliveries.subscription, sql.placeholder('subscription')), isPendingDelivery))
    .prepare(),
)

/** Gives up all that is owed to a subscription. Only inside a `write`. */
export function cancelPending(workspace: Workspace, subscription: string): void {
  dropAll(workspace.database).run({ workspace: workspace.rowScope, subscription })
}

const moveAll = statement((orm) =>
  orm
    .update(deliveries)
    .set({ url: placeholder('url'), origin: placeholder('origin') })
    .where(and(ofWorkspace, eq(deliveries.subscription, sql.placeholder('subscription')), isPendingDelivery))
    .prepare(),
)

/** Sends all that is owed to a subscription to another url. Only inside a `write`. */
export function redirectPending(workspace: Workspace, subscription: string, url: string): void {
  const origin = originOf(url)
  moveAll(workspace.database).run({ workspace: workspace.rowScope, subscription, url, origin })
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

const restart = statement((orm) =>
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
    .where(itself)
    .prepare(),
)

/** What has come to be owed anew. */
export interface RetriedDelivery {
  readonly origin: string
  readonly due: number
  /** Whether another of the same record has to wait from now on. */
  readonly holdsBack: boolean
}

/**
 * Owes a delivery anew, at the beginning of its schedule and to where its subscription points now. A refusal when
 * there is no such delivery, or nobody to send it to. Only inside a `write`.
 */
export function oweAgain(workspace: Workspace, id: string): RetriedDelivery {
  const found = findOne(workspace.database).get({ workspace: workspace.rowScope, id })
  if (!found) return refuse('not_found', `There is no delivery ${id}.`)
  if (found.url === null) return refuse('conflict', 'The subscription of this delivery is gone.')
  if (!found.active) return refuse('conflict', 'The subscription of this delivery is not active.')
  const due = workspace.now()
  const origin = originOf(found.url)
  const status = mustMove(deliveryMachine, found.status, 'send_again')
  const { sequence, url } = found
  restart(workspace.database).run({ sequence, status, url, origin, nextAttemptAt: due })
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

const preparedLists = (): Map<string, PreparedList> => new Map()

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

/** The workspace's deliveries, newest first. */
export function listDeliveries(workspace: Workspace, query: DeliveryQuery): Delivery[] {
  const { database } = workspace
  const shape = FILTERS.map((name) =>
    query[name] === undefined ? '' : name === 'status' ? query[name] : name,
  ).join(' ')
  const shapes = database.own(preparedLists)
  let run = shapes.get(shape)
  if (!run) shapes.set(shape, (run = prepareList(database, query)))
  return run.all({ ...query, workspace: workspace.rowScope })
}
