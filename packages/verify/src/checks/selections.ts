/** Filters and sorts select and order the rows that the whole list has. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { List } from '../model/list.ts'
import { record, type CheckContext } from './context.ts'
import { askedSize, claimOf, wholeOf, identityOf } from './lists.ts'
import { compareSorted, fieldOf, type Ordered } from './order.ts'

export function checkSort(
  context: CheckContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
): void {
  const { purpose, operation, query } = exchange.probe
  if (purpose.kind !== 'sort' || !list.sort) return
  const values = rows.map((row) => fieldOf(row, purpose.field.replace(/^-/, '')))
  if (values.some((value) => value === undefined)) return
  const order = compareSorted(values as Ordered[], purpose.direction)
  record(context, 'relations', exchange, {
    aspect: 'sort',
    place: list.rowsAt.map((name) => `.${name}`).join(''),
    isEqual: order.isSorted,
    message: `The rows are not sorted by ${purpose.field}, ${purpose.direction}.`,
    expected: order.sorted,
    actual: values,
    ...claimOf(context, operation, list.sort.parameter.name, query),
  })
  const place = `${operation.address} ?${list.sort.parameter.name}`
  const value = context.claims.at(place, 'value', purpose.field)
  if (value && order.isSorted)
    record(context, 'relations', exchange, { aspect: 'sort', place: '', isEqual: true, claim: value.key })
}

/** The rows of a filter are those of the whole list that have the value. */
export function checkFilter(
  context: CheckContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
): void {
  const { purpose, operation, query } = exchange.probe
  if (purpose.kind !== 'filter') return
  const { parameter, value } = purpose
  const fields = rows.map((row) => fieldOf(row, parameter))
  const place = list.rowsAt.map((name) => `.${name}`).join('')
  const claim = claimOf(context, operation, parameter, query)
  if (fields.length > 0 && fields.every((field) => ['string', 'number', 'boolean'].includes(typeof field))) {
    record(context, 'relations', exchange, {
      aspect: 'filter',
      place,
      isEqual: fields.every((field) => String(field).toLowerCase() === value.toLowerCase()),
      message: `A row does not have the value that ${parameter} asks for.`,
      expected: value,
      actual: [...new Set(fields)],
      ...claim,
    })
    const valueClaim = context.claims.at(`${operation.address} ?${parameter}`, 'value', value)
    if (valueClaim)
      record(context, 'relations', exchange, {
        aspect: 'filter',
        place: '',
        isEqual: true,
        claim: valueClaim.key,
      })
  }
  checkFilterAgainstWhole(context, list, exchange, rows, claim)
}

function checkFilterAgainstWhole(
  context: CheckContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
  claim: { claim?: string },
): void {
  const { purpose } = exchange.probe
  if (purpose.kind !== 'filter') return
  const { parameter, value, of } = purpose
  // A default of another filter, such as a status, leaves rows out of the list without filters.
  const isFiltered = list.filters.some(({ name, schema }) => 'default' in schema && !(name in of.probe.query))
  const whole = isFiltered ? null : wholeOf(context, list, of)
  if (!whole || whole.some((row) => fieldOf(row, parameter) === undefined)) return
  const expected = whole.filter(
    (row) => String(fieldOf(row, parameter)).toLowerCase() === value.toLowerCase(),
  )
  const size = askedSize(list, exchange.probe.query) ?? Infinity
  if (expected.length > size) return
  record(context, 'relations', exchange, {
    aspect: 'filter_rows',
    place: list.rowsAt.map((name) => `.${name}`).join(''),
    isEqual: rows.length === expected.length,
    message: `${parameter} does not return the rows of the whole list that have the value.`,
    expected: expected.map(identityOf),
    actual: rows.map(identityOf),
    ...claim,
  })
}
