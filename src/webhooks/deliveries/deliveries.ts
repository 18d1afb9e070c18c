/** Writes the rows of the queue: new deliveries, results of attempts and cancellations. */
import { and, eq, sql } from 'drizzle-orm'
import { statement } from '../../state/storage/database/database.ts'
import { trimmer } from '../../state/storage/queries/retention.ts'
import { mustMove } from '../../state/model/machine.ts'
import { writer } from '../../state/storage/database/prepared.ts'
import type { Trace } from '../../state/timeline/trace.ts'
import type { RetrySchedule } from '../../state/workspace/events.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { bySequence, isPending, isPendingDelivery, isOfWorkspace, placeholder } from './deliveryConditions.ts'
import { countCanceled } from './deliveryCounts.ts'
import { deliveryMachine } from './machine.ts'
import { heldOnInsert, heldOnUpdate } from './order.ts'
import { delayAfter } from '../profiles/schedule.ts'
import { deliveries, type StoredAttempt } from './tables.ts'
import { originOf } from '../targets/urls.ts'

export type Delivery = typeof deliveries.$inferSelect
export type DeliveryStatus = Delivery['status']

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

/** Pending deliveries stay. Dead ones can be redelivered until enough newer ones exist. */
const trimDeliveries = trimmer(deliveries, sql`${deliveries.status} in ('delivered', 'dead')`)

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
export interface DeliveryOutcome {
  readonly status: DeliveryStatus
  /** Failed attempts in this round; 0 if it was delivered or no longer pending. */
  readonly round: number
  /** null if no attempt follows. */
  readonly nextAttemptAt: number | null
}

/** The status of a receiver that no longer exists: RFC 9110, 15.5.11. */
export const GONE = 410

const NO_LONGER_PENDING: DeliveryOutcome = { status: DEAD, round: 0, nextAttemptAt: null }
const SUCCEEDED: DeliveryOutcome = { status: DELIVERED, round: 0, nextAttemptAt: null }

/**
 * Stores the result of an attempt and plans the next one, not before `retryAfterMs`, and none after a 410. Ignores a
 * delivery that a reset has deleted; a canceled one stays dead. Only inside a `write`.
 */
export function recordAttempt(
  workspace: Workspace,
  sequence: number,
  schedule: RetrySchedule,
  attempt: StoredAttempt,
  retryAfterMs = 0,
): DeliveryOutcome {
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
  const outcome: DeliveryOutcome =
    delay === null || attempt.status === GONE
      ? { status: DEAD, round, nextAttemptAt: null }
      : { status: 'pending', round, nextAttemptAt: workspace.now() + Math.max(delay, retryAfterMs) }
  markFailed(database, { ...values, ...outcome })
  return outcome
}

const pendingOfSubscription = and(
  isOfWorkspace,
  eq(deliveries.subscription, sql.placeholder('subscription')),
  isPendingDelivery,
)

const cancel = statement((orm) =>
  orm
    .update(deliveries)
    .set({ status: DEAD, held: false, nextAttemptAt: null })
    .where(
      and(
        pendingOfSubscription,
        sql`${deliveries.event} not in (select value from json_each(${sql.placeholder('kept')}))`,
      ),
    )
    .prepare(),
)

const releaseOthers = statement((orm) =>
  orm
    .update(deliveries)
    .set({ held: heldOnUpdate })
    .where(and(pendingOfSubscription, eq(deliveries.held, true)))
    .prepare(),
)

/**
 * Cancels the pending deliveries to a subscription, except those of the `kept` events, which no longer wait for the others.
 * Only inside a `write`.
 */
export function cancelPending(
  { database, rowScope }: Workspace,
  { id: subscription, interface: of }: { readonly id: string; readonly interface: string },
  kept: readonly string[] = [],
): void {
  const which = { workspace: rowScope, subscription }
  const { changes } = cancel(database).run({ ...which, kept: JSON.stringify(kept) })
  if (changes > 0 && kept.length > 0) releaseOthers(database).run(which)
  database.whenCommitted((error) => {
    if (!error) countCanceled(database, of, changes)
  })
}

const redirectAll = statement((orm) =>
  orm
    .update(deliveries)
    .set({ url: placeholder('url'), origin: placeholder('origin') })
    .where(pendingOfSubscription)
    .prepare(),
)

/** Moves the pending deliveries to a subscription to another URL. Only inside a `write`. */
export function redirectPending(workspace: Workspace, subscription: string, url: string): void {
  const origin = originOf(url)
  redirectAll(workspace.database).run({ workspace: workspace.rowScope, subscription, url, origin })
}
