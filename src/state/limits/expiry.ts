/**
 * Deletes workspaces that were not called for the time of their ttl. The column `expires_at` has an index, so a check reads
 * only what may be due. Each workspace stores its uses at most once a minute. While the server is down, no time passes.
 */
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { Alarm } from '../model/scheduler.ts'
import { statement } from '../storage/database/database.ts'
import { writer } from '../storage/database/prepared.ts'
import { workspaces } from '../storage/tables.ts'
import { INTERVAL_MS, nextExpiry, storedRanUntil, storeRanUntil } from './ranUntil.ts'
import type { Registry } from '../workspace/registry.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The maximum number of workspaces of one check, and the ms before the next one. */
const BATCH = 10
const PAUSE_MS = 100

const due = statement((orm) =>
  orm
    .select({ number: workspaces.number })
    .from(workspaces)
    .where(lte(workspaces.expiresAt, sql.placeholder('now')))
    .orderBy(asc(workspaces.expiresAt))
    .limit(BATCH)
    .prepare(),
)

const setExpiry = writer((orm) =>
  orm
    .update(workspaces)
    .set({ expiresAt: sql`${sql.placeholder('at')}` })
    // A handle may be older than the last change of the ttl.
    .where(and(eq(workspaces.number, sql.placeholder('number')), isNotNull(workspaces.expiresAt))),
)

const postpone = writer((orm) =>
  orm
    .update(workspaces)
    .set({ expiresAt: sql`${workspaces.expiresAt} + ${sql.placeholder('ms')}` })
    .where(isNotNull(workspaces.expiresAt)),
)

export class Expiry {
  readonly #workspaces: Registry
  readonly #remove: (workspace: Workspace) => void
  readonly #failed: (error: unknown) => void
  readonly #alarm = new Alarm(() => {
    this.#ring()
  })
  /** The workspaces that were used since all uses were stored. */
  #used = new Set<Workspace>()
  /** Those whose stored deadline is more than a minute early. */
  #urgent = new Set<Workspace>()
  /** When all uses were last stored. */
  #storedAt = 0
  #isRunning = false

  /** `remove` deletes a workspace. `failed` is called with its errors; the check is repeated later. */
  constructor(registry: Registry, remove: (workspace: Workspace) => void, failed: (error: unknown) => void) {
    this.#workspaces = registry
    this.#remove = remove
    this.#failed = failed
    registry.onUse = (workspace) => {
      this.#used.add(workspace)
      if (!this.#isRunning) return
      const isUrgent = workspace.lifetime.unstoredMs >= INTERVAL_MS
      if (isUrgent) this.#urgent.add(workspace)
      this.#alarm.noLaterThan(isUrgent ? 0 : this.#storedAt + INTERVAL_MS - systemNow())
    }
  }

  /** Starts the checks. The time since the last write of the previous run does not count. */
  start(): void {
    const { database } = this.#workspaces
    this.#isRunning = true
    if (nextExpiry(database) === undefined) return
    const ranUntil = storedRanUntil(database)
    const ms = ranUntil === null ? 0 : systemNow() - ranUntil
    database.write(() => {
      if (ms > 0) postpone(database, { ms })
      this.#storeAll()
    })
    this.#alarm.noLaterThan(0)
  }

  /** Stops the checks and stores the uses. */
  stop(): void {
    this.#isRunning = false
    this.#alarm.clear()
    if (nextExpiry(this.#workspaces.database) !== undefined) this.#storeAll(systemNow())
  }

  #ring(): void {
    try {
      this.#check()
    } catch (error) {
      this.#failed(error)
      this.#alarm.noLaterThan(INTERVAL_MS)
    }
  }

  #check(): void {
    const { database } = this.#workspaces
    if (nextExpiry(database) === undefined) return
    if (systemNow() - this.#storedAt >= INTERVAL_MS) this.#storeAll()
    else if (this.#urgent.size > 0) {
      database.write(() => {
        this.#store(this.#urgent)
      })
    }
    this.#urgent.clear()
    for (const { number } of due(database).all({ now: systemNow() })) this.#end(number)
    const at = nextExpiry(database)?.at ?? null
    if (at === null) return
    this.#alarm.noLaterThan(Math.min(Math.max(at - systemNow(), PAUSE_MS), INTERVAL_MS))
  }

  /** Deletes a workspace whose stored deadline has passed, unless it was used since. */
  #end(number: number): void {
    const workspace = this.#workspaces.byTenantId(number)
    if (!workspace) return
    const deadline = workspace.lifetime.deadline()
    if (deadline !== null && deadline <= systemNow()) this.#remove(workspace)
    else this.#workspaces.database.write(() => setExpiry(workspace.database, { number, at: deadline }))
  }

  /** Stores the deadlines of all used workspaces, and until when the server has run. */
  #storeAll(ranUntil?: number): void {
    const { database } = this.#workspaces
    const used = this.#used
    this.#used = new Set([...used].filter(({ isRegistered, lifetime }) => isRegistered && lifetime.isOpen))
    this.#storedAt = systemNow()
    database.write(() => {
      this.#store(used)
      storeRanUntil(database, ranUntil)
    })
  }

  #store(used: ReadonlySet<Workspace>): void {
    for (const { isRegistered, lifetime, tenantId, database } of used) {
      if (isRegistered) setExpiry(database, { number: tenantId, at: lifetime.takeDeadline() })
    }
  }
}
