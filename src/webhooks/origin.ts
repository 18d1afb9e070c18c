/** Receivers: how much each is trusted with, whichever workspaces send to it. */
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
  #given = 0
  /** Whether its last attempt brought no answer at all. */
  silent = false
  /** When it last refused a connection, by `monotonicNow`; null when its last attempt ended otherwise. */
  refusedAt: number | null = null
  /** How many backlogs lead here. */
  backlogs = 0

  /** `most` may be under way to it. */
  constructor(name: string, most: number) {
    this.name = name
    this.#most = most
    this.#slots = Math.min(FIRST_SLOTS, most)
  }

  /** Attempts under way to it. */
  get given(): number {
    return this.#given
  }

  get hasRoom(): boolean {
    return this.#given < this.#slots
  }

  give(): void {
    this.#given++
  }

  free(): void {
    this.#given--
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
