/**
 * Amounts as exact decimals. Lines are reckoned to six decimals; documents round the sums of their lines to the decimals of
 * their currency, each once, and add up what was rounded, as the authority's rules have it.
 */
import Big from 'big.js'

export type Amount = Big

/** Decimals of a line, and of what is reckoned of it. */
export const LINE_DECIMALS = 6

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

/** The smallest and the largest product of two numbers that were rounded to the decimals they are written with. */
export function productLimits(left: string, right: string, decimals: number): { least: Big; most: Big } {
  const half = (text: string): Big => new Big(10).pow(-decimalsOf(text)).div(2)
  const least = decimal(left)
    .minus(half(left))
    .times(decimal(right).minus(half(right)))
  const beyond = new Big('1e-12')
  const most = decimal(left)
    .plus(half(left))
    .minus(beyond)
    .times(decimal(right).plus(half(right)).minus(beyond))
  return { least: least.round(decimals, Big.roundDown), most: most.round(decimals, Big.roundUp) }
}
