/**
 * What is owed, in lanes: one for each workspace and origin. A lane knows sequence numbers only, a few hundred of
 * them; an origin bounds what is under way to it from all lanes together.
 */

/** What an origin may have under way before it has answered anything. */
const FIRST_SLOTS = 4

/** What is left to an origin that does not answer: enough to notice when it comes back. */
const LEAST_SLOTS = 2

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
  #ready: readonly number[] = []
  #taken = 0

  constructor(workspace: number, origin: Origin) {
    this.workspace = workspace
    this.origin = origin
  }

  /** The sequence number of a delivery that was due when it was looked up. */
  take(): number | undefined {
    return this.hasReady ? this.#ready[this.#taken++] : undefined
  }

  /** Takes in what was looked up: `owed` is all that is owed, or its first `limit`, the earliest due first. */
  refill(owed: readonly { sequence: number; due: number }[], limit: number, now: number): void {
    const ready = owed.filter(({ sequence, due }) => due <= now && !this.inFlight.has(sequence))
    this.#ready = ready.map(({ sequence }) => sequence)
    this.#taken = 0
    const later = owed.find(({ due }) => due > now)
    this.nextDue = later?.due ?? (owed.length === limit ? -Infinity : Infinity)
  }

  expect(due: number): void {
    if (due < this.nextDue) this.nextDue = due
  }

  get hasReady(): boolean {
    return this.#taken < this.#ready.length
  }

  get isEmpty(): boolean {
    return this.nextDue === Infinity && this.inFlight.size === 0 && !this.waiting && !this.hasReady
  }
}
