/** Which expected records and records that changed are the same for a comparison, and an index of the records by their values. */
import { pairUp } from '@suite-sim/client/pairing'
import type { Schema } from '../index.ts'
import { isMatcher } from '@suite-sim/client/printing'
import { isTelling } from '@suite-sim/client/telling'
import { any } from './any.ts'

type Changed = Schema<'ChangedRecord'>

/** Finds a different equal record for as many expected ones as possible, of `wanted`. */
export const pairRecords = (
  wanted: readonly unknown[],
  records: readonly Changed[],
  isEqual: (expected: unknown, record: Changed) => boolean,
): ReturnType<typeof pairUp<unknown, Changed>> =>
  pairUp(wanted, records, {
    expectedKey: createKeys(),
    recordKey: recordKey(wanted),
    finderIn: candidateFinder,
    isEqual,
  })

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
function candidateFinder(records: readonly Changed[]): (expected: unknown) => readonly Changed[] {
  const indexes = new Map<string, Map<unknown, Changed[]>>()
  const indexOf = (path: string): Map<unknown, Changed[]> => {
    const known = indexes.get(path)
    if (known) return known
    const index = new Map<unknown, Changed[]>()
    for (const each of records) {
      const value = valueAt(each, path)
      const found = index.get(value)
      if (found) found.push(each)
      else index.set(value, [each])
    }
    indexes.set(path, index)
    return index
  }
  return (expected) => {
    if (isMatcher(expected)) return records
    let found = records
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
