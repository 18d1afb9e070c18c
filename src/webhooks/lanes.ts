/**
 * What is owed, in lanes: one for each workspace and origin. A lane knows sequence numbers only, a few hundred of
 * them; an origin bounds what is under way to it from all lanes together.
 */

/** What an origin may have under way before it has answered anything. */
const FIRST_SLOTS = 4

/** What is left to an origin that does not answer: enough to notice when it comes back. */
const LEAST_SLOTS = 2

/** Sequence numbers that a lane looks up at once: few at first, more when they turn out to be but a part. */
const FIRST_LOOK = 256
const LARGEST_LOOK = 16_384

/** Fresh deliveries are taken in while a lane holds fewer than these. */
const MOST_READY = 1024

/**
 * A receiver and how much it is trusted with. It earns a slot with every quick answer and loses them when it is slow
 * or silent, so that those who sleep hold but few of the slots that all share.
 */
export class Origin {
  readonly name: string
  readonly #most: number
  #slots: number
  inFlight = 0
  /** Whether its last attempt brought no answer at all. */
  silent = false
  /** Lanes that have something to send and wait for a slot here. */
  parked: Lane[] = []
  /** How many lanes lead here. */
  lanes = 0

  constructor(name: string, most: number) {
    this.name = name
    this.#most = most
    this.#slots = Math.min(FIRST_SLOTS, most)
  }

  get hasRoom(): boolean {
    return this.inFlight < this.#slots
  }

  answered(quickly: boolean): void {
    this.silent = false
    if (quickly) this.#slots = Math.min(this.#most, this.#slots + 1)
    else this.#slots = Math.max(Math.min(LEAST_SLOTS, this.#most), this.#slots >> 1)
  }

  wasSilent(): void {
    this.silent = true
    this.#slots = Math.min(LEAST_SLOTS, this.#most)
  }
}

/** What one workspace owes to one origin. */
export class Lane {
  /** The workspace's number. */
  readonly workspace: number
  readonly origin: Origin
  /** When something is due that is neither ready nor under way; it may be early, never late. */
  nextDue = Infinity
  /** Stands in the line, or is parked at its origin. */
  waiting = false
  /** Under way, or not yet written down. */
  readonly inFlight = new Set<number>()
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
    if (this.#taken >= MOST_READY) {
      this.#ready.splice(0, this.#taken)
      this.#taken = 0
    }
    return sequence
  }

  /** How many to look up: what is under way is among what is found. */
  get look(): number {
    return this.#look + this.inFlight.size
  }

  /**
   * Takes in what was looked up: `owed` is all that is owed, or its first `limit`, the earliest due first. Those that
   * are due go out in the order of their events, however their retries were scattered; so rows are read and marked
   * as they lie side by side.
   */
  refill(owed: readonly { sequence: number; due: number }[], limit: number, now: number): void {
    const ready = owed.filter(({ sequence, due }) => due <= now && !this.inFlight.has(sequence))
    this.#ready = ready.map(({ sequence }) => sequence).sort((one, other) => one - other)
    this.#taken = 0
    const later = owed.find(({ due }) => due > now)
    const isPart = later === undefined && owed.length === limit
    this.nextDue = later?.due ?? (isPart ? -Infinity : Infinity)
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
    const places = MOST_READY - (this.#ready.length - this.#taken + this.#fresh.length)
    if (due <= now && due < this.nextDue && places > 0) this.#fresh.push(sequence)
    else this.expect(due)
  }

  /** Whether those that were fresh are on the file, or undone. */
  settleFresh(kept: boolean): void {
    if (kept) this.#ready.push(...this.#fresh)
    this.#fresh = []
  }

  get hasReady(): boolean {
    return this.#taken < this.#ready.length
  }

  get isEmpty(): boolean {
    return (
      this.nextDue === Infinity &&
      this.inFlight.size === 0 &&
      !this.waiting &&
      !this.hasReady &&
      this.#fresh.length === 0
    )
  }
}
