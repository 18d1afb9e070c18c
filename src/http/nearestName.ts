/** The name that somebody meant who wrote another. */
import { distance } from 'fastest-levenshtein'

/** Longer names are not looked at. */
const LONGEST = 100

/** The nearest of the known names; null where none is near: a third of its letters may be others. */
export function nearestName(written: string, known: readonly string[]): string | null {
  if (written.length > LONGEST) return null
  const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()
  const found = known
    .map((name) => ({ name, far: distance(plain(written), plain(name)) }))
    .sort((one, other) => one.far - other.far)
    .at(0)
  return found && found.far <= Math.max(1, Math.floor(found.name.length / 3)) ? found.name : null
}
