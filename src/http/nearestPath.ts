/** The path that somebody meant who called another: misspelled, or without the base path of its interface. */
import { distance } from 'fastest-levenshtein'

/** Longer paths are not compared. */
const LONGEST = 200
const MAX_SEGMENTS = 16

/** What another base path than the one of the call counts at most. */
const OTHER_BASE = 5

export interface KnownPath {
  readonly basePath: string
  /** Relative to it, parameters in braces: "/products/{id}". */
  readonly path: string
}

/** The nearest known path, parameters in braces; null if none is near. The first of several wins. */
export function nearestPath(written: string, known: Iterable<KnownPath>): string | null {
  const segments = segmentsOf(written.toLowerCase())
  if (written.length > LONGEST || segments.length > MAX_SEGMENTS) return null
  let nearest: string | null = null
  let least = Infinity
  for (const candidate of known) {
    const cost = costOf(segments, candidate)
    if (cost < least) {
      least = cost
      nearest = candidate.basePath + candidate.path
    }
  }
  return nearest
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/**
 * How far a path is from a known one; Infinity if it is another. Its last segments are compared one by one, because what
 * callers get wrong is a word, or all that stands before the resource.
 */
function costOf(written: readonly string[], { basePath, path }: KnownPath): number {
  const asked = segmentsOf(path.toLowerCase())
  const head = written.slice(0, Math.max(0, written.length - asked.length))
  if (asked.length === 0 || written.length < asked.length) return Infinity
  const tail = written.slice(head.length)
  let cost = 0
  let literals = 0
  for (const [place, segment] of asked.entries()) {
    if (segment.startsWith('{')) {
      // A word that stands for itself is nearer than one that stands for anything.
      cost += 0.5
      continue
    }
    const far = distance(tail[place] ?? '', segment)
    if (far > Math.max(1, Math.floor(segment.length / 3))) return Infinity
    cost += far
    literals++
  }
  const base = basePath.toLowerCase()
  const away = Math.min(OTHER_BASE, distance(`/${head.join('/')}`, base))
  // Parameters alone fit anything.
  return literals === 0 && away > 2 ? Infinity : cost + away
}
