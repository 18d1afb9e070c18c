/** The changes that a test expects, and how they differ from those of a workspace. */
import type { Schema, Section } from '../index.ts'
import { differenceFrom, isMatcher, shown } from '../library/matching.ts'

export type Changed = Schema<'ChangedRecord'>
type Change = Changed['change']

/** A matcher of Vitest, Jest or Playwright, such as `expect.any(String)`, or that of `any()`. */
export interface AnyValue {
  asymmetricMatch(value: unknown): boolean
}

/**
 * The id and the fields of a record: values, matchers, or a RegExp for a text. Of a changed record, the fields that
 * differ: by their path, the value after the change, or `{before, after}`. Times, ids of new records, and empty lists
 * and objects may be left out. A matcher instead of the object gets the id and all fields: `expect.objectContaining({ status: 'paid' })`.
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

/** An expected record without an equal one; `nearest` differs from it. */
export interface Missing {
  readonly section: string
  readonly change: Change
  readonly expected: unknown
  readonly nearest: { readonly record: Changed; readonly differences: readonly string[] } | null
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
      const { unmatched, left } = pairUp(wanted, records)
      for (const each of unmatched) {
        const nearest = nearestTo(each, left)
        if (nearest) left.splice(left.indexOf(nearest.record), 1)
        missing.push({ section, change, expected: each, nearest })
      }
      unexpected.push(...left)
    }
  }
  return { missing, miscounted, unexpected }
}

/**
 * Finds a different equal record for as many expected ones as possible. A record that `any()` matches is passed on if
 * another expected one needs it.
 */
function pairUp(
  wanted: readonly unknown[],
  records: readonly Changed[],
): { readonly unmatched: unknown[]; readonly left: Changed[] } {
  const owners = new Map<Changed, number>()
  const equals = wanted.map((each) => records.filter((record) => differencesFrom(each, record).length === 0))
  const assign = (index: number, seen: Set<Changed>): boolean =>
    (equals[index] ?? []).some((record) => {
      if (seen.has(record)) return false
      seen.add(record)
      const owner = owners.get(record)
      if (owner !== undefined && !assign(owner, seen)) return false
      owners.set(record, index)
      return true
    })
  const unmatched = wanted.filter((_each, index) => !assign(index, new Set()))
  return { unmatched, left: records.filter((record) => !owners.has(record)) }
}

/** Returns the record with the expected id, or the one with the fewest differences. */
function nearestTo(expected: unknown, records: readonly Changed[]): Missing['nearest'] {
  const id = idIn(expected)
  const candidates = typeof id === 'string' ? records.filter((record) => record.id === id) : records
  const [nearest] = candidates
    .map((record) => ({ record, differences: differencesFrom(expected, record) }))
    .toSorted((one, other) => one.differences.length - other.differences.length)
  return nearest ?? null
}

const idIn = (expected: unknown): unknown =>
  typeof expected === 'string' ? expected : (expected as { readonly id?: unknown }).id

/** Returns the differences between an expected record and one that changed; none if they are equal. */
function differencesFrom(expected: unknown, record: Changed): string[] {
  if (typeof expected === 'string') {
    return expected === record.id ? [] : [`id is ${shown(record.id)}, expected ${shown(expected)}`]
  }
  if (isMatcher(expected)) {
    return expected.asymmetricMatch(valuesOf(record)) ? [] : [`it does not match ${shown(expected)}`]
  }
  const { id, ...fields } = expected as Readonly<Record<string, unknown>>
  const found = new Map(record.fields.map((field) => [field.path, field]))
  const differences = [differenceFrom(id, record.id, 'id', true)]
  for (const [path, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const field = found.get(path)
    if (field === undefined && record.change === 'changed') {
      differences.push(`${path} is expected to change to ${shown(afterOf(value))}, but did not`)
    } else if (record.change === 'changed' && isBothSides(value)) {
      for (const side of ['before', 'after'] as const) {
        differences.push(differenceFrom(value[side], field?.[side] ?? null, `${path} ${side}`, true))
      }
    } else differences.push(differenceFrom(value, valueOf(record, field), path, true))
  }
  for (const field of record.fields) {
    if (!isTelling(field) || fields[field.path] !== undefined) continue
    differences.push(
      record.change === 'changed'
        ? `${field.path} is not expected to change from ${shown(field.before)} to ${shown(field.after)}`
        : `${field.path} is ${shown(valueOf(record, field))}, which is not expected`,
    )
  }
  return differences.filter((each) => each !== null)
}

type Field = Changed['fields'][number]

/**
 * Whether a test must expect a field: not the id of the record, a time, the id of a new record, or an empty list or
 * object of an added or removed record.
 */
export const isTelling = ({ path, before, after, volatile }: Field): boolean =>
  !volatile && path !== 'id' && ![before, after].every((value) => value === null || isEmpty(value))

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

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
