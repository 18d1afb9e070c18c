/** Suggests the intended name: the one with the fewest edits, if there are few. */

const MAX_EDIT_RATIO = 0.4

/** Returns the nearest name; undefined if none is near. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ name, distance: changes }) => changes <= Math.max(name.length, written.length) * MAX_EDIT_RATIO,
    )
    .sort((one, other) => one.distance - other.distance)
  return best?.name
}

/** Returns the Levenshtein distance: the number of inserted, deleted or replaced characters. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [line, character] of Array.from(one).entries()) {
    const next = [line + 1]
    for (let index = 0; index < other.length; index++) {
      const changed = (row[index] ?? 0) + (other[index] === character ? 0 : 1)
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
