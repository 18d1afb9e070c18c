/** Amounts: numbers with at most two decimals on the wire, hundredths in the tables, so that sums are exact. */
import { refuseField } from '../refusal.ts'

/** 999999999999.99, the largest amount that a deal may have. */
export const LARGEST_AMOUNT = 999_999_999_999.99

/** The amount as the wire shows it. */
export const amountOf = (hundredths: number): number => hundredths / 100

/** The amount that a caller sent in `field`, in hundredths; refused when it has a third decimal. */
export function hundredthsOf(amount: number, field: string): number {
  const hundredths = Math.round(amount * 100)
  if (hundredths / 100 !== amount) {
    refuseField(field, 'too_precise', `${field} must have at most two decimals`)
  }
  return hundredths
}

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
