/** Compares two JSON values, and names the places at which they differ. */

export interface Difference {
  /** ".data[].amount" */
  readonly place: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Differences of one pair that are named; more of them say nothing more. */
const MAX_DIFFERENCES = 50

/** Returns where `actual` differs from `expected`, each place once. */
export function differencesOf(expected: unknown, actual: unknown): readonly Difference[] {
  const found = new Map<string, Difference>()
  const visit = (left: unknown, right: unknown, place: string): void => {
    if (found.size >= MAX_DIFFERENCES || isSame(left, right)) return
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) add(place, left, right)
      else for (const [index, item] of left.entries()) visit(item, right[index], `${place}[]`)
      return
    }
    if (isObject(left) && isObject(right)) {
      const names = new Set([...Object.keys(left), ...Object.keys(right)])
      for (const name of names) visit(left[name], right[name], `${place}.${name}`)
      return
    }
    add(place, left, right)
  }
  const add = (place: string, left: unknown, right: unknown): void => {
    if (!found.has(place)) found.set(place, { place, expected: left, actual: right })
  }
  visit(expected, actual, '')
  return [...found.values()]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** URLs differ in their hosts, so any two are the same. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  return typeof left === 'string' && typeof right === 'string' && isUrl(left) && isUrl(right)
}

const isUrl = (text: string): boolean => /^https?:\/\/\S+$/.test(text)
