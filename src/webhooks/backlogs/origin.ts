/** Slots of an origin before its first response. */
const FIRST_SLOTS = 4

/** Slots of an origin that does not respond: enough to notice when it recovers. */
const MIN_SLOTS = 2

/**
 * A receiver and its slots, for all workspaces. It gains a slot with every quick response, and loses slots when it is
 * slow or silent, so that it uses few of the shared slots.
 */
export class Origin {
  readonly name: string
  readonly #maxSlots: number
  #slots: number
  #inFlight = 0
  /** True if its last attempt got no response. */
  silent = false
  /** When it last refused a connection, by `monotonicNow`; null if its last attempt ended in another way. */
  refusedAt: number | null = null
  /** The number of its backlogs. */
  backlogs = 0

  /** `maxSlots` limits its attempts in flight. */
  constructor(name: string, maxSlots: number) {
    this.name = name
    this.#maxSlots = maxSlots
    this.#slots = Math.min(FIRST_SLOTS, maxSlots)
  }

  /** Attempts in flight. */
  get inFlight(): number {
    return this.#inFlight
  }

  get hasFreeSlot(): boolean {
    return this.#inFlight < this.#slots
  }

  takeSlot(): void {
    this.#inFlight++
  }

  releaseSlot(): void {
    this.#inFlight--
  }

  answered(quickly: boolean): void {
    this.silent = false
    if (quickly) this.#slots = Math.min(this.#maxSlots, this.#slots + 1)
    else this.#slots = Math.max(Math.min(MIN_SLOTS, this.#maxSlots), this.#slots >> 1)
  }

  wasSilent(): void {
    this.silent = true
    this.#slots = Math.min(MIN_SLOTS, this.#maxSlots)
  }
}
