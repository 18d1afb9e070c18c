/** Compares answers with each other: pages with the whole, rows with records, filters and sorts with what they promise. */
import type { Exchange } from '../exchanges/exchange.ts'
import { differencesOf } from '../differential/compare.ts'
import { rowsIn, valueAt, type List } from '../model/list.ts'
import { checkAccepted } from './accepted.ts'
import { record, type CheckContext } from './context.ts'
import { askedSize, positionOf, identityOf, claimOf } from './lists.ts'
import { checkDefaultSize, checkTotalPages, checkMaximum, checkSize, checkNext, checkPages } from './pages.ts'
import { checkRecord } from './records.ts'
import { checkSearch } from './searches.ts'
import { checkSort, checkFilter } from './selections.ts'
import { checkTotals } from './totals.ts'
import { withoutVolatile } from './volatile.ts'

export function checkRelations(context: CheckContext): void {
  for (const operation of context.answers.operations) checkMaximum(context, operation)
  checkAccepted(context)
  for (const exchange of context.answers.exchanges) {
    if (exchange.status < 200 || exchange.status >= 300) {
      if (exchange.probe.purpose.kind === 'repeat') checkRepeat(context, exchange)
      continue
    }
    const list = context.answers.listOf(exchange.probe.operation)
    if (list) checkList(context, list, exchange)
    const { purpose } = exchange.probe
    if (purpose.kind === 'repeat') checkRepeat(context, exchange)
    if (purpose.kind === 'record') checkRecord(context, exchange)
  }
  for (const operation of context.answers.operations) {
    checkPages(context, operation)
    checkTotals(context, operation)
  }
}

function checkRepeat(context: CheckContext, exchange: Exchange): void {
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
function checkList(context: CheckContext, list: List, exchange: Exchange): void {
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
      ((isLast === true && rows.length > 0) || (rows.length === 0 && before === 0)
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
