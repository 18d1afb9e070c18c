/** The name that was likely meant: the one that the fewest changes of single characters lead to, if these are few. */

const FEW = 0.4

/** Returns undefined where no name is near. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance: changes }) => changes <= Math.max(name.length, written.length) * FEW)
    .sort((one, other) => one.distance - other.distance)
  return best?.name
}

/** Characters that have to be put in, taken out or put in another's place (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [line, character] of Array.from(one).entries()) {
    const next = [line + 1]
    for (let place = 0; place < other.length; place++) {
      const changed = (row[place] ?? 0) + (other[place] === character ? 0 : 1)
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
