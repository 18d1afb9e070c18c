/** Compares answers with each other: pages with the whole, rows with records, filters and sorts with what they promise. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../asking/exchange.ts'
import { differencesOf } from '../differential/compare.ts'
import { rowsIn, valueAt, type List } from '../model/list.ts'
import { record, type OracleContext } from './context.ts'
import { checkAccepted } from './accepted.ts'
import { compareSorted, fieldOf, type Ordered } from './order.ts'
import { checkSearch } from './searches.ts'
import { withoutVolatile } from './volatile.ts'

export function checkRelations(context: OracleContext): void {
  for (const operation of context.readings.operations) checkMaximum(context, operation)
  checkAccepted(context)
  for (const exchange of context.readings.exchanges) {
    if (exchange.status < 200 || exchange.status >= 300) {
      if (exchange.probe.purpose.kind === 'repeat') checkRepeat(context, exchange)
      continue
    }
    const list = context.readings.listOf(exchange.probe.operation)
    if (list) checkList(context, list, exchange)
    const { purpose } = exchange.probe
    if (purpose.kind === 'repeat') checkRepeat(context, exchange)
    if (purpose.kind === 'record') checkRecord(context, exchange)
  }
  for (const operation of context.readings.operations) checkPages(context, operation)
}

type Operation = Exchange['probe']['operation']

function checkRepeat(context: OracleContext, exchange: Exchange): void {
  const { purpose } = exchange.probe
  if (purpose.kind !== 'repeat') return
  const first = { status: purpose.of.status, body: withoutVolatile(purpose.of.body) }
  const second = { status: exchange.status, body: withoutVolatile(exchange.body) }
  const { interface: name, id } = exchange.probe.operation
  const different = differencesOf(first, second).filter(
    ({ place }) => !context.moving.has(`${name} ${id} ${place.replace(/^\.body/, '')}`),
  )
  record(context, 'relations', exchange, { aspect: 'repeat', place: '', isEqual: true })
  for (const { place, expected, actual } of different) {
    record(context, 'relations', exchange, {
      aspect: 'repeat',
      place: place.replace(/^\.(?:body|status)/, ''),
      isEqual: false,
      message: 'Two reads of the same address answer differently.',
      expected,
      actual,
    })
  }
}

/** Checks one page: its size, its total, its order, its filter. */
function checkList(context: OracleContext, list: List, exchange: Exchange): void {
  const rows = rowsIn(list, exchange.body)
  const at = (names: readonly string[]): string => names.map((name) => `.${name}`).join('')
  if (!rows) return
  const { purpose, operation, query } = exchange.probe
  const size = askedSize(list, query)
  if (size !== null) {
    record(context, 'relations', exchange, {
      aspect: 'page_size',
      place: at(list.rowsAt),
      isEqual: rows.length <= size,
      message: `The page has more rows than ${String(size)}.`,
      expected: size,
      actual: rows.length,
      ...claimOf(context, operation, list.size?.name, query),
    })
  }
  if (purpose.kind === 'plain') checkDefaultSize(context, list, exchange, rows)
  const total = list.totalAt ? valueAt(exchange.body, list.totalAt) : undefined
  if (list.totalAt && typeof total === 'number' && list.position?.kind !== 'cursor') {
    const before = positionOf(list, exchange, size)
    // Without sizes, the number of rows of a full page is unknown, so only a first page says something.
    const isLast = size === null ? null : rows.length < size
    const known = before === null ? null : before + rows.length
    const isEqual =
      known === null ||
      (isLast === true && (rows.length > 0 || before === 0)
        ? total === known
        : rows.length === 0 || total >= known)
    record(context, 'relations', exchange, {
      aspect: 'total',
      place: at(list.totalAt),
      isEqual,
      message: `The total is not the number of rows on all pages.`,
      expected: known,
      actual: total,
    })
    checkTotalPages(context, list, exchange, total, size)
  }
  checkNext(context, list, exchange, rows)
  checkSearch(context, list, exchange)
  if (purpose.kind === 'sort') checkSort(context, list, exchange, rows)
  if (purpose.kind === 'filter') checkFilter(context, list, exchange, rows)
  if (purpose.kind === 'size') checkSize(context, list, exchange, rows)
  const ids = rows.map(identityOf).filter((id) => id !== undefined)
  if (ids.length === rows.length) {
    record(context, 'relations', exchange, {
      aspect: 'unique',
      place: at(list.rowsAt),
      isEqual: new Set(ids).size === ids.length,
      message: 'A record is on the page twice.',
      expected: 'each record once',
      actual: ids,
    })
  }
}

/** A full page without a size in the call has the default size of the document. */
function checkDefaultSize(
  context: OracleContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
): void {
  const { operation, query } = exchange.probe
  const expected = list.size?.schema['default']
  if (typeof expected !== 'number' || rows.length === 0) return
  const total = list.totalAt ? valueAt(exchange.body, list.totalAt) : undefined
  const largest = context.readings
    .of(operation, 'whole')
    .filter(({ probe: { purpose } }) => purpose.kind === 'whole' && purpose.of === exchange)
    .map((page) => context.readings.rows(page).length)
  const follows = typeof total === 'number' ? rows.length < total : Math.max(0, ...largest) > rows.length
  if (!follows && rows.length <= expected) return
  record(context, 'relations', exchange, {
    aspect: 'default_size',
    place: list.rowsAt.map((name) => `.${name}`).join(''),
    isEqual: rows.length === expected,
    message: `A page has ${String(rows.length)} rows by default, and not ${String(expected)}.`,
    expected,
    actual: rows.length,
    ...claimOf(context, operation, list.size?.name, query),
  })
}

/** Checks a number of pages and a flag of further pages next to the total. */
function checkTotalPages(
  context: OracleContext,
  list: List,
  exchange: Exchange,
  total: number,
  size: number | null,
): void {
  const around = valueAt(exchange.body, list.totalAt?.slice(0, -1) ?? []) as Record<string, unknown>
  const place = (list.totalAt ?? [])
    .slice(0, -1)
    .map((name) => `.${name}`)
    .join('')
  const page = list.position?.kind === 'page' ? Number(exchange.probe.query[list.position.name] ?? 1) : null
  const stated: Readonly<Record<string, number | null>> = {
    total_pages: size === null ? null : Math.ceil(total / size),
    per_page: size,
    page,
    current_page: page,
  }
  for (const [name, expected] of Object.entries(stated)) {
    const actual = around[name]
    if (expected === null || typeof actual !== 'number') continue
    record(context, 'relations', exchange, {
      aspect: name,
      place: `${place}.${name}`,
      isEqual: actual === expected,
      message: `${name} does not fit the call and the total.`,
      expected,
      actual,
    })
  }
}

/** Returns the size that a call asked for, or the default of the document; null if the list has none. */
function askedSize(list: List, query: Readonly<Record<string, string>>): number | null {
  if (!list.size) return null
  const asked = query[list.size.name]
  const fallback = list.size.schema['default']
  if (asked !== undefined) return Number(asked)
  return typeof fallback === 'number' ? fallback : null
}

/** Returns the number of rows before a page; null if it is unknown. */
function positionOf(list: List, { probe: { query } }: Exchange, size: number | null): number | null {
  if (!list.position) return 0
  const value = query[list.position.name]
  if (list.position.kind === 'offset') return Number(value ?? 0)
  const page = Number(value ?? 1)
  return page === 1 ? 0 : size === null ? null : (page - 1) * size
}

/** The parameter that the answer followed, and its default if the call did not have it. */
function claimOf(
  { claims }: OracleContext,
  operation: Operation,
  name: string | undefined,
  query: Readonly<Record<string, string>>,
): { claim?: string } {
  if (name === undefined) return {}
  const place = `${operation.address} ?${name}`
  const claim =
    (query[name] === undefined ? claims.at(place, 'default') : undefined) ?? claims.at(place, 'parameter')
  return claim ? { claim: claim.key } : {}
}

/** The largest size of the document is accepted; if not, a smaller one is the largest. */
function checkMaximum(context: OracleContext, operation: Operation): void {
  const sizes = context.readings.of(operation, 'size').flatMap((exchange) => {
    const { purpose } = exchange.probe
    return purpose.kind === 'size' ? [{ exchange, size: purpose.size, maximum: purpose.maximum }] : []
  })
  const list = context.readings.listOf(operation)
  const largest = sizes.find(({ size, maximum }) => size === maximum)
  if (!list?.size || !largest || largest.exchange.status < 400) return
  const accepted = sizes.filter(({ exchange }) => exchange.status < 300).map(({ size }) => size)
  const claim = context.claims.at(
    `${operation.address} ?${list.size.name}`,
    'bound',
    `maximum ${String(largest.maximum)}`,
  )
  record(context, 'relations', largest.exchange, {
    aspect: 'maximum_size',
    place: '',
    isEqual: false,
    message: `The largest page has ${String(Math.max(0, ...accepted))} rows, and not ${String(largest.maximum)}.`,
    expected: largest.maximum,
    actual: Math.max(0, ...accepted),
    ...(claim && { claim: claim.key }),
  })
}

/** A page of the largest size has all that a smaller one has; one above it is refused, or is no larger. */
function checkSize(context: OracleContext, list: List, exchange: Exchange, rows: readonly unknown[]): void {
  const { purpose, operation, query } = exchange.probe
  if (purpose.kind !== 'size' || !list.size) return
  const whole = context.readings.rows(purpose.of)
  const count = Math.min(whole.length, purpose.size)
  const place = list.rowsAt.map((name) => `.${name}`).join('')
  const parameter = `${operation.address} ?${list.size.name}`
  const bound = context.claims.at(parameter, 'bound', `maximum ${String(purpose.maximum)}`)
  const isCut = purpose.size === purpose.maximum && rows.length < purpose.size
  const total = list.totalAt ? valueAt(exchange.body, list.totalAt) : undefined
  const isFull = rows.length === purpose.size || (isCut && typeof total === 'number' && total > rows.length)
  if (bound && isFull && purpose.size > 1) {
    record(context, 'relations', exchange, {
      aspect: 'maximum_size',
      place,
      isEqual: rows.length === purpose.maximum,
      message: `The largest page has ${String(rows.length)} rows, and not ${String(purpose.maximum)}.`,
      expected: purpose.maximum,
      actual: rows.length,
      claim: bound.key,
    })
  }
  const claim =
    purpose.size === 1 ? claimOf(context, operation, list.size.name, query) : bound && { claim: bound.key }
  record(context, 'relations', exchange, {
    aspect: 'size',
    place,
    isEqual:
      rows.length >= count &&
      isDeepStrictEqual(rows.slice(0, count).map(identityOf), whole.slice(0, count).map(identityOf)),
    message: `A page of ${String(purpose.size)} does not begin with the rows of the default page.`,
    expected: whole.slice(0, count).map(identityOf),
    actual: rows.slice(0, count).map(identityOf),
    ...claim,
  })
}

/** A page after which further rows are known has the cursor of the next page. */
function checkNext(context: OracleContext, list: List, exchange: Exchange, rows: readonly unknown[]): void {
  const { purpose } = exchange.probe
  if (!list.nextAt || (purpose.kind !== 'page' && purpose.kind !== 'size')) return
  const known = context.readings.rows(purpose.of).length
  const end = (purpose.kind === 'page' ? purpose.index * purpose.size : 0) + rows.length
  if (end === known) return
  const shorter = end < known ? exchange : purpose.of
  const next = valueAt(shorter.body, list.nextAt)
  record(context, 'relations', shorter, {
    aspect: 'next',
    place: list.nextAt.map((name) => `.${name}`).join(''),
    isEqual: typeof next === 'string',
    message: 'The page says that it is the last one, but there are more rows.',
    expected: 'a cursor',
    actual: next,
  })
}

function checkSort(context: OracleContext, list: List, exchange: Exchange, rows: readonly unknown[]): void {
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
function checkFilter(context: OracleContext, list: List, exchange: Exchange, rows: readonly unknown[]): void {
  const { purpose, operation, query } = exchange.probe
  if (purpose.kind !== 'filter') return
  const { parameter, value } = purpose
  const fields = rows.map((row) => fieldOf(row, parameter))
  const place = list.rowsAt.map((name) => `.${name}`).join('')
  const claim = claimOf(context, operation, parameter, query)
  if (fields.length > 0 && fields.every((field) => typeof field === 'string' || typeof field === 'boolean')) {
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
  context: OracleContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
  claim: { claim?: string },
): void {
  const { purpose } = exchange.probe
  if (purpose.kind !== 'filter') return
  const { parameter, value, of } = purpose
  const whole = wholeOf(context, list, of)
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

/** Returns the rows of a list if one answer has all of them; null otherwise. */
function wholeOf({ readings }: OracleContext, list: List, of: Exchange): readonly unknown[] | null {
  const same = readings
    .of(of.probe.operation)
    .filter(
      ({ probe: { purpose }, status }) =>
        status < 300 && (purpose === of.probe.purpose || (purpose.kind === 'size' && purpose.of === of)),
    )
  const longest = same.toSorted((a, b) => readings.rows(b).length - readings.rows(a).length)[0]
  if (!longest) return null
  const rows = readings.rows(longest)
  const size = askedSize(list, longest.probe.query)
  const total = list.totalAt ? valueAt(longest.body, list.totalAt) : undefined
  const isWhole = typeof total === 'number' ? rows.length === total : size !== null && rows.length < size
  return isWhole ? rows : null
}

/** Pages of the same size follow each other without gaps and repetitions. */
function checkPages(context: OracleContext, operation: Operation): void {
  const { readings } = context
  const list = readings.listOf(operation)
  const pages = readings.of(operation, 'page').filter(({ status }) => status < 300)
  if (!list) return
  const seen: unknown[] = []
  for (const page of pages) {
    const { purpose } = page.probe
    if (purpose.kind !== 'page') continue
    const whole = readings.rows(purpose.of).map(identityOf)
    const ids = readings.rows(page).map(identityOf)
    const from = purpose.index * purpose.size
    const place = list.rowsAt.map((name) => `.${name}`).join('')
    const claim = claimOf(context, operation, list.position?.name, page.probe.query)
    if (from < whole.length) {
      const expected = whole.slice(from, from + purpose.size)
      record(context, 'relations', page, {
        aspect: 'page_rows',
        place,
        isEqual: isDeepStrictEqual(ids.slice(0, expected.length), expected),
        message: `Page ${String(purpose.index + 1)} does not have the rows that follow the page before it.`,
        expected,
        actual: ids,
        ...claim,
      })
    } else {
      record(context, 'relations', page, {
        aspect: 'page_overlap',
        place,
        isEqual: !ids.some((id) => id !== undefined && (whole.includes(id) || seen.includes(id))),
        message: `Page ${String(purpose.index + 1)} repeats rows of an earlier page.`,
        expected: 'other rows',
        actual: ids,
        ...claim,
      })
    }
    seen.push(...ids)
  }
}

/** A record has the same values as its row in a list, for all fields that both have. */
function checkRecord(context: OracleContext, exchange: Exchange): void {
  const { purpose } = exchange.probe
  if (purpose.kind !== 'record' || typeof purpose.row !== 'object' || purpose.row === null) return
  const found = recordIn(exchange.body, purpose.row)
  if (!found) return
  const { at, value } = found
  for (const [name, listed] of Object.entries(purpose.row)) {
    if (!Object.hasOwn(value, name)) continue
    const own = value[name]
    // A list may show a part of an object or of a list, and the record the whole.
    const isPart = typeof listed === 'object' && listed !== null && !isDeepStrictEqual(listed, own)
    record(context, 'relations', exchange, {
      aspect: 'row',
      place: `${at}.${name}`,
      isEqual: isPart
        ? isPartOf(listed, own)
        : isDeepStrictEqual(withoutVolatile(listed), withoutVolatile(own)),
      message: 'The record and its row in the list have different values.',
      expected: listed,
      actual: own,
    })
  }
}

/** Returns the object of an answer that has the id of the row: the answer itself, or one in an envelope. */
function recordIn(body: unknown, row: object): { at: string; value: Record<string, unknown> } | null {
  const id = identityOf(row)
  const visit = (
    value: unknown,
    at: string,
    depth: number,
  ): { at: string; value: Record<string, unknown> } | null => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const fields = value as Record<string, unknown>
    if (id !== undefined && identityOf(fields) === id) return { at, value: fields }
    if (depth === 2) return null
    for (const [name, each] of Object.entries(fields)) {
      const found = visit(each, `${at}.${name}`, depth + 1)
      if (found) return found
    }
    return null
  }
  return visit(body, '', 0)
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    if (part.length !== whole.length) return part.length < whole.length
    return part.every((item, index) => isPartOf(item, whole[index]))
  }
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null)
    return isDeepStrictEqual(part, whole)
  return Object.entries(part).every(
    ([name, value]) =>
      !Object.hasOwn(whole, name) || isPartOf(value, (whole as Record<string, unknown>)[name]),
  )
}

/** Returns what names a row: its id, or its code. */
function identityOf(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  const fields = row as Record<string, unknown>
  return fields['id'] ?? fields['uuid'] ?? fields['clave'] ?? fields['code'] ?? fields['key']
}
