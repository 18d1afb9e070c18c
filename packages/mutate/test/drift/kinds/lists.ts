/** Drift of lists: their form, order, filters, pages and totals. */
import { changeAt, isObject, nameOf, refill, REMOVED, valuesAt, wordOf } from '../json.ts'
import { isSuccess, withJson, type Answer, type Drifting, type Kind } from '../kind.ts'
import { parameterOf, type Role } from '../readable.ts'
import type { Probed } from '../subject.ts'
import { refusalOf } from './answers.ts'
import { isTotal } from './values.ts'

const isList = ({ readable }: Probed): boolean => readable.rows !== null

const ofLists = (probed: Probed): string[] => (isList(probed) ? [''] : [])

/** Lists that say how many rows they have, or where they end. Elsewhere, a lost row is a record that does not exist. */
const ofCountedLists = ({ readable }: Probed): string[] =>
  readable.rows !== null &&
  (parameterOf(readable, 'size') ?? readable.fields.find(({ place }) => isTotal(place, readable))) !==
    undefined
    ? ['']
    : []

const withRole =
  (...roles: readonly Role[]) =>
  ({ readable }: Probed): string[] =>
    readable.rows === null
      ? []
      : readable.query.filter(({ role }) => roles.includes(role)).map(({ name }) => name)

const rowsOf = ({ readable: { rows } }: Drifting, answer: Answer): unknown[] | null => {
  if (rows === null || !isSuccess(answer)) return null
  const [value] = valuesAt(answer.json, rows)
  return Array.isArray(value) ? value : null
}

const withRows = ({ answer, readable: { rows } }: Drifting, changed: readonly unknown[]): Answer =>
  withJson(
    answer,
    changeAt(answer.json, rows ?? '', () => changed),
  )

const PAGING: readonly Role[] = ['page', 'size', 'offset', 'cursor']

const MAX_PAGES = 50

const largest = (drifting: Drifting): number =>
  Number(parameterOf(drifting.readable, 'size')?.schema['maximum'] ?? 100)

/** Returns the rows of all pages with the filters and the order of the call. */
async function everyRow(drifting: Drifting): Promise<unknown[]> {
  const { readable, call, send } = drifting
  const query = new URLSearchParams(call.query)
  for (const { name, role } of readable.query) if (PAGING.includes(role)) query.delete(name)
  const size = parameterOf(readable, 'size')
  if (size) query.set(size.name, String(largest(drifting)))
  const everything: unknown[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await send(call.path, query)
    const rows = rowsOf(drifting, answer) ?? []
    everything.push(...rows)
    if (rows.length === 0 || !turnPage(drifting, query, page, everything.length, answer)) break
  }
  return everything
}

/** Changes the query to that of the next page; returns false if there is none. */
function turnPage(
  { readable }: Drifting,
  query: URLSearchParams,
  page: number,
  offset: number,
  { json }: Answer,
): boolean {
  const [byPage, byOffset, byCursor] = (['page', 'offset', 'cursor'] as const).map((role) =>
    parameterOf(readable, role),
  )
  if (byPage) query.set(byPage.name, String(page + 1))
  else if (byOffset) query.set(byOffset.name, String(offset))
  else if (byCursor) {
    const [cursor] = valuesAt(json, '/pagination/nextCursor')
    if (typeof cursor !== 'string') return false
    query.set(byCursor.name, cursor)
  } else return false
  return true
}

/** A kind that lays out the rows of all pages anew, so that pages stay consistent with each other. */
const rearranging = (
  name: string,
  drift: string,
  rearranged: (all: readonly unknown[], start: number, count: number) => readonly unknown[],
  suits: (drifting: Drifting) => boolean = () => true,
  places = ofLists,
): Kind => ({
  name,
  drift,
  places,
  async apply(drifting) {
    const rows = rowsOf(drifting, drifting.answer)
    if (!rows || rows.length === 0 || !suits(drifting)) return drifting.answer
    const all = await everyRow(drifting)
    const texts = all.map((row) => JSON.stringify(row))
    const start = texts.indexOf(JSON.stringify(rows[0]))
    return start < 0 ? drifting.answer : withRows(drifting, rearranged(all, start, rows.length))
  },
})

const sortsNothing = ({ readable, call }: Drifting): boolean =>
  readable.query.every(({ name, role }) => (role !== 'sort' && role !== 'direction') || !call.query.has(name))

/** Orders by the first text that is no id. */
const byText = (one: unknown, other: unknown): number => {
  const [first, second] = [one, other].map((row) =>
    isObject(row) ? wordOf(Object.entries(row).find(([name, value]) => isTitle(name, value))?.[1]) : '',
  )
  return (first ?? '') < (second ?? '') ? -1 : 1
}

const isTitle = (name: string, value: unknown): boolean => typeof value === 'string' && !/id$/i.test(name)

/** A kind that answers the call with another query. */
const withOtherQuery = (
  name: string,
  drift: string,
  places: Kind['places'],
  change: (query: URLSearchParams, at: string, drifting: Drifting) => void,
): Kind => ({
  name,
  drift,
  places,
  async apply(drifting) {
    const { call, answer, at, send } = drifting
    if (!isSuccess(answer)) return answer
    const query = new URLSearchParams(call.query)
    change(query, at, drifting)
    return query.toString() === call.query.toString() ? answer : send(call.path, query)
  },
})

/** A kind that changes the numbers with which a list says how long it is. */
const totalKind = (
  name: string,
  drift: string,
  change: (value: unknown, drifting: Drifting) => unknown,
): Kind => ({
  name,
  drift,
  places: ({ readable, values }) =>
    readable.fields
      .map(({ place }) => place)
      .filter(
        (place) => isTotal(place, readable) && values(place).some((value) => typeof value === 'number'),
      ),
  apply: (drifting) =>
    isSuccess(drifting.answer)
      ? withJson(
          drifting.answer,
          changeAt(drifting.answer.json, drifting.at, (value) => change(value, drifting)),
        )
      : drifting.answer,
})

const remove = (query: URLSearchParams, name: string): void => {
  query.delete(name)
}

/** A page size that is small enough to be noticed and large enough to be real. */
const OTHER_SIZE = 10

const isPaged = (probed: Probed): boolean => withRole('page', 'offset', 'cursor')(probed).length > 0

export const LIST_KINDS: readonly Kind[] = [
  {
    name: 'list-renamed',
    drift: 'The field with the rows has another name (`items`)',
    places: ({ readable: { rows } }) => (rows === null || rows === '' ? [] : [rows]),
    apply({ answer, at }) {
      if (!isSuccess(answer)) return answer
      const [holder] = valuesAt(answer.json, at.slice(0, at.lastIndexOf('/')))
      if (!isObject(holder)) return answer
      const { [nameOf(at)]: rows, ...rest } = holder
      refill(holder, { items: rows, ...rest })
      return answer
    },
  },
  {
    name: 'list-bare',
    drift: 'A list is only its rows, without an envelope',
    places: ({ readable: { rows } }) => (rows === null || rows === '' ? [] : ['']),
    apply: (drifting) => withJson(drifting.answer, rowsOf(drifting, drifting.answer) ?? drifting.answer.json),
  },
  {
    name: 'list-wrapped',
    drift: 'A list without an envelope has one',
    places: ({ readable: { rows } }) => (rows === '' ? [''] : []),
    apply: ({ answer }) => (isSuccess(answer) ? withJson(answer, { data: answer.json }) : answer),
  },
  {
    name: 'list-empty',
    drift: 'A list has no rows',
    places: ofCountedLists,
    apply: (drifting) => (rowsOf(drifting, drifting.answer) ? withRows(drifting, []) : drifting.answer),
  },
  rearranging(
    'order-reversed',
    'The default order of a list is the reverse',
    (all, start, count) => all.toReversed().slice(start, start + count),
    sortsNothing,
  ),
  rearranging(
    'order-by-name',
    'The default order of a list is by another field',
    (all, start, count) => all.toSorted(byText).slice(start, start + count),
    sortsNothing,
  ),
  rearranging(
    'last-row-dropped',
    'The last page has a row less',
    (all, start, count) => all.slice(start, Math.min(start + count, all.length - 1)),
    undefined,
    ofCountedLists,
  ),
  rearranging('rows-repeated', 'A page begins with the last row of the page before', (all, start, count) =>
    all.slice(Math.max(0, start - 1), Math.max(0, start - 1) + count),
  ),
  {
    name: 'order-unstable',
    drift: 'Rows have another order when they are read again',
    places: ofLists,
    apply(drifting) {
      const rows = rowsOf(drifting, drifting.answer)
      return rows && drifting.call.repeats % 2 === 1 ? withRows(drifting, rows.toReversed()) : drifting.answer
    },
  },
  withOtherQuery(
    'sort-ignored',
    'A parameter for the order has no effect',
    withRole('sort', 'direction'),
    remove,
  ),
  withOtherQuery('filter-ignored', 'A filter has no effect', optionalFilters, remove),
  withOtherQuery(
    'search-ignored',
    'A search finds everything',
    withRole('search'),
    (query, at, { readable }) => {
      const isRequired = readable.query.find(({ name }) => name === at)?.isRequired === true
      // A required text can't be left out; its first letter finds more.
      if (isRequired) query.set(at, (query.get(at) ?? '').slice(0, 1))
      else query.delete(at)
    },
  ),
  withOtherQuery(
    'page-size-default',
    'A list has pages of ten rows by default',
    withRole('size'),
    (query, at) => {
      if (!query.has(at)) query.set(at, String(OTHER_SIZE))
    },
  ),
  withOtherQuery('page-size-ignored', 'The page size has no effect', withRole('size'), remove),
  {
    name: 'page-maximum-lower',
    drift: 'The largest page size is half as large',
    places: withRole('size'),
    apply: (drifting) =>
      isSuccess(drifting.answer) && Number(drifting.call.query.get(drifting.at)) > largest(drifting) / 2
        ? refusalOf(drifting.readable, drifting.call, drifting.send)
        : drifting.answer,
  },
  {
    name: 'page-maximum-ignored',
    drift: 'A page size above the maximum is accepted',
    places: withRole('size'),
    apply(drifting) {
      const { answer, call, at, send } = drifting
      if (isSuccess(answer) || !(Number(call.query.get(at)) > largest(drifting))) return answer
      const query = new URLSearchParams(call.query)
      query.set(at, String(largest(drifting)))
      return send(call.path, query)
    },
  },
  withOtherQuery('page-ignored', 'Each page is the first page', withRole('page', 'offset', 'cursor'), remove),
  withOtherQuery('pages-from-zero', 'Pages are counted from zero', withRole('page'), (query, at) => {
    const page = query.get(at)
    if (page !== null) query.set(at, String(Number(page) + 1))
  }),
  {
    name: 'cursor-refused',
    drift: 'The cursor of a page is not accepted',
    places: withRole('cursor'),
    apply({ answer, call, at, send }) {
      if (!isSuccess(answer) || !call.query.has(at)) return answer
      const query = new URLSearchParams(call.query)
      query.set(at, 'no such cursor')
      return send(call.path, query)
    },
  },
  {
    name: 'more-pages-denied',
    drift: 'The first page says that it is the last one',
    places: (probed) =>
      probed.values('/pagination/hasMore').length > 0 && isPaged(probed) ? ['/pagination'] : [],
    apply: ({ answer, at }) =>
      isSuccess(answer)
        ? withJson(
            answer,
            changeAt(answer.json, at, () => ({ nextCursor: null, hasMore: false })),
          )
        : answer,
  },
  totalKind('total-off', 'A total is one too high', (value) =>
    typeof value === 'number' ? value + 1 : value,
  ),
  totalKind('total-removed', 'A total is no longer sent', () => REMOVED),
  totalKind(
    'total-of-page',
    'A total counts only the rows of the page',
    (_, drifting) => (rowsOf(drifting, drifting.answer) ?? []).length,
  ),
]

function optionalFilters({ readable }: Probed): string[] {
  return readable.query
    .filter(({ role, isRequired }) => role === 'filter' && !isRequired)
    .map(({ name }) => name)
}
