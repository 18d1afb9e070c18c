/** Counts and sums of deals for the reports. */
import { ofEachState } from '../../model/machine.ts'
import { meanOf } from '../amounts.ts'
import { CLOSED, dealMachine, type DealStatus } from '../machines.ts'

/** One day in ms. */
const DAY = 86_400_000

/** Sums by currency code. */
export class ByCurrency<Sums> extends Map<string, Sums> {
  readonly #none: () => Sums

  constructor(none: () => Sums) {
    super()
    this.#none = none
  }

  of(currency: string): Sums {
    let sums = this.get(currency)
    if (!sums) this.set(currency, (sums = this.#none()))
    return sums
  }

  /** Returns the sums of the other currencies, sorted by code. */
  others(currency: string): [currency: string, sums: Sums][] {
    return [...this].filter(([other]) => other !== currency).sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

/** The values of deals in one currency, in hundredths. */
export class ValueSums {
  /** The number of deals. */
  deals = 0
  total = 0
  open = 0
  won = 0

  get average(): number {
    return meanOf(this.total, this.deals)
  }
}

/** The counts and values of a group of deals. */
export class Tally {
  dealsCount = 0
  /** Open deals created, and deals of each other status closed, in the span. */
  readonly counts = ofEachState(dealMachine, () => 0)
  readonly worth = new ByCurrency(() => new ValueSums())
  #msToWin = 0

  addCreated({ currency, count, value, openCount, openValue }: Created): void {
    this.dealsCount += count
    this.counts.open += openCount
    const worth = this.worth.of(currency)
    worth.deals += count
    worth.total += value
    worth.open += openValue
  }

  addClosed({ currency, status, count, value, ms }: Closed): void {
    this.counts[status] += count
    if (status !== 'won') return
    this.worth.of(currency).won += value
    this.#msToWin += ms
  }

  add(other: Tally): void {
    this.dealsCount += other.dealsCount
    for (const status of dealMachine.states) this.counts[status] += other.counts[status]
    this.#msToWin += other.#msToWin
    for (const [currency, { deals: count, total, open, won }] of other.worth) {
      const worth = this.worth.of(currency)
      worth.deals += count
      worth.total += total
      worth.open += open
      worth.won += won
    }
  }

  /** Returns the percentage of closed deals that were won, with one decimal. */
  get conversionRate(): number {
    const closed = CLOSED.reduce((sum, status) => sum + this.counts[status], 0)
    return closed === 0 ? 0 : Math.round((this.counts.won * 1000) / closed) / 10
  }

  /** Returns the average days from creation to winning, with two decimals. */
  get averageDaysToWin(): number {
    return daysOf(this.#msToWin, this.counts.won)
  }
}

/** The sums of deals created in a piece of a span. */
interface Created {
  readonly currency: string
  readonly count: number
  readonly value: number
  readonly openCount: number
  readonly openValue: number
}

/** The sums of deals closed in a piece of a span. */
interface Closed {
  readonly currency: string
  readonly status: DealStatus
  readonly count: number
  readonly value: number
  /** The total time from creation to closing. */
  readonly ms: number
}

/** Returns the average of `count` durations in days, with two decimals. */
export const daysOf = (ms: number, count: number): number =>
  count === 0 ? 0 : Math.round((ms * 100) / (DAY * count)) / 100
