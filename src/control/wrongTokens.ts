/** Counts the wrong admin tokens of each address, in real time and within bounds. */
import { monotonicNow } from '../state/clock.ts'

/** Wrong tokens of one address within a window; further wrong ones are refused with 429 until it ends. */
export const MAX_WRONG = 10
const WINDOW_MS = 60_000

/** Addresses that are remembered; beyond, the oldest are forgotten. */
const MAX_ADDRESSES = 1000

export class WrongTokens {
  readonly #byAddress = new Map<string, { count: number; readonly until: number }>()

  /** Seconds until the window of an address ends that has sent too many; 0 for all others. */
  secondsLeft(address: string): number {
    const found = this.#byAddress.get(address)
    if (!found || found.count < MAX_WRONG) return 0
    const left = found.until - monotonicNow()
    return left > 0 ? Math.ceil(left / 1000) : 0
  }

  note(address: string): void {
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
