/**
 * Locks: one attempt at a time for each record and subscription. `order.ts` orders pending deliveries, but an attempt
 * in flight can outlive that order, when its delivery is canceled, moved or redelivered.
 */
import type { Backlog } from './backlog.ts'

export class RecordLocks {
  /** The backlogs that wait for each attempt in flight; null if none do. */
  readonly #locks = new Map<string, Backlog[] | null>()

  /** Takes the lock and returns true. Returns false if it is taken; `free` then wakes the backlog. */
  take(key: string, backlog: Backlog): boolean {
    const waiting = this.#locks.get(key)
    if (waiting === undefined) {
      this.#locks.set(key, null)
      return true
    }
    backlog.blocked++
    if (waiting === null) this.#locks.set(key, [backlog])
    else waiting.push(backlog)
    return false
  }

  /** Must be called when the attempt has ended. Returns the backlogs that waited for it. */
  free(key: string): Iterable<Backlog> {
    const waiting = this.#locks.get(key) ?? []
    this.#locks.delete(key)
    for (const backlog of waiting) {
      backlog.blocked--
      backlog.expect(-Infinity)
    }
    return new Set(waiting)
  }
}
