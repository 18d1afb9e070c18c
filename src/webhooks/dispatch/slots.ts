/** The attempts in flight, and their limits: in total, and to origins that do not respond. */
import type { Attempt } from './attempt.ts'
import type { Origin } from '../backlogs/origin.ts'

/** The share of all slots for origins that do not respond. */
const SILENT_SHARE = 1 / 4

export class Slots {
  readonly #overall: number
  /** All attempts in flight or delayed by a fault. */
  #inFlight = 0
  #inFlightToSilent = 0

  /** `overall` limits all attempts in flight. */
  constructor(overall: number) {
    this.#overall = overall
  }

  get isLimitReached(): boolean {
    return this.#inFlight >= this.#overall
  }

  get isIdle(): boolean {
    return this.#inFlight === 0
  }

  /** True if the origin does not respond, and such origins use all slots that they may have. */
  isThrottled(origin: Origin): boolean {
    return origin.silent && this.#inFlightToSilent >= this.#overall * SILENT_SHARE
  }

  take({ backlog: { origin }, toSilent }: Attempt): void {
    origin.takeSlot()
    this.#inFlight++
    if (toSilent) this.#inFlightToSilent++
  }

  release({ backlog: { origin }, toSilent }: Attempt): void {
    origin.releaseSlot()
    this.#inFlight--
    if (toSilent) this.#inFlightToSilent--
  }
}
