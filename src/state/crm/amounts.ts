/** Amounts in hundredths, so that sums are exact. */

/** The largest value of a deal, in hundredths. */
export const LARGEST_VALUE = 99_999_999_999_999

/** Adds up values times their probabilities without rounding in between. */
export class WeightedSum {
  #percents = 0n

  /** `hundredths` is a whole number, `probability` a percentage. */
  add(hundredths: number, probability: number): void {
    this.#percents += BigInt(hundredths) * BigInt(probability)
  }

  /** Returns the sum in hundredths, with halves rounded up. */
  get hundredths(): number {
    return Number((this.#percents + 50n) / 100n)
  }
}

/** Returns a value times its probability, in hundredths, with halves rounded up. */
export function weighted(hundredths: number, probability: number): number {
  const sum = new WeightedSum()
  sum.add(hundredths, probability)
  return sum.hundredths
}

/** Returns the mean of `count` values with this total, in hundredths; 0 if there are none. */
export const meanOf = (total: number, count: number): number => (count === 0 ? 0 : Math.round(total / count))
