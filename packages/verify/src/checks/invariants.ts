/**
 * What holds in all answers of the simulator, mined from its demo and checked in the answers of a service: forms of ids and
 * times, decimals, the order of lists, headers, fields that are always there, and sums.
 */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Answers } from '../crawl/answers.ts'
import { record, rootOf, type CheckContext } from './context.ts'
import { formOf, type Form } from './forms.ts'
import { compareSorted, type Ordered } from './order.ts'
import { equationsOf, holds, type Equation } from './sums.ts'

/** What holds of one place of an operation. */
interface PlaceInvariants {
  readonly form: Form | null
  readonly equations: readonly Equation[]
  /** Fields that all objects at the place have. */
  readonly fields: readonly string[]
}

interface Sorted {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** By operation: "payments listPaymentLinks". */
export interface Invariants {
  readonly places: ReadonlyMap<string, PlaceInvariants>
  readonly orders: ReadonlyMap<string, Sorted>
  readonly headers: ReadonlyMap<string, readonly string[]>
}

/** Values of a place that must agree before anything follows from them. */
const MIN_SUPPORT = 3

/** Headers that belong to an interface, and not to a server. */
const HEADERS =
  /ratelimit|^link$|pagination|total-count|^content-disposition$|^www-authenticate$|api-version|^deprecation$|^sunset$|^warning$/

/** Names of times by which lists are sorted, the most likely first. */
const SORTED_BY =
  /(?:created|updated|last_activity|scheduled|starts|start|date|fecha|applied|executed|changed|completed|period)/i

export function mineInvariants(answers: Answers): Invariants {
  const places = new Map<string, PlaceInvariants>()
  for (const [key, values] of valuesByPlace(answers)) {
    const objects = values.filter(isObject)
    const scalars = values.filter((value) => !isObject(value) && value !== null)
    places.set(key, {
      form: supportedForm(scalars),
      equations: equationsOf(objects),
      fields: objects.length >= MIN_SUPPORT ? fieldsOfAll(objects) : [],
    })
  }
  const orders = new Map<string, Sorted>()
  const headers = new Map<string, readonly string[]>()
  for (const operation of answers.operations) {
    const key = `${operation.interface} ${operation.id}`
    const order = orderOf(answers.plain(operation).map((exchange) => answers.rows(exchange)))
    if (order) orders.set(key, order)
    const names = answers.found(operation).map(headersOf)
    const [first] = names
    if (first)
      headers.set(
        key,
        first.filter((name) => names.every((each) => each.includes(name))),
      )
  }
  return { places, orders, headers }
}

export function checkInvariants(context: CheckContext, invariants: Invariants): void {
  for (const exchange of context.answers.exchanges) {
    if (exchange.status >= 200 && exchange.status < 300) checkExchange(context, invariants, exchange)
  }
  for (const operation of context.answers.operations) {
    const key = `${operation.interface} ${operation.id}`
    const order = invariants.orders.get(key)
    const list = context.answers.listOf(operation)
    for (const exchange of context.answers.found(operation)) {
      const place = (list?.rowsAt ?? []).map((name) => `.${name}`).join('')
      const values = order && context.answers.rows(exchange).map((row) => scalarOf(row, order.field))
      if (order && values && values.length > 1 && !values.includes(undefined)) {
        const { isSorted, sorted } = compareSorted(values as Ordered[], order.direction)
        record(context, 'invariants', exchange, {
          aspect: 'order',
          place,
          isEqual: isSorted,
          message: `The simulator lists by ${order.field}, ${order.direction}.`,
          expected: sorted,
          actual: values,
        })
      }
      const usual = invariants.headers.get(key) ?? []
      for (const name of headersOf(exchange)) {
        // Rate limits are compared by their numbers.
        if (usual.includes(name) || name.includes('ratelimit')) continue
        record(context, 'invariants', exchange, {
          aspect: `header_extra:${name}`,
          place: '',
          isEqual: isDocumentedHeader(exchange, name),
          message: `The simulator sends no header ${name}.`,
          expected: undefined,
          actual: exchange.headers[name],
        })
      }
      for (const name of usual) {
        record(context, 'invariants', exchange, {
          aspect: `header:${name}`,
          place: '',
          isEqual: name in exchange.headers,
          message: `The header ${name} is missing.`,
          expected: 'a value',
          actual: undefined,
        })
      }
    }
  }
}

function checkExchange(context: CheckContext, { places }: Invariants, exchange: Exchange): void {
  const { operation } = exchange.probe
  const key = `${operation.interface} ${operation.id}`
  // A sample is a call, so the second value of a place that agrees says nothing more.
  const agreed = new Set<string>()
  const isNew = (place: string, isEqual: boolean): boolean => {
    if (!isEqual) return true
    const { size } = agreed
    return agreed.add(place).size > size
  }
  eachValue(exchange.body, '', (value, place) => {
    const known = places.get(`${key} ${place}`)
    if (!known || value === null) return
    if (isObject(value)) {
      checkObject(context, exchange, value, place, known, isNew)
      return
    }
    if (!known.form || context.shapes(operation, exchange.status, place)) return
    const form = formOf(value)
    if (!isNew(`${place} form`, form?.name === known.form.name)) return
    record(context, 'invariants', exchange, {
      aspect: known.form.kind,
      place,
      isEqual: form?.name === known.form.name,
      message: `The value has another form than ${known.form.name}.`,
      expected: known.form.name,
      actual: value,
    })
  })
}

function checkObject(
  context: CheckContext,
  exchange: Exchange,
  value: Record<string, unknown>,
  place: string,
  { fields, equations }: PlaceInvariants,
  isNew: (place: string, isEqual: boolean) => boolean,
): void {
  const { claims } = context
  const at = `${rootOf(exchange.probe.operation, exchange.status)}${place}`
  for (const field of fields) {
    if (!isNew(`${place}.${field} presence`, Object.hasOwn(value, field))) continue
    const found = claims.allAt(`${at}.${field}`)
    // A map has the names that its users chose. The demo may always have a value where an overlay leaves out null.
    if (found.length === 0 || found.some(({ fidelity }) => fidelity === 'observed')) continue
    record(context, 'invariants', exchange, {
      aspect: 'presence',
      place: `${place}.${field}`,
      isEqual: Object.hasOwn(value, field),
      message: 'The simulator always sends the field.',
      expected: 'a value',
      actual: undefined,
    })
  }
  for (const equation of equations) {
    const result = holds(equation, value)
    if (!result || !isNew(`${place}.${equation.total} ${equation.words}`, result.isEqual)) continue
    record(context, 'invariants', exchange, {
      aspect: 'sum',
      place: `${place}.${equation.total}`,
      isEqual: result.isEqual,
      message: `${equation.total} is not ${equation.words}.`,
      expected: result.expected,
      actual: result.actual,
    })
  }
}

function valuesByPlace(answers: Answers): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>()
  for (const { probe, status, body } of answers.exchanges) {
    if (status < 200 || status >= 300 || probe.purpose.kind === 'repeat') continue
    const key = `${probe.operation.interface} ${probe.operation.id}`
    eachValue(body, '', (value, place) => {
      const at = `${key} ${place}`
      const known = values.get(at)
      if (known) known.push(value)
      else values.set(at, [value])
    })
  }
  return values
}

/** Visits all objects and scalars of a body; items of a list have the place of the list and "[]". */
function eachValue(body: unknown, at: string, visit: (value: unknown, place: string) => void): void {
  if (Array.isArray(body)) {
    for (const item of body) eachValue(item, `${at}[]`, visit)
    return
  }
  visit(body, at)
  if (isObject(body))
    for (const [name, value] of Object.entries(body)) eachValue(value, `${at}.${name}`, visit)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** All times of an interface are written alike, so one of them is enough. */
function supportedForm(values: readonly unknown[]): Form | null {
  const form = sameForm(values)
  return form?.kind === 'time_form' || values.length >= MIN_SUPPORT ? form : null
}

function sameForm(values: readonly unknown[]): Form | null {
  const [first, ...others] = values.map(formOf)
  return first && others.every((form) => form?.name === first.name) ? first : null
}

function fieldsOfAll(objects: readonly Record<string, unknown>[]): string[] {
  const [first = {}, ...others] = objects
  // A map by date or name has no fields of its own.
  return Object.keys(first).filter(
    (name) => /^[a-z]\w*$/i.test(name) && others.every((each) => Object.hasOwn(each, name)),
  )
}

/** True if the document names the header, as that of a reference that follows an overlay. */
function isDocumentedHeader({ probe: { operation }, status }: Exchange, name: string): boolean {
  const answer = operation.published.responses[String(status)]
  const headers = Object.keys(answer?.['headers'] ?? {})
  return headers.some((each) => each.toLowerCase() === name)
}

function headersOf({ headers }: Exchange): string[] {
  return Object.keys(headers).filter((name) => HEADERS.test(name))
}

/** Returns the field by which all lists are sorted in one direction, and in which they differ. */
export function orderOf(lists: readonly (readonly unknown[])[], among?: readonly string[]): Sorted | null {
  const long = lists.filter((rows) => rows.length >= MIN_SUPPORT)
  const [first] = long[0] ?? []
  if (!isObject(first)) return null
  const fields = Object.keys(first)
    .filter((field) => among?.includes(field) !== false)
    .toSorted((a, b) => Number(SORTED_BY.test(b)) - Number(SORTED_BY.test(a)))
  for (const field of fields) {
    const columns = long.map((rows) => rows.map((row) => scalarOf(row, field)))
    if (columns.some((column) => column.includes(undefined) || column.includes(null))) continue
    if (columns.every((column) => new Set(column).size < MIN_SUPPORT)) continue
    for (const direction of ['desc', 'asc'] as const) {
      if (columns.every((column) => compareSorted(column as Ordered[], direction).isSorted))
        return { field, direction }
    }
  }
  return null
}

function scalarOf(row: unknown, field: string): unknown {
  const value = isObject(row) ? row[field] : undefined
  return typeof value === 'object' && value !== null ? undefined : value
}
