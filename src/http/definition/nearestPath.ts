/** Suggests the intended path for an unknown one: misspelled, with segments missing or added, or below another base path. */
import { editDistance } from '@suite-sim/kit/text/nearestName'

/** Maximum characters of a path that is compared. */
const LONGEST = 200
const MAX_SEGMENTS = 16

/** Costs, in misspelled letters. */
const REPLACED = 1.2
const ADDED = 1
const MISSING = 0.6
const MISSING_PARAMETER = 0.4
/** A literal segment is nearer than a parameter. */
const PARAMETER = 0.5
/** A word of a segment: "links" for "payment-links". */
const WORD = 1
/** Maximum cost of a base path; the cost of none, and of one that starts with another segment. */
const OTHER_BASE = 4
const MAX_COST = 8

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
  const costs = new Map<string, number>()
  const compare: Compare = (one, other) => {
    const pair = `${one}/${other}`
    const cost = costs.get(pair) ?? segmentCost(one, other)
    costs.set(pair, cost)
    return cost
  }
  let nearest: string | null = null
  let lowestCost = MAX_COST
  for (const candidate of known) {
    const cost = costOf(segments, candidate, compare)
    if (cost < lowestCost) {
      lowestCost = cost
      nearest = candidate.basePath + candidate.path
    }
  }
  return nearest
}

/** Returns the cost of writing a segment for another one; Infinity if they are different. */
type Compare = (written: string, known: string) => number

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

const isParameter = (segment: string): boolean => segment.startsWith('{')

function segmentCost(written: string, known: string): number {
  if (written === known) return 0
  const edits = editDistance(written, known)
  // Every single letter is one edit away from another one.
  const allowed = known.length < 3 ? 0 : Math.max(1, Math.floor(known.length / 3))
  if (edits <= allowed) return edits
  return wordsOf(known).includes(singular(written)) || wordsOf(written).includes(singular(known))
    ? WORD
    : Infinity
}

/** The shortest word that alone is taken for the segment. */
const SHORTEST_WORD = 4

const wordsOf = (segment: string): string[] =>
  segment
    .split(/[-_]/)
    .filter((word) => word.length >= SHORTEST_WORD)
    .map(singular)

const singular = (word: string): string => word.replace(/s$/, '')

/** Returns the distance to a known path; Infinity if it is another path. */
function costOf(written: readonly string[], { basePath, path }: KnownPath, compare: Compare): number {
  const base = segmentsOf(basePath.toLowerCase())
  const own = segmentsOf(path.toLowerCase())
  if (own.length === 0) return Infinity
  const lastLiteral = own.findLast((segment) => !isParameter(segment))
  let lowest = Infinity
  for (let head = 0; head < written.length; head++) {
    const baseDistance = baseCost(written.slice(0, head), base, compare)
    // Parameters alone match every path.
    if (lastLiteral === undefined && baseDistance > 0) continue
    // Below another base path, a misspelled name is a coincidence.
    const isElsewhere = head > 0 && baseDistance >= OTHER_BASE
    if (isElsewhere && !written.some((each) => singular(each) === singular(lastLiteral ?? ''))) continue
    lowest = Math.min(lowest, baseDistance + ownCost(written.slice(head), own, compare))
  }
  return lowest
}

/** Returns the cost of a base path. Segments after the first may be replaced. */
function baseCost(written: readonly string[], base: readonly string[], compare: Compare): number {
  if (compare(written[0] ?? '', base[0] ?? '') === Infinity) return OTHER_BASE
  let last = base.map((_, index) => index * MISSING)
  last.push(base.length * MISSING)
  for (const [row, segment] of written.entries()) {
    const next = [(row + 1) * ADDED]
    for (const [index, known] of base.entries()) {
      next.push(
        Math.min(
          (last[index] ?? 0) + Math.min(REPLACED, compare(segment, known)),
          (last[index + 1] ?? 0) + ADDED,
          (next[index] ?? 0) + MISSING,
        ),
      )
    }
    last = next
  }
  return Math.min(OTHER_BASE, last[base.length] ?? 0)
}

/**
 * Returns the cost of a path below its base path. Its last literal and the last written segment must match, and
 * a parameter must follow the segment before it.
 */
function ownCost(written: readonly string[], own: readonly string[], compare: Compare): number {
  const lastLiteral = own.findLastIndex((segment) => !isParameter(segment))
  // Costs from a written segment to the end, by known segment; `afterAdded` if the segment before was added.
  const size = own.length + 1
  let following = { plain: [] as number[], afterAdded: [] as number[] }
  for (let row = written.length; row >= 0; row--) {
    const segment = written[row]
    const plain = Array.from({ length: size }, () => Infinity)
    const afterAdded = [...plain]
    if (segment === undefined) plain[own.length] = 0
    for (let index = own.length; index >= 0; index--) {
      const known = own[index]
      const added = row < written.length - 1 ? ADDED + (following.afterAdded[index] ?? Infinity) : Infinity
      if (known === undefined) {
        afterAdded[index] = added
        plain[index] = Math.min(plain[index] ?? Infinity, added)
        continue
      }
      const missingCost = isParameter(known) ? MISSING_PARAMETER : MISSING
      const missing = (after: readonly number[]): number =>
        index === lastLiteral ? Infinity : missingCost + (after[index + 1] ?? Infinity)
      const rest = following.plain[index + 1] ?? Infinity
      const isMatchable = segment !== undefined
      const literal = isMatchable && !isParameter(known) ? compare(segment, known) + rest : Infinity
      const parameter = isMatchable && isParameter(known) ? PARAMETER + rest : Infinity
      plain[index] = Math.min(plain[index] ?? Infinity, literal, parameter, missing(plain), added)
      afterAdded[index] = Math.min(literal, missing(afterAdded), added)
    }
    following = { plain, afterAdded }
  }
  return following.plain[0] ?? Infinity
}
