/** Webhook subscriptions and the queue of deliveries. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  filledText,
  flag,
  instant,
  listOf,
  table,
  text as columnText,
  textOf,
} from '../../state/storage/columns.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { filled, oneOf } from '../../state/storage/shapes.ts'
import { deliveryMachine } from './machine.ts'

export const subscriptions = table(
  'webhook_subscriptions',
  {
    interface: textOf(() => oneOf(INTERFACE_NAMES)),
    url: columnText(),
    /** Event names; `["*"]` means all of the interface. */
    events: listOf(filled, { minItems: 1 }),
    secret: filledText(),
    active: flag().default(true),
    createdAt: instant(),
    updatedAt: instant(),
  },
  (self) => [index('webhook_subscriptions_interface').on(self.workspace, self.interface)],
)

/** One attempt of a delivery. `status` is that of the response; null without a response. */
export interface StoredAttempt {
  readonly at: string
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

export const deliveries = sqliteTable(
  'webhook_deliveries',
  {
    /**
     * The order of creation, by numbers that are never reused (`Database.nextRevision`), so that the result of an
     * attempt can't be written to another delivery after a reset restarts the ids.
     */
    sequence: integer().primaryKey(),
    workspace: integer().notNull(),
    id: text().notNull(),
    subscription: text().notNull(),
    interface: text().notNull(),
    event: text().notNull(),
    /** The record of the event; null if it has no single record. See order.ts. */
    record: text(),
    url: text().notNull(),
    /** Scheme, host and port of the URL; limits of concurrency apply to it. */
    origin: text().notNull(),
    /** The exact bytes of every attempt. */
    body: text().notNull(),
    status: text({ enum: deliveryMachine.states }).notNull().default('pending'),
    attempts: text({ mode: 'json' }).$type<readonly StoredAttempt[]>().notNull(),
    /** Attempts since its creation or last redelivery: its position in the schedule. */
    round: integer().notNull().default(0),
    /** True if it waits for an earlier delivery of the same record to the same subscription. */
    held: integer({ mode: 'boolean' }).notNull().default(false),
    /** On the workspace's clock; null if no attempt follows. */
    nextAttemptAt: integer('next_attempt_at'),
    createdAt: integer('created_at').notNull(),
    /** The trace context of the causing call; see state/trace.ts. */
    traceparent: text(),
    tracestate: text(),
  },
  (table) => [
    // SQLite appends the rowid, here the sequence, to every index, so this is in the order of lists. Lookups by id or
    // event scan it, because another index would slow down each create.
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
