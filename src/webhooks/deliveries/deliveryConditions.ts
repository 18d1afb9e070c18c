/** Conditions of the statements that read and write deliveries. */
import { eq, sql, type SQL } from 'drizzle-orm'
import { deliveries } from './tables.ts'

/** Returns a value that is bound when the statement runs. */
export const placeholder = (name: string): SQL => sql`${sql.placeholder(name)}`

/** A literal, because SQLite uses a partial index only if the condition repeats that of the index. */
export const isPending = sql`${deliveries.status} = 'pending'`

/** True for every origin; makes SQLite use the index of pending deliveries instead of scanning the log. */
export const isPendingDelivery = sql`${deliveries.origin} > '' and ${isPending}`

export const isOfWorkspace = eq(deliveries.workspace, sql.placeholder('workspace'))
/** Pending and not held back by another delivery. */
export const canBeSent = sql`${isPending} and ${deliveries.held} = 0`
export const bySequence = eq(deliveries.sequence, sql.placeholder('sequence'))
