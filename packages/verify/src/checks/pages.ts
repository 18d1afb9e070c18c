/** Pages follow each other, and have the sizes that the document and the call say. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../exchanges/exchange.ts'
import { valueAt, type List } from '../model/list.ts'
import { record, type CheckContext } from './context.ts'
import { claimOf, identityOf } from './lists.ts'

type Operation = Exchange['probe']['operation']

/** A full page without a size in the call has the default size of the document. */
export function checkDefaultSize(
  context: CheckContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
): void {
  const { operation, query } = exchange.probe
  const expected = list.size?.schema['default']
  if (typeof expected !== 'number' || rows.length === 0) return
  const total = list.totalAt ? valueAt(exchange.body, list.totalAt) : undefined
  const largest = context.answers
    .of(operation, 'whole')
    .filter(({ probe: { purpose } }) => purpose.kind === 'whole' && purpose.of === exchange)
    .map((page) => context.answers.rows(page).length)
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
export function checkTotalPages(
  context: CheckContext,
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

/** The largest size of the document is accepted; if not, a smaller one is the largest. */
export function checkMaximum(context: CheckContext, operation: Operation): void {
  const sizes = context.answers.of(operation, 'size').flatMap((exchange) => {
    const { purpose } = exchange.probe
    return purpose.kind === 'size' ? [{ exchange, size: purpose.size, maximum: purpose.maximum }] : []
  })
  const list = context.answers.listOf(operation)
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
export function checkSize(
  context: CheckContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
): void {
  const { purpose, operation, query } = exchange.probe
  if (purpose.kind !== 'size' || !list.size) return
  const whole = context.answers.rows(purpose.of)
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
export function checkNext(
  context: CheckContext,
  list: List,
  exchange: Exchange,
  rows: readonly unknown[],
): void {
  const { purpose } = exchange.probe
  if (!list.nextAt || (purpose.kind !== 'page' && purpose.kind !== 'size')) return
  const known = context.answers.rows(purpose.of).length
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

/** Pages of the same size follow each other without gaps and repetitions. */
export function checkPages(context: CheckContext, operation: Operation): void {
  const { answers } = context
  const list = answers.listOf(operation)
  const pages = answers.of(operation, 'page').filter(({ status }) => status < 300)
  if (!list) return
  const seen: unknown[] = []
  for (const page of pages) {
    const { purpose } = page.probe
    if (purpose.kind !== 'page') continue
    const whole = answers.rows(purpose.of).map(identityOf)
    const ids = answers.rows(page).map(identityOf)
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
