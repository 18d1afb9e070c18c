/** Suggests the intended name for an unknown one. */
import { distance } from 'fastest-levenshtein'

/** Maximum characters of a name that is compared. */
const LONGEST = 100

/** Returns the nearest known name, in which at most a third of the letters differ; else null. */
export function nearestName(written: string, known: readonly string[]): string | null {
  if (written.length > LONGEST) return null
  const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()
  const found = known
    .map((name) => ({ name, far: distance(plain(written), plain(name)) }))
    .sort((one, other) => one.far - other.far)
    .at(0)
  return found && found.far <= Math.max(1, Math.floor(found.name.length / 3)) ? found.name : null
}
