/**
 * The order of deliveries: for each record and subscription, the first pending delivery holds back the others. Events
 * without a single record have no order. The `held` column is set on writes instead of lookups, because thousands may
 * wait behind one retry.
 */
import { and, eq, gt, isNotNull, lt, min, sql, type Column, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isAmong } from '../../state/storage/queries/query.ts'
import { statement, type Database } from '../../state/storage/database/database.ts'
import { writer } from '../../state/storage/database/prepared.ts'
import { deliveries } from './tables.ts'

/** The key of an order: the deliveries of one record to one subscription. */
type OrderKey = Readonly<Record<'workspace' | 'subscription' | 'record', unknown>>
type Table = Readonly<Record<keyof OrderKey | 'status', Column>>

/** Matches pending deliveries with the same key, in the form of the partial index. */
const pendingWith = (table: Table, { workspace, subscription, record }: OrderKey): SQL =>
  sql`${table.workspace} = ${workspace} and ${table.subscription} = ${subscription} and ${table.record} = ${record} and ${table.status} = 'pending'`

const other = alias(deliveries, 'other')

/** SQL: whether a delivery that is being inserted must wait for others. */
export const heldOnInsert = (cells: OrderKey): SQL<boolean> =>
  sql`exists (select 1 from ${deliveries} as ${sql.identifier('other')} where ${pendingWith(other, cells)})`

/** SQL: whether a delivery that is being updated must wait for others. */
export const heldOnUpdate: SQL<boolean> = sql`exists (select 1 from ${deliveries} as ${sql.identifier('other')} where ${and(pendingWith(other, deliveries), lt(other.sequence, deliveries.sequence))})`

/** A delivery that is no longer held back. */
export interface Released {
  readonly workspace: number
  readonly origin: string
  readonly sequence: number
  readonly due: number
}

/** Uses an index that is usually empty. */
const anyHeld = statement((orm) =>
  orm
    .select({ sequence: deliveries.sequence })
    .from(deliveries)
    .where(sql`${deliveries.held} = 1`)
    .limit(1)
    .prepare(),
)

const release = statement((orm) => {
  const ended = alias(deliveries, 'ended')
  const next = orm
    .select({ sequence: min(other.sequence) })
    .from(other)
    .where(pendingWith(other, ended))
  const nexts = orm
    .select({ sequence: sql`${next}` })
    .from(ended)
    .where(and(isAmong(ended.sequence, 'ended'), isNotNull(ended.record)))
  return orm
    .update(deliveries)
    .set({ held: false })
    .where(and(sql`${deliveries.sequence} in ${nexts}`, eq(deliveries.held, true)))
    .returning({
      workspace: deliveries.workspace,
      origin: deliveries.origin,
      sequence: deliveries.sequence,
      due: sql<number>`${deliveries.nextAttemptAt}`,
    })
    .prepare()
})

/**
 * Releases the deliveries that waited for deliveries that are no longer pending, by sequence number. Only inside a
 * `write`.
 */
export const releaseNext = (database: Database, ended: readonly number[]): Released[] =>
  anyHeld(database).get() ? release(database).all({ ended: JSON.stringify(ended) }) : []

const hold = writer((orm) => {
  const first = alias(deliveries, 'first')
  const next = orm
    .select({ sequence: min(other.sequence) })
    .from(other)
    .innerJoin(first, eq(first.sequence, sql.placeholder('sequence')))
    .where(and(pendingWith(other, first), gt(other.sequence, first.sequence)))
  return orm
    .update(deliveries)
    .set({ held: true })
    .where(and(sql`${deliveries.sequence} = ${next}`, eq(deliveries.held, false)))
})

/**
 * Holds back the delivery after one that has become pending again; later ones wait already. Returns whether one
 * exists. Only inside a `write`.
 */
export const holdNext = (database: Database, sequence: number): boolean => hold(database, { sequence }) > 0
