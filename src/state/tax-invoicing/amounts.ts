/**
 * Amounts as exact decimals. Lines are reckoned to six decimals; documents round the sums of their lines to the decimals of
 * their currency, each once, and add up what was rounded, as the authority's rules have it.
 */
import Big from 'big.js'

export type Amount = Big

/** Decimals of a line, and of what is reckoned of it. */
export const LINE_DECIMALS = 6

/** Decimals of what one currency is worth in another, where a payment is in another one than its invoice. */
export const EQUIVALENCE_DECIMALS = 10

export const decimal = (text: string): Big => new Big(text)

export const ZERO = new Big(0)

/** Half a one is rounded up. */
export const rounded = (value: Big, decimals: number): Big => value.round(decimals, Big.roundHalfUp)

export const sumOf = (values: Iterable<Big>): Big => {
  let sum = ZERO
  for (const value of values) sum = sum.plus(value)
  return sum
}

/** With so many decimals, no more and no less. */
export const fixed = (value: Big, decimals: number): string => value.toFixed(decimals, Big.roundHalfUp)

/** With at least two decimals and at most six. */
export function ofLine(value: Big): string {
  const text = value.toFixed(LINE_DECIMALS, Big.roundHalfUp)
  return text.replace(/0{1,4}$/, '')
}

/** Decimals that a text writes out. */
export const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0

/** One of the last of so many decimals. */
export const unitOf = (decimals: number): Big => new Big(10).pow(-decimals)

interface Limits {
  readonly least: Big
  readonly most: Big
}

/** What a number may have been before it was rounded to the decimals it is written with. */
function beforeRounding(text: string): Limits {
  const half = unitOf(decimalsOf(text)).div(2)
  return { least: decimal(text).minus(half), most: decimal(text).plus(half).minus('1e-12') }
}

const outwards = (least: Big, most: Big, decimals: number): Limits => ({
  least: least.round(decimals, Big.roundDown),
  most: most.round(decimals, Big.roundUp),
})

/** The smallest and the largest product of two numbers that were rounded to the decimals they are written with. */
export function productLimits(left: string, right: string, decimals: number): Limits {
  const [one, other] = [beforeRounding(left), beforeRounding(right)]
  return outwards(one.least.times(other.least), one.most.times(other.most), decimals)
}

/** The same of a base and a rate, of which the base alone was rounded. */
export function taxLimits(base: string, rate: string, decimals: number): Limits {
  const { least, most } = beforeRounding(base)
  return outwards(least.times(rate), most.times(rate), decimals)
}
