/**
 * Exact decimal amounts. By the authority's rules, lines have six decimals. Documents round each sum of their lines once, to
 * the decimals of their currency, and add up the rounded sums.
 */
import Big from 'big.js'

export type Amount = Big

/** The decimals of a line and of the amounts computed from it. */
export const LINE_DECIMALS = 6

/** The decimals of the exchange rate between the currencies of a payment and its invoice. */
export const EQUIVALENCE_DECIMALS = 10

export const decimal = (text: string): Big => new Big(text)

export const ZERO = new Big(0)

/** Rounds half up. */
export const roundAmount = (value: Big, decimals: number): Big => value.round(decimals, Big.roundHalfUp)

export const sumOf = (values: Iterable<Big>): Big => {
  let sum = ZERO
  for (const value of values) sum = sum.plus(value)
  return sum
}

/** Formats an amount with exactly `decimals` decimals, rounded half up. */
export const formatFixed = (value: Big, decimals: number): string => value.toFixed(decimals, Big.roundHalfUp)

/** Formats an amount of a line: two to six decimals. */
export function formatLineAmount(value: Big): string {
  const text = value.toFixed(LINE_DECIMALS, Big.roundHalfUp)
  return text.replace(/0{1,4}$/, '')
}

/** Counts the decimals of a decimal string. */
export const countDecimals = (text: string): number => text.split('.')[1]?.length ?? 0

/** Returns the smallest positive number with `decimals` decimals. */
export const smallestUnit = (decimals: number): Big => new Big(10).pow(-decimals)

interface Limits {
  readonly min: Big
  readonly max: Big
}

/** Returns the range of numbers that round to this decimal string. */
function beforeRounding(text: string): Limits {
  const half = smallestUnit(countDecimals(text)).div(2)
  return { min: decimal(text).minus(half), max: decimal(text).plus(half).minus('1e-12') }
}

const roundOutwards = (min: Big, max: Big, decimals: number): Limits => ({
  min: min.round(decimals, Big.roundDown),
  max: max.round(decimals, Big.roundUp),
})

/** Returns the range of the product of two rounded numbers. */
export function productLimits(left: string, right: string, decimals: number): Limits {
  const [one, other] = [beforeRounding(left), beforeRounding(right)]
  return roundOutwards(one.min.times(other.min), one.max.times(other.max), decimals)
}

/** Returns the range of the product of a rounded base and an exact rate. */
export function taxLimits(base: string, rate: string, decimals: number): Limits {
  const { min, max } = beforeRounding(base)
  return roundOutwards(min.times(rate), max.times(rate), decimals)
}
