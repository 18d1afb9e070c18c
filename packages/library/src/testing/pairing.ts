/**
 * Pairs expected records with equal ones. Tests compare thousands of records, so equal ones on both sides are one class,
 * and expected values find their candidates in an index.
 */
import type { Schema } from '../index.ts'
import { isMatcher } from '@suite-sim/client/printing'
import { isTelling } from '@suite-sim/client/telling'
import { any } from './any.ts'

type Changed = Schema<'ChangedRecord'>

interface Pairs {
  readonly unmatched: unknown[]
  readonly left: Changed[]
}

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
type RecordClass = Class<Changed> & { readonly owners: Map<ExpectedClass, number> }

/** Tells whether an expected record, of `wanted`, is equal to one that changed. */
type IsEqual = (expected: unknown, record: Changed) => boolean

/**
 * Finds a different equal record for as many expected ones as possible. A record that `any()` matches is passed on if
 * another expected one needs it.
 */
export function pairUp(wanted: readonly unknown[], records: readonly Changed[], isEqual: IsEqual): Pairs {
  const recordClasses = classesOf(records, recordKey(wanted)).map((each): RecordClass => ({
    ...each,
    owners: new Map(),
  }))
  const candidatesOf = candidateFinder(recordClasses)
  const expectedClasses = classesOf(wanted, createKeys()).map((each): ExpectedClass => ({
    ...each,
    candidates: candidatesOf(each.first),
    equals: null,
  }))
  const bySelectivity = expectedClasses.toSorted(
    (one, other) => one.candidates.length - other.candidates.length,
  )
  takeFree(bySelectivity, isEqual)
  passOn(bySelectivity, isEqual)
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
function takeFree(classes: readonly ExpectedClass[], isEqual: IsEqual): void {
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

/** Gives the other expected records those whose owner can have another. */
function passOn(classes: readonly ExpectedClass[], isEqual: IsEqual): void {
  // From these, no way leads to a free record.
  const dead = new Set<RecordClass>()
  for (const each of classes) {
    while (each.free > 0 && hasPassed(each, dead, isEqual));
  }
}

function hasPassed(start: ExpectedClass, dead: Set<RecordClass>, isEqual: IsEqual): boolean {
  /** The records that were seen, with the class that wants them, and the classes with the record that they would pass on. */
  const wantedBy = new Map<RecordClass, ExpectedClass>()
  const passes = new Map<ExpectedClass, RecordClass>()
  const waiting = [start]
  for (let each = waiting.pop(); each; each = waiting.pop()) {
    for (const record of equalsOf(each, isEqual)) {
      if (wantedBy.has(record) || dead.has(record)) continue
      wantedBy.set(record, each)
      if (record.free > 0) {
        moveAlong(start, record, wantedBy, passes)
        return true
      }
      for (const owner of record.owners.keys()) {
        if (owner === start || passes.has(owner)) continue
        passes.set(owner, record)
        waiting.push(owner)
      }
    }
  }
  for (const record of wantedBy.keys()) dead.add(record)
  return false
}

function equalsOf(expected: ExpectedClass, isEqual: IsEqual): readonly RecordClass[] {
  expected.equals ??= expected.candidates.filter(({ first }) => isEqual(expected.first, first))
  return expected.equals
}

/** Moves one record along the way from a free one back to the class that needs one. */
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

/** Levels of a value that are compared to find equal ones. */
const MAX_DEPTH = 20

/** Returns a function that gives equal values the same key. Matchers are equal if they are the same object. */
function createKeys(): (value: unknown) => string {
  const numbers = new Map<unknown, number>()
  const keyOf = (value: unknown, depth: number): string => {
    if (typeof value === 'string') return JSON.stringify(value)
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
      return Object.is(value, -0) ? '-0' : `${typeof value} ${String(value)}`
    }
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
    if (isMatcher(value) || !isPlain || depth === MAX_DEPTH) {
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return `#${String(number)}`
    }
    const parts = Object.entries(value).map(
      ([name, each]) => `${JSON.stringify(name)}:${keyOf(each, depth + 1)}`,
    )
    return `${Array.isArray(value) ? '[' : '{'}${parts.join(',')}`
  }
  return (value) => keyOf(value, 0)
}

/** Returns a function that gives records the same key if no expected one can tell them apart. */
function recordKey(wanted: readonly unknown[]): (record: Changed) => string {
  // A matcher of whole records gets all values, with the ids and times in which all records differ.
  if (wanted.some(isMatcher)) return ({ id }) => id
  const compared = new Set<string>()
  for (const each of wanted) {
    for (const [path, value] of valuesOf(each)) {
      if (value !== undefined && value !== any()) compared.add(path)
    }
  }
  return (record) => {
    const { id, change, fields } = record
    const parts = fields.map((field) => {
      const { path, before, after } = field
      const isNull = (change === 'removed' ? before : after) === null
      return [path, isTelling(change, field), ...(compared.has(path) ? [before, after] : [isNull])]
    })
    return JSON.stringify([...(compared.has('id') ? [id] : []), parts])
  }
}

/** Returns the expected values with their paths; a text is an id. */
const valuesOf = (expected: unknown): [path: string, value: unknown][] =>
  typeof expected === 'string' ? [['id', expected]] : Object.entries(expected as Record<string, unknown>)

/** Returns a function that finds the records that have the same value as an expected one in the rarest of its fields. */
function candidateFinder(classes: readonly RecordClass[]): (expected: unknown) => readonly RecordClass[] {
  const indexes = new Map<string, Map<unknown, RecordClass[]>>()
  const indexOf = (path: string): Map<unknown, RecordClass[]> => {
    const known = indexes.get(path)
    if (known) return known
    const index = new Map<unknown, RecordClass[]>()
    for (const each of classes) {
      const value = valueAt(each.first, path)
      const found = index.get(value)
      if (found) found.push(each)
      else index.set(value, [each])
    }
    indexes.set(path, index)
    return index
  }
  return (expected) => {
    if (isMatcher(expected)) return classes
    let found = classes
    for (const [path, value] of valuesOf(expected)) {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
      const same = indexOf(path).get(value) ?? []
      if (same.length < found.length) found = same
    }
    return found
  }
}

const valueAt = ({ id, change, fields }: Changed, path: string): unknown => {
  if (path === 'id') return id
  const field = fields.find((each) => each.path === path)
  return change === 'removed' ? field?.before : field?.after
}
