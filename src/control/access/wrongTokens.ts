/** Counts wrong admin tokens by client address, in real time. Memory use is bounded. */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'

/** The maximum number of wrong tokens in one window. More wrong tokens get 429 until the window ends. */
export const MAX_WRONG_TOKENS = 10
const WINDOW_MS = 60_000

/** The maximum number of addresses. Above it, the oldest is dropped. */
const MAX_ADDRESSES = 1000

export class WrongTokens {
  readonly #byAddress = new Map<string, { count: number; readonly until: number }>()

  /** Returns the seconds until the window ends, if the address sent too many wrong tokens; otherwise 0. */
  secondsLeft(address: string): number {
    const found = this.#byAddress.get(address)
    if (!found || found.count < MAX_WRONG_TOKENS) return 0
    const left = found.until - monotonicNow()
    return left > 0 ? Math.ceil(left / 1000) : 0
  }

  record(address: string): void {
    const now = monotonicNow()
    const found = this.#byAddress.get(address)
    if (found && found.until > now) {
      found.count++
      return
    }
    this.#byAddress.delete(address)
    this.#byAddress.set(address, { count: 1, until: now + WINDOW_MS })
    if (this.#byAddress.size > MAX_ADDRESSES) {
      for (const [oldest] of this.#byAddress) {
        this.#byAddress.delete(oldest)
        break
      }
    }
  }
}
