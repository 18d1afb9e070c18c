/** Compares values with expected ones, of which objects may leave out fields. */
import { counted } from '@suite-sim/kit/text/counted'
import { isMatcher, jsonText } from './printing.ts'

/** A value, a RegExp for a text, or a matcher of Vitest or Jest: `expect.any(Number)`. */
export type Expected = unknown

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The maximum characters of a value in a message. */
const LONGEST_SHOWN = 120

/**
 * Returns the first difference, "body.amount is 1300, expected 1250", or null if the value matches. Objects may have
 * more fields than expected, unless `isExact`; arrays must have the same length. `name` is that of the value in the message.
 */
export function differenceFrom(
  expected: Expected,
  value: unknown,
  name: string,
  isExact = false,
): string | null {
  if (expected === undefined) return null
  if (isMatcher(expected)) return expected.asymmetricMatch(value) ? null : unlike(expected, value, name)
  if (expected instanceof RegExp) {
    const isMatch =
      typeof value === 'string' && new RegExp(expected, expected.flags.replace(/[gy]/g, '')).test(value)
    return isMatch ? null : unlike(expected, value, name)
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(value)) return unlike(expected, value, name)
    if (value.length !== expected.length) {
      return `${name} has ${counted(value.length, 'item')}, expected ${String(expected.length)}`
    }
    return firstOf(expected, (each, index) =>
      differenceFrom(each, value[index], `${name}[${String(index)}]`, isExact),
    )
  }
  if (isObject(expected)) {
    // JSON has no dates, maps and sets.
    if (!isObject(value) || expected instanceof Date || Symbol.iterator in expected)
      return unlike(expected, value, name)
    const names = Object.keys(isExact ? { ...value, ...expected } : expected)
    return firstOf(names, (key) => {
      const [own, wanted] = [value, expected].map((each) =>
        Object.hasOwn(each, key) ? each[key] : undefined,
      )
      if (isExact && wanted === undefined && own !== undefined) return surplus(own, `${name}.${key}`)
      return differenceFrom(wanted, own, `${name}.${key}`, isExact)
    })
  }
  return Object.is(expected, value) ? null : unlike(expected, value, name)
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | null,
): string | null {
  for (const [index, item] of items.entries()) {
    const found = find(item, index)
    if (found !== null) return found
  }
  return null
}

const unlike = (expected: unknown, value: unknown, name: string): string =>
  `${name} is ${shown(value)}, expected ${shown(expected)}`

const surplus = (value: unknown, name: string): string => `${name} is ${shown(value)}, which is not expected`

/** Returns a value as a short text. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : jsonText(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
