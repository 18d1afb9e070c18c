/**
 * The conditions of the two filters. Specification part 3 shows equal_to; the keys and the other operators follow similar
 * products (assumed).
 */
import { parseInstant } from '@suite-sim/kit/time/instants'
import { fold } from '@suite-sim/kit/text/collation'
import { refuse } from '../../state/model/refusal.ts'
import { startOfDay, wallAt } from '@suite-sim/kit/time/wallTime'

export const OPERATORS = [
  'equal_to',
  'not_equal_to',
  'contains',
  'does_not_contain',
  'is_present',
  'is_not_present',
  'is_greater_than',
  'is_less_than',
  'days_before',
  'starts_with',
] as const

export type Operator = (typeof OPERATORS)[number]

export interface FilterCondition {
  readonly attribute_key: string
  readonly filter_operator: Operator
  readonly values?: readonly (string | number | boolean)[]
  readonly query_operator?: string | null
}

/** How a key is compared, and how its value is read from a record. */
export interface Key<Row> {
  /** A custom attribute has no declared type: its values are texts, and numbers or dates where an operator needs them. */
  readonly kind: 'choice' | 'text' | 'moment' | 'custom'
  readonly of: (row: Row) => unknown
  /** Maps a sent value to the stored one, such as a number to its name; undefined for an unknown value. */
  readonly reads?: (sent: string | number | boolean) => unknown
  /** Returns the form in which texts are compared; without case and accents by default. */
  readonly comparable?: (text: string) => string
  /** A value that matches every record. */
  readonly everything?: string
}

export type Keys<Row> = Readonly<Record<string, Key<Row>>>

const OF_TEXT: readonly Operator[] = [
  'equal_to',
  'not_equal_to',
  'contains',
  'does_not_contain',
  'is_present',
  'is_not_present',
  'starts_with',
]

const OF_KIND: Readonly<Record<Key<never>['kind'], readonly Operator[]>> = {
  choice: ['equal_to', 'not_equal_to', 'is_present', 'is_not_present'],
  text: OF_TEXT,
  custom: [...OF_TEXT, 'is_greater_than', 'is_less_than', 'days_before'],
  moment: ['is_greater_than', 'is_less_than', 'days_before', 'equal_to', 'is_present', 'is_not_present'],
}

const WITHOUT_VALUES: readonly Operator[] = ['is_present', 'is_not_present']

const SECOND = 1000
const DAY = 86_400_000

/** The clock and time zone that define days. A workspace is one. */
export interface Calendar {
  readonly now: () => number
  readonly timezone: string
}

/** Returns a function that tests whether a record meets the conditions. Refuses invalid conditions. */
export function createFilter<Row>(
  conditions: readonly FilterCondition[],
  keys: Keys<Row>,
  attributesOf: (row: Row) => Readonly<Record<string, unknown>>,
  calendar: Calendar,
): (row: Row) => boolean {
  const tests = conditions.map((condition, index) => testOf(condition, index, keys, attributesOf, calendar))
  // AND binds before OR: each group joins its conditions by AND; the groups are joined by OR.
  const groups: ((row: Row) => boolean)[][] = [[]]
  tests.forEach((test, index) => {
    groups.at(-1)?.push(test)
    const isLast = index === tests.length - 1
    if (!isLast && conditions[index]?.query_operator?.toUpperCase() === 'OR') groups.push([])
  })
  return (row) => groups.some((group) => group.every((test) => test(row)))
}

function testOf<Row>(
  { attribute_key: name, filter_operator: operator, values = [] }: FilterCondition,
  index: number,
  keys: Keys<Row>,
  attributesOf: (row: Row) => Readonly<Record<string, unknown>>,
  calendar: Calendar,
): (row: Row) => boolean {
  const refusePart = (part: string, message: string): never =>
    refuse('invalid', message, {
      details: [{ field: `payload.${String(index)}.${part}`, code: 'invalid', message }],
    })
  // A custom attribute needs no definition. If no record has it, all records lack it.
  const key: Key<Row> = (Object.hasOwn(keys, name) ? keys[name] : undefined) ?? {
    kind: 'custom',
    of: (row) => attributesOf(row)[name],
  }
  const allowed = OF_KIND[key.kind]
  if (!allowed.includes(operator)) {
    refusePart(
      'filter_operator',
      `filter_operator of ${name} must be ${allowed.join(', ')}, not ${operator}.`,
    )
  }
  if (!WITHOUT_VALUES.includes(operator) && values.length === 0) {
    refusePart('values', `values must have at least one value for ${operator}.`)
  }
  if (key.everything !== undefined && values.includes(key.everything)) return () => true
  const refuseValues = (message: string): never => refusePart('values', message)
  if (key.kind === 'moment') return momentTest(key, operator, values, calendar, refuseValues)
  if (key.kind === 'custom' && !OF_TEXT.includes(operator)) {
    return comparison(key, operator, values, calendar, refuseValues)
  }
  const { comparable = fold } = key
  const sought = values.map((value) => {
    const read = key.reads ? key.reads(value) : value
    if (read === undefined) refusePart('values', `${String(value)} is not a value of ${name}.`)
    return comparable(String(read))
  })
  return plainTest(key, operator, sought)
}

const isNone = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function plainTest<Row>(key: Key<Row>, operator: Operator, sought: readonly string[]): (row: Row) => boolean {
  const { comparable = fold } = key
  const held = (row: Row): string[] => {
    const value = key.of(row)
    if (isNone(value)) return []
    return (Array.isArray(value) ? value : [value]).map((each) => comparable(String(each)))
  }
  const some = (meets: (one: string, other: string) => boolean) => (row: Row) =>
    held(row).some((one) => sought.some((other) => meets(one, other)))
  const equal = some((one, other) => one === other)
  const contains = some((one, other) => one.includes(other))
  switch (operator) {
    case 'equal_to':
      return equal
    case 'not_equal_to':
      return (row) => !equal(row)
    case 'contains':
      return contains
    case 'does_not_contain':
      return (row) => !contains(row)
    case 'starts_with':
      return some((one, other) => one.startsWith(other))
    case 'is_present':
      return (row) => !isNone(key.of(row))
    default:
      return (row) => isNone(key.of(row))
  }
}

/** Compares a custom attribute as a number if the value is one, else as a date. Other contents of the attribute never match. */
function comparison<Row>(
  key: Key<Row>,
  operator: Operator,
  values: readonly (string | number | boolean)[],
  calendar: Calendar,
  refuseValues: (message: string) => never,
): (row: Row) => boolean {
  const bound = numberIn(values[0])
  if (bound !== null && operator !== 'days_before') {
    const isMet = (held: number): boolean => (operator === 'is_greater_than' ? held > bound : held < bound)
    return (row) => isMet(numberIn(key.of(row)) ?? NaN)
  }
  if (operator !== 'days_before' && momentOf(values[0], calendar) === null) {
    return refuseValues(`${String(values[0])} must be a number such as 12 or a date such as 2026-11-21.`)
  }
  const dateOf = (row: Row): number | null => {
    const held = key.of(row)
    return typeof held === 'string' ? parseInstant(held, calendar) : null
  }
  return momentTest({ kind: 'moment', of: dateOf }, operator, values, calendar, refuseValues)
}

/** Returns a number, or the number in a text such as "12.50"; null for anything else. */
function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^[+-]?\d{1,300}(?:\.\d{1,300})?$/.test(value.trim())
    ? Number(value)
    : null
}

function momentTest<Row>(
  key: Key<Row>,
  operator: Operator,
  values: readonly (string | number | boolean)[],
  calendar: Calendar,
  refuseValues: (message: string) => never,
): (row: Row) => boolean {
  if (operator === 'is_present') return (row) => !isNone(key.of(row))
  if (operator === 'is_not_present') return (row) => isNone(key.of(row))
  const [value] = values
  const at = (row: Row): number | null => key.of(row) as number | null
  if (operator === 'days_before') {
    const days = numberIn(value) ?? NaN
    if (!Number.isInteger(days) || days < 0 || days > 36_500) {
      refuseValues('values of days_before must be a number of days from 0 to 36500.')
    }
    const { start } = dayAround(calendar.now(), calendar, -days)
    return (row) => (at(row) ?? Infinity) < start
  }
  const bound = momentOf(value, calendar)
  if (bound === null) return refuseValues(`${String(value)} must be a date such as 2026-11-21.`)
  if (operator === 'equal_to') {
    const { start, end } = dayAround(bound, calendar)
    return (row) => {
      const moment = at(row)
      return moment !== null && moment >= start && moment < end
    }
  }
  // A day, or a second, is neither before nor after itself.
  const { start, end } =
    typeof value === 'string' ? dayAround(bound, calendar) : { start: bound, end: bound + SECOND }
  return operator === 'is_greater_than'
    ? (row) => (at(row) ?? -Infinity) >= end
    : (row) => (at(row) ?? Infinity) < start
}

/** Returns the start and the end (exclusive) of the day that is `days` after the day of an instant. */
function dayAround(instant: number, { timezone }: Calendar, days = 0): { start: number; end: number } {
  const midnight = Math.floor(wallAt(instant, timezone) / DAY) * DAY + days * DAY
  return { start: startOfDay(midnight, timezone), end: startOfDay(midnight + DAY, timezone) }
}

/** Parses a date, whose day begins in the time zone of the workspace, or an instant in seconds since the epoch. */
function momentOf(sent: string | number | boolean | undefined, calendar: Calendar): number | null {
  if (typeof sent === 'number') return sent * SECOND
  return typeof sent === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(sent) ? parseInstant(sent, calendar) : null
}
