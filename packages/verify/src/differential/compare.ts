/** Compares two JSON values, and names the places at which they differ. */

export interface Difference {
  /** ".data[].amount" */
  readonly place: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Differences of one pair that are named; more of them say nothing more. */
const MAX_DIFFERENCES = 50

type Fields = Readonly<Record<string, unknown>>

/** What counts as different. */
interface Comparing {
  /** `name` is the property of the values, or of the list with them. */
  readonly isSame?: (left: unknown, right: unknown, place: string, name: string) => boolean
  /** Compares a record as a whole, after its fields; not one inside another record. */
  readonly ofRecord?: (left: Fields, right: Fields, place: string) => Difference | null
}

/** Returns where `actual` differs from `expected`, each place once. */
export function differencesOf(
  expected: unknown,
  actual: unknown,
  { isSame = isPlainlySame, ofRecord }: Comparing = {},
): readonly Difference[] {
  const found = new Map<string, Difference>()
  const visit = (left: unknown, right: unknown, place: string, name: string, isInside: boolean): void => {
    if (found.size >= MAX_DIFFERENCES || isSame(left, right, place, name)) return
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) add({ place, expected: left, actual: right })
      else for (const [index, item] of left.entries()) visit(item, right[index], `${place}[]`, name, isInside)
      return
    }
    if (isObject(left) && isObject(right)) {
      const isRecord = Object.hasOwn(left, 'id')
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
        visit(left[key], right[key], `${place}.${key}`, key, isInside || isRecord)
      const whole = isRecord && !isInside ? ofRecord?.(left, right, place) : null
      if (whole) add(whole)
      return
    }
    add({ place, expected: left, actual: right })
  }
  const add = (difference: Difference): void => {
    if (!found.has(difference.place)) found.set(difference.place, difference)
  }
  visit(expected, actual, '', '', false)
  return [...found.values()]
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** URLs differ in their hosts, so any two are the same. */
const isPlainlySame = (left: unknown, right: unknown): boolean =>
  left === right || (isUrl(left) && isUrl(right))

export const isUrl = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\/\S+$/.test(value)
