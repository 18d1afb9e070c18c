/**
 * What is owed, in lanes: one for each workspace and origin. A lane knows sequence numbers only, of what it has looked
 * up; an origin bounds what is under way to it from all lanes together.
 */

/** What an origin may have under way before it has answered anything. */
const FIRST_SLOTS = 4

/** What is left to an origin that does not answer: enough to notice when it comes back. */
const LEAST_SLOTS = 2

/** Sequence numbers that a lane looks up at once: few at first, more when they turn out to be but a part. */
const FIRST_LOOK = 256
const LARGEST_LOOK = 65_536

/** Fresh deliveries are taken in while a lane holds fewer than these. */
const MOST_READY = 1024

/** What may wait at the courier: characters for one origin, and deliveries for all. */
const MOST_CHARACTERS_AHEAD = 1_000_000
export const MOST_AHEAD = 1024

/** How many deliveries wait at the courier for their turn. */
export class Ahead {
  count = 0
}

/**
 * A receiver and how much it is trusted with. It earns a slot with every quick answer and loses them when it is slow
 * or silent, so that those who sleep hold but few of the slots that all share. While it has all of them and answers
 * promptly, the courier is given more than it can have under way, and need not wait for the next.
 */
export class Origin {
  readonly name: string
  readonly #most: number
  readonly #mostAhead: number
  readonly #aheadOfAll: Ahead
  #slots: number
  #ahead = 0
  #given = 0
  #characters = 0
  /** As much of what is given as is not under way. */
  #waiting = 0
  /** Whether its last attempt brought no answer at all. */
  silent = false
  /** Lanes that have something to send and wait for a slot here. */
  parked: Lane[] = []
  /** How many lanes lead here. */
  lanes = 0

  /** `most` may be under way to it, and `ahead` more wait, which are counted in `aheadOfAll`. */
  constructor(name: string, most: number, ahead = 0, aheadOfAll = new Ahead()) {
    this.name = name
    this.#most = most
    this.#mostAhead = ahead
    this.#aheadOfAll = aheadOfAll
    this.#slots = Math.min(FIRST_SLOTS, most)
  }

  /** Deliveries that the courier has. */
  get given(): number {
    return this.#given
  }

  get hasRoom(): boolean {
    return this.#given < this.#slots
  }

  get hasRoomAhead(): boolean {
    return (
      this.#given < this.#slots + this.#ahead &&
      this.#characters < MOST_CHARACTERS_AHEAD &&
      this.#aheadOfAll.count < MOST_AHEAD
    )
  }

  /** The courier has been given a delivery of so many characters. */
  give(characters: number): void {
    this.#given++
    this.#characters += characters
    this.#count()
  }

  /** The courier has it no more. */
  free(characters: number): void {
    this.#given--
    this.#characters -= characters
    this.#count()
  }

  answered(quickly: boolean, promptly = quickly): void {
    this.silent = false
    if (quickly) this.#slots = Math.min(this.#most, this.#slots + 1)
    else this.#slots = Math.max(Math.min(LEAST_SLOTS, this.#most), this.#slots >> 1)
    this.#ahead = promptly && this.#slots === this.#most ? this.#mostAhead : 0
    this.#count()
  }

  wasSilent(): void {
    this.silent = true
    this.#slots = Math.min(LEAST_SLOTS, this.#most)
    this.#ahead = 0
    this.#count()
  }

  #count(): void {
    const waiting = Math.max(0, this.#given - this.#slots)
    this.#aheadOfAll.count += waiting - this.#waiting
    this.#waiting = waiting
  }
}

/** A delivery that the courier was given. */
export interface InFlight {
  readonly characters: number
  /** Whether it will not be sent after all, because that has not begun. */
  recall(): boolean
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
  /** Something has changed and is not on the file yet. */
  unsettled = false
  /** What the courier has, or has sent and is not yet written down; by sequence numbers. */
  readonly inFlight = new Map<number, InFlight>()
  #look = FIRST_LOOK
  #ready: number[] = []
  #taken = 0
  /** Given to the courier in vain; their turn comes first. */
  readonly #back: number[] = []
  /** New and due, but not committed yet. */
  #fresh: number[] = []

  constructor(workspace: number, origin: Origin) {
    this.workspace = workspace
    this.origin = origin
  }

  /** The sequence number of a delivery that was due when it was looked up. */
  take(): number | undefined {
    if (this.#back.length > 0) return this.#back.shift()
    if (!this.hasReady) return undefined
    const sequence = this.#ready[this.#taken++]
    if (this.#taken >= MOST_READY) {
      this.#ready.splice(0, this.#taken)
      this.#taken = 0
    }
    return sequence
  }

  /** Takes back what the courier has not begun to send; nothing is to be sent before the reason for it is settled. */
  recall(): void {
    this.unsettled = true
    for (const [sequence, one] of this.inFlight) if (one.recall()) this.takeBack(sequence, one)
  }

  /** Takes in what the courier was given in vain. */
  takeBack(sequence: number, { characters }: InFlight): void {
    this.inFlight.delete(sequence)
    this.origin.free(characters)
    this.#back.push(sequence)
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
    const places = MOST_READY - (this.#ready.length - this.#taken + this.#fresh.length)
    if (due <= now && due < this.nextDue && places > 0) this.#fresh.push(sequence)
    else this.expect(due)
  }

  /** What was fresh, or was the reason for a recall, is on the file, or undone. */
  settle(kept: boolean): void {
    if (kept) this.#ready.push(...this.#fresh)
    // What was looked at meanwhile may have seemed to be owed no more.
    else this.expect(-Infinity)
    this.#fresh = []
    this.unsettled = false
  }

  get hasReady(): boolean {
    return this.#back.length > 0 || this.#taken < this.#ready.length
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
