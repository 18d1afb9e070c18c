/**
 * The order of deliveries: those of one record to one subscription go one after the other. The first that is pending
 * holds the others back; what it does not hold back does not wait for it. Events that tell of no record have no order.
 *
 * Which are held back stands in their rows, and is settled when something is written and not when something is looked
 * up: behind one that waits for its retry thousands may have fallen due, and each look at what is due would walk
 * through them all.
 */
import { and, eq, gt, isNotNull, lt, min, sql, type Column, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { statement, type Database } from '../state/database.ts'
import { writer } from '../state/prepared.ts'
import { deliveries } from './tables.ts'

/** What has one order: the deliveries of a record to a subscription. */
type Place = Readonly<Record<'workspace' | 'subscription' | 'record', unknown>>
type Table = Readonly<Record<keyof Place | 'status', Column>>

/** Those in the same place of the order that are pending; for the index of the order, which spells it so. */
const pendingWith = (table: Table, { workspace, subscription, record }: Place): SQL =>
  sql`${table.workspace} = ${workspace} and ${table.subscription} = ${subscription} and ${table.record} = ${record} and ${table.status} = 'pending'`

const other = alias(deliveries, 'other')

/** Whether a delivery that is being inserted, with these cells, has to wait for others. */
export const heldOnInsert = (cells: Place): SQL<boolean> =>
  sql`exists (select 1 from ${deliveries} as ${sql.identifier('other')} where ${pendingWith(other, cells)})`

/** Whether a delivery that is being updated has to wait for others. */
export const heldOnUpdate: SQL<boolean> = sql`exists (select 1 from ${deliveries} as ${sql.identifier('other')} where ${and(pendingWith(other, deliveries), lt(other.sequence, deliveries.sequence))})`

/** A delivery that nothing holds back any more. */
export interface Released {
  readonly workspace: number
  readonly origin: string
  readonly sequence: number
  readonly due: number
}

/** By an index that is empty as long as nothing is held back, as it is nearly always. */
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
    .where(
      and(
        sql`${ended.sequence} in (select value from json_each(${sql.placeholder('ended')}))`,
        isNotNull(ended.record),
      ),
    )
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

/** Lets go what waited for deliveries that are no longer pending, by their sequence numbers. Only inside a `write`. */
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
 * Holds back what comes after a delivery that has become pending again: the one that was the first until now, for the
 * others wait already. Says whether there was one. Only inside a `write`.
 */
export const holdNext = (database: Database, sequence: number): boolean => hold(database, { sequence }) > 0
