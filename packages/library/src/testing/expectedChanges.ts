/** The changes that a test expects, and how they differ from those of a workspace. */
import { nearestOfEach, type Unmet } from '@suite-sim/client/pairing'
import type { Schema, Section } from '../index.ts'
import { differenceFrom, shown } from '@suite-sim/client/matching'
import { isMatcher } from '@suite-sim/client/printing'
import { isTelling } from '@suite-sim/client/telling'
import type { AnyValue } from './any.ts'
import { pairRecords } from './pairing.ts'

export type Changed = Schema<'ChangedRecord'>
type Change = Changed['change']

/**
 * The id and the fields of a record: values, matchers, or a RegExp for a text. Of a changed record, the fields that
 * differ: by their path, the value after the change, or `{before, after}`. Times may be left out; of added and removed
 * records also ids of new records, and empty lists and objects. A matcher instead of the object gets the id and all fields: `expect.objectContaining({ status: 'paid' })`.
 */
export type ExpectedRecord = Readonly<Record<string, unknown>> | AnyValue

/** The records of a section that were added, changed and removed, in any order, or how many. */
export interface ExpectedSection {
  readonly added?: readonly ExpectedRecord[] | number
  readonly changed?: readonly ExpectedRecord[] | number
  /** A text is the id of a record, whose fields don't matter. */
  readonly removed?: readonly (ExpectedRecord | string)[] | number
}

/** All changes of a workspace: `{ 'payments.links': { added: [{ id: any(), amount: 1250, … }] } }`. */
export type ExpectedChanges = Readonly<Partial<Record<Section, ExpectedSection>>>

export const CHANGES = ['added', 'changed', 'removed'] as const

export interface Missing extends Unmet<unknown, Changed, string> {
  readonly section: string
  readonly change: Change
}

/** A number of records that is not the expected one. */
export interface Miscounted {
  readonly section: string
  readonly change: Change
  readonly expected: number
  readonly records: readonly Changed[]
}

export interface Comparison {
  readonly missing: readonly Missing[]
  readonly miscounted: readonly Miscounted[]
  readonly unexpected: readonly Changed[]
}

/** Compares all changes of a workspace with the expected ones. */
export function compareChanges(all: readonly Changed[], expected: ExpectedChanges): Comparison {
  const missing: Missing[] = []
  const miscounted: Miscounted[] = []
  const unexpected: Changed[] = []
  const names = new Set([...Object.keys(expected), ...all.map(({ section }) => section)])
  for (const section of names) {
    for (const change of CHANGES) {
      const records = all.filter((each) => each.section === section && each.change === change)
      const wanted = expected[section as Section]?.[change] ?? []
      if (typeof wanted === 'number') {
        if (wanted !== records.length) miscounted.push({ section, change, expected: wanted, records })
        continue
      }
      const { unmatched, left } = pairRecords(wanted, records, isEqual)
      const others = new Set(left)
      const unmet = nearestOfEach(unmatched, others, {
        candidates: finderOfCandidates(left),
        differences: (each, record) => [...differencesFrom(each, record)],
      })
      for (const each of unmet) missing.push({ section, change, ...each })
      for (const each of others) unexpected.push(each)
    }
  }
  return { missing, miscounted, unexpected }
}

const isEqual = (expected: unknown, record: Changed): boolean =>
  differencesFrom(expected, record).next().done === true

/** The maximum number of searches through all records; the message has no more of them. */
const MAX_SEARCHES = 25

/** Returns a function that finds the record with the expected id, or else all, but none after some searches through all. */
function finderOfCandidates(records: readonly Changed[]) {
  const byId = new Map(records.map((record) => [record.id, record]))
  let searches = 0
  return (expected: unknown, left: ReadonlySet<Changed>): Iterable<Changed> => {
    const id = idIn(expected)
    if (typeof id !== 'string') return searches++ < MAX_SEARCHES ? left : []
    const named = byId.get(id)
    return named && left.has(named) ? [named] : []
  }
}

const idIn = (expected: unknown): unknown =>
  typeof expected === 'string' ? expected : (expected as { readonly id?: unknown }).id

/** Yields the differences between an expected record and one that changed; none if they are equal. */
function* differencesFrom(expected: unknown, record: Changed): Generator<string, void> {
  if (typeof expected === 'string') {
    if (expected !== record.id) yield `id is ${shown(record.id)}, expected ${shown(expected)}`
    return
  }
  if (isMatcher(expected)) {
    if (!expected.asymmetricMatch(valuesOf(record))) yield `it does not match ${shown(expected)}`
    return
  }
  const { id, ...fields } = expected as Readonly<Record<string, unknown>>
  const found = new Map(record.fields.map((field) => [field.path, field]))
  const idDifference = differenceFrom(id, record.id, 'id', true)
  if (idDifference !== null) yield idDifference
  for (const [path, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const difference = differenceAt(path, value, record, found.get(path))
    if (difference !== null) yield difference
  }
  for (const field of record.fields) {
    if (!isTelling(record.change, field) || fields[field.path] !== undefined) continue
    yield record.change === 'changed'
      ? `${field.path} is not expected to change from ${shown(field.before)} to ${shown(field.after)}`
      : `${field.path} is ${shown(valueOf(record, field))}, which is not expected`
  }
}

function differenceAt(
  path: string,
  expected: unknown,
  record: Changed,
  field: Field | undefined,
): string | null {
  if (record.change !== 'changed') return differenceFrom(expected, valueOf(record, field), path, true)
  if (field === undefined) {
    return `${path} is expected to change to ${shown(afterOf(expected))}, but did not`
  }
  if (!isBothSides(expected)) return differenceFrom(expected, field.after, path, true)
  return (
    differenceFrom(expected.before, field.before, `${path} before`, true) ??
    differenceFrom(expected.after, field.after, `${path} after`, true)
  )
}

type Field = Changed['fields'][number]

const valueOf = ({ change }: Changed, field: Field | undefined): unknown =>
  (change === 'removed' ? field?.before : field?.after) ?? null

/** Returns the id and the fields of a record, for matchers. */
const valuesOf = (record: Changed): Record<string, unknown> =>
  Object.fromEntries<unknown>([
    ...record.fields.map((field): [string, unknown] => [field.path, valueOf(record, field)]),
    ['id', record.id],
  ])

/** Whether a value is `{before, after}`. */
export const isBothSides = (value: unknown): value is Partial<Pick<Field, 'before' | 'after'>> =>
  typeof value === 'object' &&
  value !== null &&
  !isMatcher(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name) => name === 'before' || name === 'after')

const afterOf = (value: unknown): unknown => (isBothSides(value) ? value.after : value)
