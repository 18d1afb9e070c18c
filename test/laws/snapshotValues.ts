/** Candidate values for a column of a snapshot: those just beyond the published bounds, and hostile ones. */

export interface Bounds {
  readonly lengths: readonly number[]
  readonly counts: readonly number[]
  readonly numbers: readonly number[]
}

const LONGEST = 100_000
const MAX_ITEMS = 1000

/** Every bound in the document of an interface, from the largest to the smallest. */
export function boundsIn(document: unknown): Bounds {
  const lengths = new Set([LONGEST])
  const counts = new Set([MAX_ITEMS])
  const numbers = new Set([0])
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { maxLength, maxItems, minimum, maximum } = value as Record<string, unknown>
    if (typeof maxLength === 'number' && maxLength <= LONGEST) lengths.add(maxLength)
    if (typeof maxItems === 'number' && maxItems <= MAX_ITEMS) counts.add(maxItems)
    for (const each of [minimum, maximum]) {
      // Amounts are stored in cents.
      if (typeof each === 'number') numbers.add(each).add(each * 100)
    }
    Object.values(value).forEach(walk)
  }
  walk(document)
  const [byLength, byCount, bySize] = [lengths, counts, numbers].map((set) =>
    [...set].toSorted((a, b) => b - a),
  )
  return { lengths: byLength ?? [], counts: byCount ?? [], numbers: bySize ?? [] }
}

/** Inherited property names, which are also invalid enum values. */
export const HOSTILE = ['__proto__', 'constructor']

/**
 * Values of one kind, from the most extreme to the least. The first one that a snapshot accepts represents the group.
 */
export type Group = readonly unknown[]

const DEEPEST = 4

/** The candidate values for a column that holds this value. */
export function groupsOf(value: unknown, bounds: Bounds, depth = 0): Group[] {
  switch (typeof value) {
    case 'string':
      return textGroups(value, bounds)
    case 'number':
      return numberGroups(value, bounds)
    case 'boolean':
      return [[!value], ['true']]
    default:
      if (typeof value !== 'object' || value === null) return []
      return Array.isArray(value) ? listGroups(value, bounds, depth) : objectGroups(value, bounds, depth)
  }
}

function textGroups(value: string, { lengths }: Bounds): Group[] {
  const long = (start: string, filling: string): string[] =>
    lengths.map((length) => start + filling.repeat(Math.max(1, length + 1 - start.length)))
  const filling = /\d$/.test(value) ? '0' : 'x'
  return [
    [...long('', 'x'), ...long(value, filling), ...long('https://example.com/', 'x')],
    ...['', ' ', '-1', '0', '9'.repeat(30), ...HOSTILE].map((text) => [text]),
  ]
}

function numberGroups(value: number, { numbers }: Bounds): Group[] {
  return [
    [Number.MAX_SAFE_INTEGER, ...numbers.map((each) => Math.floor(each) + 1)],
    [Number.MIN_SAFE_INTEGER, ...numbers.toReversed().map((each) => Math.ceil(each) - 1)],
    [0],
    [value + 0.12345],
  ]
}

function listGroups(value: readonly unknown[], bounds: Bounds, depth: number): Group[] {
  const [first, ...others] = value
  const fixed: Group[] = [[[]], [[0]], [['']], [[null]], [[{}]]]
  if (first === undefined) return [...fixed, [['x'.repeat(LONGEST)]]]
  const numbered = (place: number): unknown =>
    typeof first === 'string' ? `${first}${String(place)}` : first
  const long = bounds.counts.map((count) => Array.from({ length: count + 1 }, (_, place) => numbered(place)))
  const within = depth < DEEPEST ? groupsOf(first, bounds, depth + 1) : []
  return [...fixed, long, [[first, first]], ...within.map((group) => group.map((each) => [each, ...others]))]
}

function objectGroups(value: object, bounds: Bounds, depth: number): Group[] {
  const within = Object.entries(value).flatMap(([name, held]): Group[] => [
    [Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))],
    [{ ...value, [name]: null }],
    ...(depth < DEEPEST
      ? groupsOf(held, bounds, depth + 1).map((group) => group.map((each) => ({ ...value, [name]: each })))
      : []),
  ])
  return [[{}], [{ ...value, constructor: 1 }], ...within]
}
