/**
 * New records that lists do not show yet, as those of a service whose search index is behind. A fault decides which
 * lists; from when it exists, the ids of new records are kept in memory. Time is that of the workspace, so that a test
 * with a frozen clock decides when they appear.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Maximum new records of a workspace that are hidden. Beyond it, the oldest appear. */
export const MAX_NEW = 10_000

interface NewRecord {
  readonly table: string
  readonly id: unknown
  readonly at: number
}

/** The records that a workspace has got lately, oldest first. */
export class NewRecords {
  #all: NewRecord[] = []

  add(table: string, id: unknown, at: number): void {
    this.#all.push({ table, id, at })
    // Seldom, because each cut copies the rest.
    if (this.#all.length > 2 * MAX_NEW) this.#all = this.#all.slice(-MAX_NEW)
  }

  /** Returns the ids of records of a table that are younger than `ms`. Those of the future are those of a clock set back. */
  youngerThan(ms: number, table: string, now: number): unknown[] {
    return this.#all
      .slice(-MAX_NEW)
      .filter((each) => each.table === table && each.at > now - ms && each.at <= now)
      .map(({ id }) => id)
  }
}

/** What the lists of a call leave out. */
export interface Lag {
  /** Returns the ids of the records of a table that they leave out. */
  readonly hidden: (table: string) => readonly unknown[]
}

const current = new AsyncLocalStorage<Lag>()

/** Runs a call whose lists leave records out. */
export const withLag = <T>(lag: Lag, act: () => T): T => current.run(lag, act)

/** True while a call runs whose lists leave records out: its answer is only for this moment. */
export const hasLag = (): boolean => current.getStore() !== undefined

/** Returns the ids that the current call leaves out of the lists of a table as JSON; undefined if none. */
export function hiddenIn(table: string): string | undefined {
  const ids = current.getStore()?.hidden(table) ?? []
  return ids.length === 0 ? undefined : JSON.stringify(ids)
}
