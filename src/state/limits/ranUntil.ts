/**
 * The time until which the server has run, stored while a workspace has a ttl. The next start adds the time since then to
 * all deadlines.
 */
import { asc, eq, isNotNull } from 'drizzle-orm'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { statement, type Database } from '../storage/database/database.ts'
import { meta, workspaces } from '../storage/tables.ts'

/** Ms between writes of uses, and between checks while a workspace has a ttl. */
export const INTERVAL_MS = 60_000

/**
 * While the server runs, the stored time is a minute early: uses of the last minute may be missing after a crash, and must
 * not shorten the life of a workspace.
 */
const RAN_UNTIL = 'ran_until'

const next = statement((orm) =>
  orm
    .select({ at: workspaces.expiresAt })
    .from(workspaces)
    .where(isNotNull(workspaces.expiresAt))
    .orderBy(asc(workspaces.expiresAt))
    .limit(1)
    .prepare(),
)

/** Returns the earliest deadline of all workspaces; undefined if no workspace has a ttl. */
export const nextExpiry = (database: Database): { readonly at: number | null } | undefined =>
  next(database).get()

/** Returns null if it was never stored. */
export function storedRanUntil(database: Database): number | null {
  const stored = database.orm.select().from(meta).where(eq(meta.name, RAN_UNTIL)).get()
  return stored === undefined ? null : Number(stored.value)
}

/** Inside a `write`. */
export function storeRanUntil(database: Database, at = systemNow() - INTERVAL_MS): void {
  const value = String(at)
  database.orm
    .insert(meta)
    .values({ name: RAN_UNTIL, value })
    .onConflictDoUpdate({ target: meta.name, set: { value } })
    .run()
}

/**
 * Must be called in the transaction that stores a ttl, before it does. A crash before the next write of the uses must find
 * a time of this run, not none or that of an earlier ttl.
 */
export function beforeTtl(database: Database, ttl: string | null): void {
  if (ttl !== null && nextExpiry(database) === undefined) storeRanUntil(database)
}
