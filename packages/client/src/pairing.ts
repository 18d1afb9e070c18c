/**
 * Pairs expected records with records that changed: an equal one for each if possible, otherwise the nearest one. There
 * can be thousands of records, so equal ones on both sides are one class.
 */

interface Class<Member> {
  readonly first: Member
  readonly members: Member[]
  /** How many members have no partner yet. */
  free: number
}

type ExpectedClass = Class<unknown> & {
  /** The records that can be equal, and those that are; null until they are needed. */
  readonly candidates: readonly RecordClass[]
  equals: readonly RecordClass[] | null
}

/** `owners` has the partners of its members, and how many. */
type RecordClass = Class<unknown> & { readonly owners: Map<ExpectedClass, number> }

type IsEqual = (expected: unknown, record: unknown) => boolean

/** How an expected record and one that changed are compared. */
export interface Rules<Expected, Item> {
  /** Texts that are the same for those that nothing here tells apart. */
  readonly expectedKey: (expected: Expected) => string
  readonly recordKey: (record: Item) => string
  /** Returns a function that finds all records that can be equal to an expected one. */
  readonly finderIn: (records: readonly Item[]) => (expected: Expected) => readonly Item[]
  readonly isEqual: (expected: Expected, record: Item) => boolean
}

/**
 * Finds a different equal record for as many expected ones as possible: a maximum matching of a bipartite graph, in which
 * an edge is an equal record.
 */
export function pairUp<Expected, Item>(
  wanted: readonly Expected[],
  records: readonly Item[],
  rules: Rules<Expected, Item>,
): { readonly unmatched: Expected[]; readonly left: Item[] } {
  const recordClasses = classesOf(records, rules.recordKey).map((each) => ({
    ...each,
    owners: new Map<ExpectedClass, number>(),
  }))
  const classOf = new Map(recordClasses.map((each) => [each.first, each]))
  const candidatesOf = rules.finderIn([...classOf.keys()])
  const expectedClasses = classesOf(wanted, rules.expectedKey).map((each) => ({
    ...each,
    candidates: candidatesOf(each.first).flatMap((record) => classOf.get(record) ?? []),
    equals: null,
  }))
  const bySelectivity = expectedClasses.toSorted(
    (one, other) => one.candidates.length - other.candidates.length,
  )
  const isEqual = rules.isEqual as IsEqual
  matchFree(bySelectivity, isEqual)
  augment(bySelectivity, isEqual)
  return { unmatched: freeOf(wanted, expectedClasses), left: freeOf(records, recordClasses) }
}

function classesOf<Member>(members: readonly Member[], keyOf: (member: Member) => string): Class<Member>[] {
  const classes = new Map<string, Class<Member>>()
  for (const each of members) {
    const key = keyOf(each)
    const found = classes.get(key)
    if (found) {
      found.members.push(each)
      found.free++
    } else classes.set(key, { first: each, members: [each], free: 1 })
  }
  return [...classes.values()]
}

/** Returns the members without a partner, in their order. */
function freeOf<Member>(all: readonly Member[], classes: readonly Class<Member>[]): Member[] {
  const free = new Map<Member, number>()
  for (const { members, free: count } of classes) {
    // The same object can be expected twice.
    for (const each of members.slice(members.length - count)) free.set(each, (free.get(each) ?? 0) + 1)
  }
  return all.filter((each) => {
    const count = free.get(each) ?? 0
    free.set(each, count - 1)
    return count > 0
  })
}

/** Pairs expected records with free ones. Both are often in the same order, so each search starts after the last. */
function matchFree(classes: readonly ExpectedClass[], isEqual: IsEqual): void {
  let start = 0
  for (const each of classes) {
    const { candidates } = each
    const from = start
    for (let step = 0; step < candidates.length && each.free > 0; step++) {
      const at = (from + step) % candidates.length
      const record = candidates[at]
      if (!record || record.free === 0 || !isEqual(each.first, record.first)) continue
      take(each, record, Math.min(each.free, record.free))
      start = at
    }
  }
}

function take(expected: ExpectedClass, record: RecordClass, count: number): void {
  expected.free -= count
  record.free -= count
  record.owners.set(expected, (record.owners.get(expected) ?? 0) + count)
}

/** Matches the other expected records along augmenting paths: an owner takes another record, and its own becomes free. */
function augment(classes: readonly ExpectedClass[], isEqual: IsEqual): void {
  // From these, no path leads to a free record.
  const exhausted = new Set<RecordClass>()
  for (const each of classes) {
    while (each.free > 0 && hasAugmented(each, exhausted, isEqual));
  }
}

function hasAugmented(start: ExpectedClass, exhausted: Set<RecordClass>, isEqual: IsEqual): boolean {
  /** The records that were seen, with the class that wants them, and the classes with the record that they would pass on. */
  const wantedBy = new Map<RecordClass, ExpectedClass>()
  const passes = new Map<ExpectedClass, RecordClass>()
  const stack = [start]
  for (let each = stack.pop(); each; each = stack.pop()) {
    for (const record of equalsOf(each, isEqual)) {
      if (wantedBy.has(record) || exhausted.has(record)) continue
      wantedBy.set(record, each)
      if (record.free > 0) {
        moveAlong(start, record, wantedBy, passes)
        return true
      }
      for (const owner of record.owners.keys()) {
        if (owner === start || passes.has(owner)) continue
        passes.set(owner, record)
        stack.push(owner)
      }
    }
  }
  for (const record of wantedBy.keys()) exhausted.add(record)
  return false
}

function equalsOf(expected: ExpectedClass, isEqual: IsEqual): readonly RecordClass[] {
  expected.equals ??= expected.candidates.filter(({ first }) => isEqual(expected.first, first))
  return expected.equals
}

/** Moves one record along the path from a free one back to the class that needs one. */
function moveAlong(
  start: ExpectedClass,
  free: RecordClass,
  wantedBy: ReadonlyMap<RecordClass, ExpectedClass>,
  passes: ReadonlyMap<ExpectedClass, RecordClass>,
): void {
  for (let record: RecordClass | undefined = free; record;) {
    const expected: ExpectedClass = wantedBy.get(record) ?? start
    take(expected, record, 1)
    const passed: RecordClass | undefined = expected === start ? undefined : passes.get(expected)
    if (passed) {
      const count = (passed.owners.get(expected) ?? 0) - 1
      if (count === 0) passed.owners.delete(expected)
      else passed.owners.set(expected, count)
      passed.free++
      expected.free++
    }
    record = passed
  }
}

/** An expected record without an equal one; `nearest` differs from it. */
export interface Unmet<Expected, Item, Difference> {
  readonly expected: Expected
  readonly nearest: { readonly record: Item; readonly differences: readonly Difference[] } | null
}

export interface Nearness<Expected, Item, Difference> {
  /** Returns the remaining records that an expected one can describe. */
  readonly candidates: (expected: Expected, left: ReadonlySet<Item>) => Iterable<Item>
  readonly differences: (expected: Expected, record: Item) => readonly Difference[]
  /** Called with each record that is the nearest, before the next one is searched. */
  readonly onTake?: (expected: Expected, record: Item) => void
}

/** Finds the record with the fewest differences for each expected one, and takes it out of `left`. */
export function nearestOfEach<Expected, Item, Difference>(
  unmatched: readonly Expected[],
  left: Set<Item>,
  { candidates, differences: differencesOf, onTake }: Nearness<Expected, Item, Difference>,
): Unmet<Expected, Item, Difference>[] {
  return unmatched.map((expected) => {
    let nearest: Unmet<Expected, Item, Difference>['nearest'] = null
    for (const record of candidates(expected, left)) {
      const differences = differencesOf(expected, record)
      if (nearest === null || differences.length < nearest.differences.length)
        nearest = { record, differences }
    }
    if (nearest) {
      left.delete(nearest.record)
      onTake?.(expected, nearest.record)
    }
    return { expected, nearest }
  })
}
