/** The order of the rows of a list. */

export type Ordered = string | number | boolean | null

/** Compares texts as the lists of the suite do: without case and accents. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: false })

/** Returns whether values are sorted, and the values in that order. Null may be at either end. */
export function compareSorted(
  values: readonly Ordered[],
  direction: 'asc' | 'desc',
): { isSorted: boolean; sorted: readonly Ordered[] } {
  const sign = direction === 'asc' ? 1 : -1
  const present = values.filter((value) => value !== null && value !== '')
  const sorted = present.toSorted((a, b) => sign * compareValues(a, b))
  const isSorted = present.every(
    (value, index) => index === 0 || sign * compareValues(present[index - 1] ?? null, value) <= 0,
  )
  return { isSorted, sorted }
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/

export function compareValues(a: Ordered, b: Ordered): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [String(a), String(b)]
  // Money may be text: "149.90".
  if (DECIMAL.test(left) && DECIMAL.test(right)) return Number(left) - Number(right)
  return collator.compare(left, right)
}

/** Returns the value of a row that a parameter names: `created_at` may be `createdAt`; undefined if it has none. */
export function fieldOf(row: unknown, name: string): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  const fields = row as Record<string, unknown>
  const camel = name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  for (const each of [name, camel]) if (Object.hasOwn(fields, each)) return fields[each]
  return undefined
}
