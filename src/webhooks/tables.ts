/** Webhook subscriptions and the queue of deliveries. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { deliveryMachine } from './machine.ts'

export const subscriptions = sqliteTable(
  'webhook_subscriptions',
  {
    workspace: integer().notNull(),
    id: text().notNull(),
    interface: text().notNull(),
    url: text().notNull(),
    /** Event names; `["*"]` is all of the interface. */
    events: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    secret: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull().default(true),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('webhook_subscriptions_interface').on(table.workspace, table.interface),
  ],
)

/** One attempt to hand a delivery over. `status` is the receiver's answer; null when there was none. */
export interface Attempt {
  readonly at: string
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

export const deliveries = sqliteTable(
  'webhook_deliveries',
  {
    /**
     * The order in which they were made, by numbers that are never given twice (`Database.nextRevision`): what comes
     * of an attempt can't be written to another delivery, not even when a reset has let ids begin anew.
     */
    sequence: integer().primaryKey(),
    workspace: integer().notNull(),
    id: text().notNull(),
    subscription: text().notNull(),
    interface: text().notNull(),
    event: text().notNull(),
    /** The record that the event tells of; null where it tells of none. See order.ts. */
    record: text(),
    url: text().notNull(),
    /** Scheme, host and port of the url: what shares one bound on concurrency. */
    origin: text().notNull(),
    /** The exact bytes that every attempt sends. */
    body: text().notNull(),
    status: text({ enum: deliveryMachine.states }).notNull().default('pending'),
    attempts: text({ mode: 'json' }).$type<readonly Attempt[]>().notNull(),
    /** Attempts since the delivery was made or last sent again: its place in the schedule. */
    round: integer().notNull().default(0),
    /** Whether it is pending behind an earlier one of the same record to the same subscription. */
    held: integer({ mode: 'boolean' }).notNull().default(false),
    /** On the workspace's clock; null when nothing more is planned. */
    nextAttemptAt: integer('next_attempt_at'),
    createdAt: integer('created_at').notNull(),
    /** Of the call that brought it about; see state/trace.ts. */
    traceparent: text(),
    tracestate: text(),
  },
  (table) => [
    // SQLite ends every index with the row's number, here the sequence, so this is in the order of the lists. Who asks
    // for a delivery by its id or for those of an event walks through it: each create would pay for another index.
    index('webhook_deliveries_workspace').on(table.workspace),
    index('webhook_deliveries_owed')
      .on(table.workspace, table.origin, table.held, table.nextAttemptAt)
      .where(sql`${table.status} = 'pending'`),
    index('webhook_deliveries_order')
      .on(table.workspace, table.subscription, table.record)
      .where(sql`${table.status} = 'pending' and ${table.record} is not null`),
    index('webhook_deliveries_held')
      .on(table.workspace)
      .where(sql`${table.held} = 1`),
    index('webhook_deliveries_dead')
      .on(table.workspace)
      .where(sql`${table.status} = 'dead'`),
  ],
)
