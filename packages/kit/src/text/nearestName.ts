/** Suggests the intended name for an unknown one: in requests, in flags and in calls of the library. */

/** Maximum characters of a name that is compared. */
const LONGEST = 100

/** Returns the nearest known name, in which at most a third of the letters differ; else null. */
export function nearestName(written: string, known: readonly string[]): string | null {
  if (written.length > LONGEST) return null
  let nearest: string | null = null
  let fewest = Infinity
  for (const name of known) {
    const edits = editDistance(plain(written), plain(name))
    if (edits >= fewest || edits > Math.max(1, Math.floor(name.length / 3))) continue
    nearest = name
    fewest = edits
  }
  return nearest
}

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

/**
 * Returns the number of inserted, deleted and replaced characters and swapped neighbors between two texts
 * (optimal string alignment, the restricted Damerau-Levenshtein distance).
 */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = next
  }
  return last[other.length] ?? 0
}
