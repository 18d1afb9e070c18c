/**
 * What one workspace owes to one origin. A backlog knows sequence numbers only, of what it has looked up; the origin
 * bounds what is under way to it from all backlogs together.
 */
import type { Origin } from './origin.ts'

/** Sequence numbers that a backlog looks up at once: few at first, more when they turn out to be but a part. */
const FIRST_LOOK = 256
const LARGEST_LOOK = 65_536

/** Fresh deliveries are taken in while a backlog holds fewer than these. */
const MAX_READY = 1024

/** A delivery under way. */
export interface InFlight {
  /** To be called when it is in flight no more. */
  over(): void
}

/** What one workspace owes to one origin. */
export class Backlog {
  /** The workspace's number. */
  readonly workspace: number
  readonly origin: Origin
  /** When something is due that is neither ready nor under way; it may be early, never late. */
  nextDue = Infinity
  /** Waits for its turn, or until it may wait for it. */
  waiting = false
  /** How often one of its deliveries was due, and its turn was that of another; see turns.ts. */
  blocked = 0
  /** Something has changed and is not on the file yet; nothing is sent before it is. */
  unsettled = false
  /** What is being sent, or was sent and is not yet written down; by sequence numbers. */
  readonly inFlight = new Map<number, InFlight>()
  #look = FIRST_LOOK
  #ready: number[] = []
  #taken = 0
  /** New and due, but not committed yet. */
  #fresh: number[] = []

  constructor(workspace: number, origin: Origin) {
    this.workspace = workspace
    this.origin = origin
  }

  /** The sequence number of a delivery that was due when it was looked up. */
  take(): number | undefined {
    if (!this.hasReady) return undefined
    const sequence = this.#ready[this.#taken++]
    if (this.#taken >= MAX_READY) {
      this.#ready.splice(0, this.#taken)
      this.#taken = 0
    }
    return sequence
  }

  /** Takes leave of what is over and written down. */
  end(sequence: number, one: InFlight): void {
    this.inFlight.delete(sequence)
    one.over()
  }

  /** How many to look up: what is under way is among what is found. */
  get look(): number {
    return this.#look + this.inFlight.size
  }

  /**
   * Takes in what was looked up: the sequence numbers of what is due, as many as `look` said if there are so many, in
   * the order of their events. However their retries were scattered, they go out in that order, so that rows are read
   * and marked as they lie side by side. `next` tells when the first is due of what is not due yet.
   */
  refill(due: number[], next: () => number): void {
    const isPart = due.length >= this.look
    this.#ready = this.inFlight.size === 0 ? due : due.filter((sequence) => !this.inFlight.has(sequence))
    this.#taken = 0
    this.nextDue = isPart ? -Infinity : next()
    this.#look = isPart ? Math.min(this.#look * 4, LARGEST_LOOK) : FIRST_LOOK
  }

  expect(due: number): void {
    if (due < this.nextDue) this.nextDue = due
  }

  /**
   * Takes in a delivery that has just been written and is due at `due`, so that it need not be looked up. One that is
   * due later, that others go before, or for which there is no place, is expected like any other.
   */
  expectFresh(sequence: number, due: number, now: number): void {
    const places = MAX_READY - (this.#ready.length - this.#taken + this.#fresh.length)
    if (due <= now && due < this.nextDue && places > 0) this.#fresh.push(sequence)
    else this.expect(due)
  }

  /** What was fresh, or has changed otherwise, is on the file, or undone. */
  settle(kept: boolean): void {
    if (kept) this.#ready.push(...this.#fresh)
    // What was looked at meanwhile may have seemed to be owed no more.
    else this.expect(-Infinity)
    this.#fresh = []
    this.unsettled = false
  }

  get hasReady(): boolean {
    return this.#taken < this.#ready.length
  }

  get isEmpty(): boolean {
    return (
      this.nextDue === Infinity &&
      this.inFlight.size === 0 &&
      this.blocked === 0 &&
      !this.waiting &&
      !this.hasReady &&
      this.#fresh.length === 0
    )
  }
}
