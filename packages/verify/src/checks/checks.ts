/** The results of all checks: each comparison with its outcome, counted by claim and place. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Oracle } from '../report/report.ts'

export type { Oracle }

/** One comparison of an answer with what the simulator does. */
export interface Check {
  /** The key of a claim: "field Link.amount". */
  readonly claim: string
  readonly oracle: Oracle
  /** What was compared: "status", "type", "order", … The same word for the same comparison in all interfaces. */
  readonly aspect: string
  /** Where: "GET /payment-links 200.data[].amount". */
  readonly place: string
  readonly isEqual: boolean
  readonly exchange: Exchange
  /** Only of differences: a sentence, and both values. */
  readonly message?: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** All checks of one aspect of a claim at one place. A sample is a call. */
export interface Tally {
  readonly claim: string
  readonly oracle: Oracle
  readonly aspect: string
  readonly place: string
  /** Numbers of calls. */
  readonly samples: { total: number; deviating: number }
  /** The first differences. */
  readonly differences: Check[]
  firstSeen: string | null
  lastSeen: string | null
}

const MAX_KEPT = 3

export class Checks {
  readonly #tallies = new Map<string, Tally & { seen: Set<number>; deviated: Set<number> }>()

  add(check: Check): void {
    const { claim, oracle, aspect, place, exchange } = check
    const key = `${claim}\n${oracle}\n${aspect}\n${place}`
    let tally = this.#tallies.get(key)
    if (!tally) {
      tally = {
        claim,
        oracle,
        aspect,
        place,
        samples: { total: 0, deviating: 0 },
        differences: [],
        firstSeen: null,
        lastSeen: null,
        seen: new Set(),
        deviated: new Set(),
      }
      this.#tallies.set(key, tally)
    }
    tally.seen.add(exchange.number)
    tally.samples.total = tally.seen.size
    if (check.isEqual) return
    tally.deviated.add(exchange.number)
    tally.samples.deviating = tally.deviated.size
    tally.firstSeen ??= exchange.at
    tally.lastSeen = exchange.at
    if (tally.differences.length < MAX_KEPT) tally.differences.push(check)
  }

  get tallies(): readonly Tally[] {
    return [...this.#tallies.values()]
  }
}
