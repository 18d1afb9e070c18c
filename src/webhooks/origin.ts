/** Receivers: how much each is trusted with, whichever workspaces send to it. */
/** What an origin may have under way before it has answered anything. */
const FIRST_SLOTS = 4

/** What is left to an origin that does not answer: enough to notice when it comes back. */
const LEAST_SLOTS = 2

/** What may wait in the transport: characters for one origin, and deliveries for all. */
const MOST_CHARACTERS_PREFETCHED = 1_000_000
export const MOST_PREFETCHED = 1024

/** How many deliveries wait in the transport for their turn. */
export class Prefetched {
  count = 0
}

/**
 * A receiver and how much it is trusted with. It earns a slot with every quick answer and loses them when it is slow
 * or silent, so that those who sleep hold but few of the slots that all share. While it has all of them and answers
 * promptly, the transport is given more than it can have under way, and need not wait for the next.
 */
export class Origin {
  readonly name: string
  readonly #most: number
  readonly #mostPrefetched: number
  readonly #prefetchedOfAll: Prefetched
  #slots: number
  #prefetch = 0
  #given = 0
  #characters = 0
  /** As much of what is given as is not under way. */
  #waiting = 0
  /** Whether its last attempt brought no answer at all. */
  silent = false
  /** When it last refused a connection, by `monotonicNow`; null when its last attempt ended otherwise. */
  refusedAt: number | null = null
  /** How many backlogs lead here. */
  backlogs = 0

  /** `most` may be under way to it, and `prefetch` more wait, which are counted in `prefetchedOfAll`. */
  constructor(name: string, most: number, prefetch = 0, prefetchedOfAll = new Prefetched()) {
    this.name = name
    this.#most = most
    this.#mostPrefetched = prefetch
    this.#prefetchedOfAll = prefetchedOfAll
    this.#slots = Math.min(FIRST_SLOTS, most)
  }

  /** Deliveries that the transport has. */
  get given(): number {
    return this.#given
  }

  get hasRoom(): boolean {
    return this.#given < this.#slots
  }

  get hasRoomToPrefetch(): boolean {
    return (
      this.#given < this.#slots + this.#prefetch &&
      this.#characters < MOST_CHARACTERS_PREFETCHED &&
      this.#prefetchedOfAll.count < MOST_PREFETCHED
    )
  }

  /** The transport has been given a delivery of so many characters. */
  give(characters: number): void {
    this.#given++
    this.#characters += characters
    this.#count()
  }

  /** The transport has it no more. */
  free(characters: number): void {
    this.#given--
    this.#characters -= characters
    this.#count()
  }

  answered(quickly: boolean, promptly = quickly): void {
    this.silent = false
    if (quickly) this.#slots = Math.min(this.#most, this.#slots + 1)
    else this.#slots = Math.max(Math.min(LEAST_SLOTS, this.#most), this.#slots >> 1)
    this.#prefetch = promptly && this.#slots === this.#most ? this.#mostPrefetched : 0
    this.#count()
  }

  wasSilent(): void {
    this.silent = true
    this.#slots = Math.min(LEAST_SLOTS, this.#most)
    this.#prefetch = 0
    this.#count()
  }

  #count(): void {
    const waiting = Math.max(0, this.#given - this.#slots)
    this.#prefetchedOfAll.count += waiting - this.#waiting
    this.#waiting = waiting
  }
}
