/**
 * How a value changes. One list for the mutations of a team's tests and for those that `verify` is measured with; each
 * returns the value itself if the change does not apply to it.
 */
import { REMOVED } from './places.ts'

export type Change = (value: unknown) => unknown

export const remove: Change = () => REMOVED

export const toNull: Change = () => null

/** A number becomes a text and a text a number; a truth value becomes a text. */
export function toOtherType(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? lengthOf(value) : value
}

const lengthOf = (text: string): number => (Number(text) === 0 ? 0 : Number(text) || text.length)

/** A word that no list of values has. */
export const toUnknownWord = (word: string): string => `${word}_v2`

/** A number is a hundred times as large, also one in a text: "449.00" becomes "44900.00". */
export const timesHundred: Change = onNumbers((number) => number * 100)

/** An amount is larger by its smallest unit: 44900 becomes 44901, and "449.00" becomes "449.01". */
export const plusSmallest: Change = onNumbers((number, decimals) => number + 10 ** -decimals)

function onNumbers(change: (number: number, decimals: number) => number): Change {
  return (value) => {
    if (typeof value === 'number') {
      const decimals = decimalsOf(String(value))
      return Number(change(value, decimals).toFixed(Math.min(decimals, MAX_DECIMALS)))
    }
    if (typeof value !== 'string' || !DECIMAL.test(value)) return value
    const decimals = decimalsOf(value)
    return change(Number(value), decimals).toFixed(decimals)
  }
}

const MAX_DECIMALS = 10

const DECIMAL = /^-?\d{1,12}(?:\.\d{1,6})?$/

const decimalsOf = (text: string): number => (text.split('.')[1] ?? '').length

/** Whether a value is an amount in a number or in a text. */
export const isAmount = (value: unknown): boolean =>
  typeof value === 'number'
    ? value !== 0
    : typeof value === 'string' && DECIMAL.test(value) && Number(value) !== 0

export const isCurrency = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z]{3}$/.test(value)

export const toOtherCurrency: Change = (value) =>
  isCurrency(value) ? (value === 'EUR' ? 'USD' : 'EUR') : value

/** Returns the value with the fields of each object in the opposite order. */
export function withReversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReversedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, withReversedKeys(each)] as const)
  return Object.fromEntries(entries.reverse())
}
