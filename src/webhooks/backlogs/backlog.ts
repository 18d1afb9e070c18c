/**
 * The pending deliveries of one workspace to one origin, as sequence numbers. The origin limits the attempts in
 * flight of all its backlogs.
 */
import type { Origin } from './origin.ts'

/** The limits of one lookup: small at first, larger if more deliveries are due. */
const FIRST_LIMIT = 256
const MAX_LIMIT = 65_536

/** The most ready deliveries; more new ones are not queued in memory. */
const MAX_READY = 1024

/** A delivery in flight. */
export interface InFlight {
  /** Must be called when it is no longer in flight. */
  over(): void
}

/** The pending deliveries of one workspace to one origin. */
export class Backlog {
  /** The row scope of the workspace. */
  readonly workspace: number
  readonly origin: Origin
  /** When the next delivery is due that is neither ready nor in flight; it can be early, never late. */
  nextDue = Infinity
  /** True while it waits in the round robin. */
  waiting = false
  /** The number of its deliveries that wait for another attempt of their record; see recordLocks.ts. */
  blocked = 0
  /** True while changes are not committed yet; nothing is sent before the commit. */
  isUncommitted = false
  /** Deliveries in flight, and finished ones whose result is not stored, by sequence number. */
  readonly inFlight = new Map<number, InFlight>()
  #limit = FIRST_LIMIT
  #ready: number[] = []
  #nextIndex = 0
  /** New deliveries that are due but not committed yet. */
  #newSequences: number[] = []

  constructor(workspace: number, origin: Origin) {
    this.workspace = workspace
    this.origin = origin
  }

  /** Returns the sequence number of the next delivery that was due at the lookup. */
  take(): number | undefined {
    if (!this.hasReady) return undefined
    const sequence = this.#ready[this.#nextIndex++]
    if (this.#nextIndex >= MAX_READY) {
      this.#ready.splice(0, this.#nextIndex)
      this.#nextIndex = 0
    }
    return sequence
  }

  /** Removes a delivery whose result is stored. */
  end(sequence: number, one: InFlight): void {
    this.inFlight.delete(sequence)
    one.over()
  }

  /** The limit of a lookup, which also finds deliveries in flight. */
  get lookupLimit(): number {
    return this.#limit + this.inFlight.size
  }

  /**
   * Queues the result of a lookup: up to `look` due deliveries in the order of their events, so that their rows are
   * read and written in sequence. `next` returns when the first of the others is due.
   */
  refill(due: number[], next: () => number): void {
    const isIncomplete = due.length >= this.lookupLimit
    this.#ready = this.inFlight.size === 0 ? due : due.filter((sequence) => !this.inFlight.has(sequence))
    this.#nextIndex = 0
    this.nextDue = isIncomplete ? -Infinity : next()
    this.#limit = isIncomplete ? Math.min(this.#limit * 4, MAX_LIMIT) : FIRST_LIMIT
  }

  expect(due: number): void {
    if (due < this.nextDue) this.nextDue = due
  }

  /**
   * Queues a delivery that was just written, without a lookup. If it is due later, others come first, or the queue is
   * full, it is only expected.
   */
  expectFresh(sequence: number, due: number, now: number): void {
    const free = MAX_READY - (this.#ready.length - this.#nextIndex + this.#newSequences.length)
    if (due <= now && due < this.nextDue && free > 0) this.#newSequences.push(sequence)
    else this.expect(due)
  }

  /** Must be called after the commit or rollback of new deliveries and other changes. */
  settle(isCommitted: boolean): void {
    if (isCommitted) this.#ready.push(...this.#newSequences)
    // A lookup during the transaction may have missed deliveries.
    else this.expect(-Infinity)
    this.#newSequences = []
    this.isUncommitted = false
  }

  get hasReady(): boolean {
    return this.#nextIndex < this.#ready.length
  }

  get isEmpty(): boolean {
    return (
      this.nextDue === Infinity &&
      this.inFlight.size === 0 &&
      this.blocked === 0 &&
      !this.waiting &&
      !this.hasReady &&
      this.#newSequences.length === 0
    )
  }
}
