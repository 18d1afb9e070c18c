/**
 * The conditions of automations. Specification part 1, "CRM records": equals and greater_than are shown; the other
 * operators are assumed, and so is that all conditions have to be met.
 */
import { parseInstant, type Place } from '../clock.ts'
import { cut, valueAt } from './placeholders.ts'
import type { Condition } from './tables.ts'

/** Characters of a value that are compared; what comes after them is not looked at. */
const LOOKED_AT = 65_536

/** Members of a list in an event that are compared; as many as a contact may have tags, twice over. */
const MEMBERS_LOOKED_AT = 100

/** As long as a number or an instant is ever written. */
const LONGEST_PLAIN = 64

/** What texts have turned out to mean, for the same few are compared again and again, and to read one takes its time. */
let instants = new Map<string, number | null>()
const REMEMBERED_INSTANTS = 1000

function readInstant(text: string, place: Place): number | null {
  if (text.length > LONGEST_PLAIN) return null
  const key = `${place.timezone} ${text}`
  const known = instants.get(key)
  if (known !== undefined) return known
  const instant = parseInstant(text, place)
  if (instants.size >= REMEMBERED_INSTANTS) instants = new Map()
  instants.set(key, instant)
  return instant
}

type Test = (actual: unknown, wanted: unknown, place: Place) => boolean

/** Below 0, 0 or above where the two can be put in an order: numbers, moments, texts; null where they can't. */
function compare(actual: unknown, wanted: unknown, place: Place): number | null {
  const numbers = both(actual, wanted, numberOf)
  if (numbers) return numbers[0] - numbers[1]
  if (typeof actual !== 'string' || typeof wanted !== 'string') return null
  const moments = both(actual, wanted, (text) => readInstant(text, place))
  if (moments) return moments[0] - moments[1]
  return actual < wanted ? -1 : actual > wanted ? 1 : 0
}

/** Two texts are equal to the letter, or when they name one moment; "007" and "7" are not. */
function areEqualTexts(actual: string, wanted: string, place: Place): boolean {
  if (actual === wanted) return true
  const moments = both(actual, wanted, (text) => readInstant(text, place))
  return moments !== null && moments[0] === moments[1]
}

function both<Value>(
  actual: Value,
  wanted: Value,
  read: (value: Value) => number | null,
): [actual: number, wanted: number] | null {
  const one = read(actual)
  const other = read(wanted)
  return one === null || other === null ? null : [one, other]
}

/** A number, also one that is written as text, as values of custom fields often are. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > LONGEST_PLAIN) return null
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null
}

function isEqual(actual: unknown, wanted: unknown, place: Place): boolean {
  if (typeof actual === 'string' && typeof wanted === 'string') return areEqualTexts(actual, wanted, place)
  const numbers = both(actual, wanted, numberOf)
  if (numbers) return numbers[0] === numbers[1]
  if (Array.isArray(actual) && Array.isArray(wanted)) {
    return (
      actual.length === wanted.length && actual.every((item, index) => isEqual(item, wanted[index], place))
    )
  }
  return (actual ?? null) === (wanted ?? null)
}

/** A part of a text, or a member of a list. */
function contains(actual: unknown, wanted: unknown, place: Place): boolean {
  if (Array.isArray(actual)) {
    return actual.slice(0, MEMBERS_LOOKED_AT).some((item) => isEqual(item, wanted, place))
  }
  return typeof actual === 'string' && typeof wanted === 'string' && actual.includes(wanted)
}

const isIn: Test = (actual, wanted, place) =>
  Array.isArray(wanted) && wanted.some((item) => isEqual(actual, item, place))

function isEmpty(actual: unknown): boolean {
  if (actual === undefined || actual === null || actual === '') return true
  if (typeof actual !== 'object') return false
  for (const _name in actual) return false
  return true
}

const ordered =
  (holds: (order: number) => boolean): Test =>
  (actual, wanted, place) => {
    const order = compare(actual, wanted, place)
    return order !== null && holds(order)
  }

const ofTexts =
  (holds: (actual: string, wanted: string) => boolean): Test =>
  (actual, wanted) =>
    typeof actual === 'string' && typeof wanted === 'string' && holds(actual, wanted)

const TESTS = {
  equals: isEqual,
  not_equals: (actual, wanted, place) => !isEqual(actual, wanted, place),
  greater_than: ordered((order) => order > 0),
  greater_than_or_equal: ordered((order) => order >= 0),
  less_than: ordered((order) => order < 0),
  less_than_or_equal: ordered((order) => order <= 0),
  contains,
  not_contains: (actual, wanted, place) => !contains(actual, wanted, place),
  starts_with: ofTexts((actual, wanted) => actual.startsWith(wanted)),
  ends_with: ofTexts((actual, wanted) => actual.endsWith(wanted)),
  in: isIn,
  not_in: (actual, wanted, place) => !isIn(actual, wanted, place),
  is_empty: isEmpty,
  is_not_empty: (actual) => !isEmpty(actual),
} as const satisfies Record<string, Test>

export type Operator = keyof typeof TESTS

export const OPERATORS = Object.keys(TESTS) as [Operator, ...Operator[]]

const isOperator = (operator: string): operator is Operator => Object.hasOwn(TESTS, operator)

/** Names that a path begins with if it leads into one of several records that an event tells of. */
const RECORDS: ReadonlySet<string> = new Set(['contact', 'deal', 'activity', 'automation', 'execution'])

/** The path into the record that the event is named after: "deal.value" of "value" for deal.created. */
export const pathInRecord = (event: string, field: string): string => `${event.split('.')[0] ?? ''}.${field}`

/** The path of a condition's field in the data of an event, in which the name of its main record may be left out. */
function pathOf(event: string, field: string, data: unknown): string {
  const [root = ''] = field.split('.')
  const isTold = typeof data === 'object' && data !== null && Object.hasOwn(data, root)
  return isTold || RECORDS.has(root.replace(/_id$/, '')) ? field : pathInRecord(event, field)
}

/**
 * Whether the condition is met by the data of the event of this name. A field that does not exist is empty; dates, and
 * date-times without an offset, are read in the time zone of `place`.
 */
export const isMet = (
  { field, operator, value }: Condition,
  event: string,
  data: unknown,
  place: Place,
): boolean =>
  isOperator(operator) && TESTS[operator](lookedAt(valueAt(data, pathOf(event, field, data))), value, place)

const lookedAt = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, LOOKED_AT) : value)

/** With how many values a condition compares. */
export const weightOf = ({ value }: Condition): number =>
  Array.isArray(value) ? Math.max(1, value.length) : 1

/** Characters of a value that are told. */
const TOLD = 200

const told = (value: unknown): string => cut(JSON.stringify(value), TOLD)

/** In a sentence, why a condition is not met. */
export function saidOf({ field, operator, value }: Condition, event: string, data: unknown): string {
  const condition = `The condition ${field} ${operator}${value === undefined ? '' : ` ${told(value)}`}`
  const path = pathOf(event, field, data)
  const actual = valueAt(data, path)
  const was = actual === undefined ? `there is no ${path}` : `${path} is ${told(actual)}`
  return `${condition} did not hold: ${was}.`
}
