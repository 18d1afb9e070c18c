/** Amounts in hundredths, so that sums are exact. */

/** Of a deal, in hundredths. */
export const LARGEST_VALUE = 99_999_999_999_999

/** Adds up values times their probability without a rounding in between. */
export class WeightedSum {
  #percents = 0n

  /** `hundredths` is whole, `probability` in percent. */
  add(hundredths: number, probability: number): void {
    this.#percents += BigInt(hundredths) * BigInt(probability)
  }

  /** In hundredths, half a one rounded up. */
  get hundredths(): number {
    return Number((this.#percents + 50n) / 100n)
  }
}

/** A value times its probability, in hundredths, half a one rounded up. */
export function weighted(hundredths: number, probability: number): number {
  const sum = new WeightedSum()
  sum.add(hundredths, probability)
  return sum.hundredths
}

/** `total` for each of `count`, in hundredths like it; 0 where there is none. */
export const meanOf = (total: number, count: number): number => (count === 0 ? 0 : Math.round(total / count))
