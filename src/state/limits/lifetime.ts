/** How long a workspace lives without calls: its ttl, in real time. `expiry.ts` deletes it after that. */
import { durationMs } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'

/** The bounds of a ttl. */
export const MIN_TTL = 'PT1M'
export const MAX_TTL = 'P1Y'

/** Checks whether a text is a ttl within the bounds. */
export function isTtl(text: string): boolean {
  const ms = durationMs(text)
  // The bounds are no constants, because the first use of the library for durations takes 10 ms of a start.
  return ms !== null && ms >= (durationMs(MIN_TTL) ?? 0) && ms <= (durationMs(MAX_TTL) ?? 0)
}

/** Returns the deadline of a workspace with this ttl that is used now; null without a ttl. */
export function firstDeadline(ttl: string | null): number | null {
  const ms = ttl === null ? null : durationMs(ttl)
  return ms === null ? null : systemNow() + ms
}

export class Lifetime {
  readonly #used: () => void
  #ttl: string | null
  #ttlMs: number | null
  #lastUsedAt = 0
  /** When the deadline was last stored. A use that is much later must be stored soon. */
  #storedAt = 0
  /** The number of calls and streams that have not ended. */
  #open = 0

  /** `used` is called at each use of a workspace with a ttl. */
  constructor(ttl: string | null, used: () => void) {
    this.#used = used
    this.#ttl = ttl
    this.#ttlMs = ttl === null ? null : durationMs(ttl)
  }

  get ttl(): string | null {
    return this.#ttl
  }

  set ttl(ttl: string | null) {
    this.#ttl = ttl
    this.#ttlMs = ttl === null ? null : durationMs(ttl)
    this.start()
  }

  /** Must be called after the first deadline was stored. */
  start(): void {
    this.#storedAt = systemNow()
    this.touch()
  }

  /** The ms between the last use and the last time when the deadline was stored. */
  get unstoredMs(): number {
    return this.#lastUsedAt - this.#storedAt
  }

  /** Returns the deadline, which the caller stores. */
  takeDeadline(): number | null {
    this.#storedAt = systemNow()
    return this.deadline()
  }

  /** True while a call or a stream has not ended. */
  get isOpen(): boolean {
    return this.#open > 0
  }

  /** Must be called at each use. */
  touch(): void {
    if (this.#ttlMs === null) return
    this.#lastUsedAt = systemNow()
    this.#used()
  }

  /** Keeps the workspace in use until the returned function is called. */
  hold(): () => void {
    this.#open++
    this.touch()
    return () => {
      this.#open--
      this.touch()
    }
  }

  /** Returns when the workspace is deleted unless it is used; null if never. Long ago if it was not used since the start. */
  deadline(): number | null {
    if (this.#ttlMs === null) return null
    return (this.isOpen ? systemNow() : this.#lastUsedAt) + this.#ttlMs
  }
}
