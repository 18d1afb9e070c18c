/**
 * Checks the conditions of automations. Specification part 1, "CRM records", shows equals and greater_than; the
 * other operators are assumed, and that all conditions must be met.
 */
import { parseInstant, type TimezoneSource } from '@suite-sim/kit/time/instants'
import { truncate } from '../../text/truncate.ts'
import { valueAt } from './actions/placeholders.ts'
import type { AutomationCondition, Operator } from '../automationParts.ts'

/** The maximum number of characters of a value that are compared. */
const MAX_COMPARED_LENGTH = 65_536

/** The maximum number of items of a list that are compared: twice the tags of a contact. */
const MAX_COMPARED_ITEMS = 100

/** The maximum length of a number or an instant. */
const MAX_LITERAL_LENGTH = 64

/** Caches parsed instants, because the same few strings are compared often and parsing is slow. */
let instants = new Map<string, number | null>()
const MAX_CACHED_INSTANTS = 1000

function parseCached(text: string, place: TimezoneSource): number | null {
  if (text.length > MAX_LITERAL_LENGTH) return null
  const key = `${place.timezone} ${text}`
  const known = instants.get(key)
  if (known !== undefined) return known
  const instant = parseInstant(text, place)
  if (instants.size >= MAX_CACHED_INSTANTS) instants = new Map()
  instants.set(key, instant)
  return instant
}

type Test = (actual: unknown, expected: unknown, place: TimezoneSource) => boolean

/** Compares numbers, instants or strings; null if the two have no order. */
function compare(actual: unknown, expected: unknown, place: TimezoneSource): number | null {
  const numbers = both(actual, expected, numberOf)
  if (numbers) return numbers[0] - numbers[1]
  if (typeof actual !== 'string' || typeof expected !== 'string') return null
  const times = both(actual, expected, (text) => parseCached(text, place))
  if (times) return times[0] - times[1]
  return actual < expected ? -1 : actual > expected ? 1 : 0
}

/** True if two strings are identical or name the same instant; "007" and "7" are not equal. */
function areEqualTexts(actual: string, expected: string, place: TimezoneSource): boolean {
  if (actual === expected) return true
  const times = both(actual, expected, (text) => parseCached(text, place))
  return times !== null && times[0] === times[1]
}

function both<Value>(
  actual: Value,
  expected: Value,
  read: (value: Value) => number | null,
): [actual: number, expected: number] | null {
  const one = read(actual)
  const other = read(expected)
  return one === null || other === null ? null : [one, other]
}

/** Returns a number, also from a string, as custom fields often have it. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > MAX_LITERAL_LENGTH) return null
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null
}

function isEqual(actual: unknown, expected: unknown, place: TimezoneSource): boolean {
  if (typeof actual === 'string' && typeof expected === 'string')
    return areEqualTexts(actual, expected, place)
  const numbers = both(actual, expected, numberOf)
  if (numbers) return numbers[0] === numbers[1]
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return (
      actual.length === expected.length &&
      actual.every((item, index) => isEqual(item, expected[index], place))
    )
  }
  return (actual ?? null) === (expected ?? null)
}

/** True if a string contains the value, or a list has it as an item. */
function contains(actual: unknown, expected: unknown, place: TimezoneSource): boolean {
  if (Array.isArray(actual)) {
    return actual.slice(0, MAX_COMPARED_ITEMS).some((item) => isEqual(item, expected, place))
  }
  return typeof actual === 'string' && typeof expected === 'string' && actual.includes(expected)
}

const isIn: Test = (actual, expected, place) =>
  Array.isArray(expected) && expected.some((item) => isEqual(actual, item, place))

function isEmpty(actual: unknown): boolean {
  if (actual === undefined || actual === null || actual === '') return true
  if (typeof actual !== 'object') return false
  for (const _name in actual) return false
  return true
}

const ordered =
  (holds: (order: number) => boolean): Test =>
  (actual, expected, place) => {
    const order = compare(actual, expected, place)
    return order !== null && holds(order)
  }

const ofTexts =
  (holds: (actual: string, expected: string) => boolean): Test =>
  (actual, expected) =>
    typeof actual === 'string' && typeof expected === 'string' && holds(actual, expected)

const TESTS: Readonly<Record<Operator, Test>> = {
  equals: isEqual,
  not_equals: (actual, expected, place) => !isEqual(actual, expected, place),
  greater_than: ordered((order) => order > 0),
  greater_than_or_equal: ordered((order) => order >= 0),
  less_than: ordered((order) => order < 0),
  less_than_or_equal: ordered((order) => order <= 0),
  contains,
  not_contains: (actual, expected, place) => !contains(actual, expected, place),
  starts_with: ofTexts((actual, expected) => actual.startsWith(expected)),
  ends_with: ofTexts((actual, expected) => actual.endsWith(expected)),
  in: isIn,
  not_in: (actual, expected, place) => !isIn(actual, expected, place),
  is_empty: isEmpty,
  is_not_empty: (actual) => !isEmpty(actual),
}

/** The first names of paths that lead into one of several records of an event. */
const RECORDS: ReadonlySet<string> = new Set(['contact', 'deal', 'activity', 'automation', 'execution'])

/** Returns the path into the record that the event is named after: "deal.value" for "value" of deal.created. */
export const pathInRecord = (event: string, field: string): string => `${event.split('.')[0] ?? ''}.${field}`

/** Returns the full path of a condition's field, which may lack the name of the main record. */
function pathOf(event: string, field: string, data: unknown): string {
  const [root = ''] = field.split('.')
  const isInData = typeof data === 'object' && data !== null && Object.hasOwn(data, root)
  return isInData || RECORDS.has(root.replace(/_id$/, '')) ? field : pathInRecord(event, field)
}

/**
 * True if the event data meets the condition. A missing field is empty. Dates, and date-times without an offset,
 * are in the time zone of `place`.
 */
export const isMet = (
  { field, operator, value }: AutomationCondition,
  event: string,
  data: unknown,
  place: TimezoneSource,
): boolean => TESTS[operator](truncated(valueAt(data, pathOf(event, field, data))), value, place)

const truncated = (value: unknown): unknown =>
  typeof value === 'string' ? value.slice(0, MAX_COMPARED_LENGTH) : value

/** Returns the number of values in a condition. */
export const countValues = ({ value }: AutomationCondition): number =>
  Array.isArray(value) ? Math.max(1, value.length) : 1

/** The maximum length of a value in a failure reason. */
const MAX_SHOWN_LENGTH = 200

const shown = (value: unknown): string => truncate(JSON.stringify(value), MAX_SHOWN_LENGTH)

/** Returns a sentence that says why a condition is not met. */
export function describeUnmet(
  { field, operator, value }: AutomationCondition,
  event: string,
  data: unknown,
): string {
  const condition = `The condition ${field} ${operator}${value === undefined ? '' : ` ${shown(value)}`}`
  const path = pathOf(event, field, data)
  const actual = valueAt(data, path)
  const reason = actual === undefined ? `${path} does not exist` : `${path} is ${shown(actual)}`
  return `${condition} was not met: ${reason}.`
}
