/** Suggests the intended path for an unknown one: misspelled, or without the base path of its interface. */
import { editDistance } from '../schemas/nearestName.ts'

/** Maximum characters of a path that is compared. */
const LONGEST = 200
const MAX_SEGMENTS = 16

/** Maximum cost of a different base path. */
const OTHER_BASE = 5

export interface KnownPath {
  readonly basePath: string
  /** Relative to the base path, parameters in braces: "/products/{id}". */
  readonly path: string
}

/**
 * Returns the nearest known path, parameters in braces; null if none is near. If several are equally near,
 * the first.
 */
export function nearestPath(written: string, known: Iterable<KnownPath>): string | null {
  const segments = segmentsOf(written.toLowerCase())
  if (written.length > LONGEST || segments.length > MAX_SEGMENTS) return null
  let nearest: string | null = null
  let lowestCost = Infinity
  for (const candidate of known) {
    const cost = costOf(segments, candidate)
    if (cost < lowestCost) {
      lowestCost = cost
      nearest = candidate.basePath + candidate.path
    }
  }
  return nearest
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/**
 * Returns the distance to a known path; Infinity if it is another path. Compares the last segments one by
 * one, because callers usually misspell a word, or get everything before the resource wrong.
 */
function costOf(written: readonly string[], { basePath, path }: KnownPath): number {
  const knownSegments = segmentsOf(path.toLowerCase())
  const head = written.slice(0, Math.max(0, written.length - knownSegments.length))
  if (knownSegments.length === 0 || written.length < knownSegments.length) return Infinity
  const tail = written.slice(head.length)
  let cost = 0
  let literals = 0
  for (const [index, segment] of knownSegments.entries()) {
    if (segment.startsWith('{')) {
      // A literal segment is nearer than a parameter.
      cost += 0.5
      continue
    }
    const segmentDistance = editDistance(tail[index] ?? '', segment)
    if (segmentDistance > Math.max(1, Math.floor(segment.length / 3))) return Infinity
    cost += segmentDistance
    literals++
  }
  const base = basePath.toLowerCase()
  const baseDistance = Math.min(OTHER_BASE, editDistance(`/${head.join('/')}`, base))
  // Parameters alone match every path.
  return literals === 0 && baseDistance > 2 ? Infinity : cost + baseDistance
}
