/** The rules that hold for every list, whatever it contains and however it is paged. */
import { expect } from 'vitest'
import type { Reason } from '../../src/state/model/refusal.ts'
import { withStatements } from '../support/statements.ts'
import {
  boundsOf,
  filtersOf,
  positionParameter,
  totalOf,
  type List,
  type Parameter,
  type Reader,
  type RecordBody,
} from './pages.ts'

/** A list filled with more records than one page holds. */
export interface FilledList {
  readonly reader: Reader
  /** The records that it must show, in the order of their creation. */
  readonly expected: readonly Expected[]
  /** The key of a workspace without records. */
  readonly keyOfEmptyWorkspace: string
  /** The key of another workspace with the same records. */
  readonly keyOfCopy: string
  /** True to read pages of more sizes than the most telling ones. */
  readonly withAllSizes: boolean
  /** Returns a copy that a test may change. */
  readonly changeable: () => Promise<ChangeableList>
}

/** A list to which operations of its interface can add and from which they can remove records. */
export interface ChangeableList {
  readonly key: string
  readonly add: () => Promise<void>
  readonly remove: (id: string) => Promise<void>
}

export interface Expected {
  readonly id: string
  /** The stored row, by column. */
  readonly stored: RecordBody
  /** Stored rows of other records that refer to it, such as links, which a list may omit. */
  readonly related: readonly RecordBody[]
}

export interface Rule {
  readonly title: string
  /** Returns false if the rule does not apply to the list. */
  readonly concerns: (list: List) => boolean
  readonly holds: (filled: FilledList) => Promise<void>
}

const always = () => true

/** Strings that no integer parameter accepts. */
const NO_WHOLE_NUMBERS = [
  '-1',
  '1.5',
  'ten',
  '',
  '99999999999999999999',
  'null',
  '0x10',
  '1e1',
  '%205',
  '5,',
  'NaN',
]

const NO_SORTS = ['', 'nonsense', 'id', 'rowid', 'workspace', '__proto__', 'created_at,name', '1']

const NO_ORDERS = ['', 'ASC', 'down', '1', 'asc,desc']

const ORDERS = ['asc', 'desc'] as const

type Order = (typeof ORDERS)[number]

async function refuses({ reader }: FilledList, query: string, reason: Reason, key?: string): Promise<void> {
  const answer = await reader.ask(query, key)
  const { status, code } = reader.list.definition.dialect.refusals[reason]
  expect(answer.status, `${query}: ${answer.text.slice(0, 300)}`).toBe(status)
  expect(answer.text, query).toContain(`"${code}"`)
}

const idOf = (item: RecordBody): string => String(item['id'])

const idsOf = (items: readonly RecordBody[]): string[] => items.map(idOf)

const sortsOf = ({ paging, parameters }: List): readonly string[] => parameters[paging.sort]?.enum ?? []

/** Treats "created_at" and "createdAt" as the same name. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** Sort names that are in another language than the fields. */
const TRANSLATED: Readonly<Record<string, readonly string[]>> = {
  name: ['nombre', 'nombreinterno'],
  price: ['valorunitario'],
}

/** The value that a record shows under the name, or that of the record it refers to: owner_id is owner.id. */
function valueShownAs(item: RecordBody, name: string): unknown {
  const names = [plain(name), ...(TRANSLATED[name] ?? [])]
  const found = names.flatMap((each) => Object.entries(item).find(([field]) => plain(field) === each) ?? [])
  // A reference is sorted by the name of its record.
  if (found.length > 0) return isObject(found[1]) ? (found[1]['nombre'] ?? found[1]) : found[1]
  const [, of] = /^(.+)_id$/.exec(name) ?? []
  const referred = of === undefined ? undefined : item[of]
  return isObject(referred) ? referred['id'] : undefined
}

/** The number behind a sort, shown with its unit: experience is experience_years. */
const numberOf = (item: RecordBody, sort: string): unknown =>
  Object.entries(item).find(
    ([field, value]) => field.startsWith(`${sort}_`) && (typeof value === 'number' || value === null),
  )?.[1]

const isObject = (value: unknown): value is RecordBody => typeof value === 'object' && value !== null

/** The value, and what nested objects of the record show under the name. */
const valuesShownAs = (item: RecordBody, name: string): unknown[] => [
  ...[valueShownAs(item, name)].filter((value) => value !== undefined),
  ...Object.values(item)
    .filter(isObject)
    .flatMap((part) => valuesShownAs(part, name)),
]

const DECIMAL = /^\d+(\.\d+)?$/

/** Negative, zero or positive; null if only the interface can decide. */
function compared(one: unknown, other: unknown): number | null {
  if (one === other) return 0
  // Records without a value come first.
  if (one === null) return -1
  if (other === null) return 1
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string') return null
  if (DECIMAL.test(one) && DECIMAL.test(other)) return Number(one) - Number(other)
  // The position of accented letters depends on the collation.
  if (/[^ -~]/.test(one + other)) return null
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return a < b ? -1 : a > b ? 1 : 0
}

/** Amounts in several currencies are sorted in pesos, by the exchange rate of their record. */
const inPesos = (key: unknown, stored: RecordBody): unknown => {
  const rate = Number(stored['tipoCambio'] ?? 1)
  return rate !== 1 && (typeof key === 'number' || DECIMAL.test(String(key))) ? Number(key) * rate : key
}

/** Checks that the records are sorted by the key, ties by creation, and all of it reversed for desc. */
function mustBeInOrder(
  items: readonly RecordBody[],
  { expected }: FilledList,
  sort: string,
  order: Order,
): void {
  const known = new Map(expected.map((each, place) => [each.id, { ...each, place }]))
  const ascending = order === 'asc' ? items : items.toReversed()
  const keyed = ascending.map((item) => {
    const found = known.get(idOf(item))
    const stored = found?.stored ?? {}
    const shown = valueShownAs(item, sort) ?? numberOf(item, sort) ?? valueShownAs(stored, sort) ?? null
    return {
      id: idOf(item),
      key: sort === 'total' ? inPesos(shown, stored) : shown,
      place: found?.place ?? -1,
    }
  })
  let comparisons = 0
  keyed.slice(1).forEach((later, index) => {
    const earlier = keyed[index] ?? later
    const difference = compared(earlier.key, later.key)
    if (difference === null) return
    comparisons += 1
    const inOrder = difference < 0 || (difference === 0 && earlier.place < later.place)
    if (!inOrder)
      expect.fail(`${JSON.stringify(earlier)} before ${JSON.stringify(later)}, by ${sort} ${order}`)
  })
  // A key that is neither shown nor stored would compare equal in all records.
  expect(
    keyed.some(({ key }) => key !== null),
    `${sort} is neither shown nor kept`,
  ).toBe(true)
  expect(comparisons).toBeGreaterThan(0)
}

/** The page sizes for this many records. */
function sizes(count: number, limit: number): number[] {
  const full = Array.from({ length: Math.floor(count / limit) }, () => limit)
  return count % limit === 0 ? full : [...full, count % limit]
}

const limits: Rule = {
  title: 'has pages of the size of its limit, and publishes bounds and a default for the limit',
  concerns: always,
  async holds(filled) {
    const { reader, expected } = filled
    const { limit } = reader.list.paging
    const { min, max, default: usual } = boundsOf(reader.list, limit)
    expect(expected.length).toBeGreaterThan(max)
    expect((await reader.page({ [limit]: min })).items).toHaveLength(min)
    expect((await reader.page({ [limit]: max })).items).toHaveLength(max)
    expect((await reader.page()).items).toHaveLength(Number(usual))
    for (const nonsense of [String(min - 1), String(max + 1), ...NO_WHOLE_NUMBERS]) {
      await refuses(filled, `${limit}=${nonsense}`, 'invalid_query')
    }
  },
}

const places: Rule = {
  title: 'refuses impossible page positions',
  concerns: ({ paging }) => paging.kind !== 'cursor',
  async holds(filled) {
    const { list } = filled.reader
    const place = positionParameter(list.paging)
    const { min, max, default: usual } = boundsOf(list, place)
    expect(usual).toBe(min)
    for (const nonsense of [String(min - 1), String(max + 1), ...NO_WHOLE_NUMBERS]) {
      await refuses(filled, `${place}=${nonsense}`, 'invalid_query')
    }
  },
}

const complete: Rule = {
  title: 'shows each record once with any page size, in order of creation',
  concerns: always,
  async holds(filled) {
    const { reader, expected, withAllSizes } = filled
    const { limit, sort } = reader.list.paging
    const { max } = boundsOf(reader.list, limit)
    const whole = await reader.all()
    expect(idsOf(whole).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
    for (const size of [...(withAllSizes ? [1] : []), 7, max - 1, max]) {
      const pages = await reader.pages({ [limit]: size })
      expect(pages.map(({ items }) => items.length)).toEqual(sizes(expected.length, size))
      expect(idsOf(pages.flatMap(({ items }) => items))).toEqual(idsOf(whole))
      for (const page of pages) expect([expected.length, null]).toContain(totalOf(reader.list, page))
    }
    if (sort in reader.list.parameters) return
    const order = OLDEST_FIRST.includes(reader.list.title) ? 'asc' : 'desc'
    mustBeInOrder(whole, filled, beginningOf(filled), order)
  },
}

/** The field with the creation time: created_at for most records, executed_at for executions. */
const beginningOf = ({ expected }: FilledList): string =>
  expected.some(({ stored: stored }) => 'createdAt' in stored) ? 'created_at' : 'executed_at'

/** The lists without a sort parameter that are oldest first; all others are newest first. */
const OLDEST_FIRST: readonly string[] = ['crm GET /pipelines', 'signage GET /groups']

const orders: Rule = {
  title: 'is complete and sorted in each of its orders, with any limit',
  concerns: ({ paging, parameters }) => paging.sort in parameters,
  async holds(filled) {
    const { reader, expected, withAllSizes } = filled
    const { limit, sort, order } = reader.list.paging
    const { max } = boundsOf(reader.list, limit)
    const all = expected.map(({ id }) => id).toSorted()
    expect(sortsOf(reader.list).length).toBeGreaterThan(0)
    for (const by of sortsOf(reader.list)) {
      const ids: Partial<Record<Order, string[]>> = {}
      for (const way of ORDERS) {
        const query = { [sort]: by, [order]: way }
        const whole = await reader.all(query)
        expect(idsOf(whole).toSorted()).toEqual(all)
        mustBeInOrder(whole, filled, by, way)
        ids[way] = idsOf(whole)
        for (const size of withAllSizes ? [4, 23, max - 1] : [23]) {
          const pages = await reader.pages({ ...query, [limit]: size })
          expect(idsOf(pages.flatMap(({ items }) => items))).toEqual(ids[way])
        }
      }
      expect(ids.desc).toEqual(ids.asc?.toReversed())
    }
  },
}

const defaultOrder: Rule = {
  title: 'uses the published default order',
  concerns: ({ paging, parameters }) => paging.sort in parameters,
  async holds({ reader }) {
    const { sort, order } = reader.list.paging
    const { parameters } = reader.list
    const [by, way] = [parameters[sort]?.default, parameters[order]?.default]
    expect(sortsOf(reader.list)).toContain(by)
    expect(ORDERS).toContain(way)
    const explicit = await reader.page({ [sort]: String(by), [order]: String(way) })
    expect((await reader.page()).items).toEqual(explicit.items)
  },
}

const noOrders: Rule = {
  title: 'refuses unknown orders',
  concerns: ({ paging, parameters }) => paging.sort in parameters,
  async holds(filled) {
    const { sort, order } = filled.reader.list.paging
    for (const nonsense of NO_SORTS) await refuses(filled, `${sort}=${nonsense}`, 'invalid_query')
    for (const nonsense of NO_ORDERS) await refuses(filled, `${order}=${nonsense}`, 'invalid_query')
  },
}

/** The parts of a record do not exist in a workspace without the record. */
async function isOfNobody(reader: Reader, keyOfEmptyWorkspace: string): Promise<boolean> {
  const { list } = reader
  if (!list.route.path.includes('{')) return false
  expect((await reader.ask('', keyOfEmptyWorkspace)).status).toBe(
    list.definition.dialect.refusals.not_found.status,
  )
  return true
}

const empty: Rule = {
  title: 'is empty in an empty workspace',
  concerns: always,
  async holds({ reader, keyOfEmptyWorkspace: keyOfEmptyWorkspace }) {
    if (await isOfNobody(reader, keyOfEmptyWorkspace)) return
    const page = await reader.page({}, keyOfEmptyWorkspace)
    expect(page.items).toEqual([])
    expect(page.next).toBeNull()
    expect([0, null]).toContain(totalOf(reader.list, page))
  },
}

const beyond: Rule = {
  title: 'is empty after its last page',
  concerns: ({ paging }) => paging.kind !== 'cursor',
  async holds({ reader, expected }) {
    const { paging } = reader.list
    const place = positionParameter(paging)
    const { max } = boundsOf(reader.list, place)
    const { max: maxLimit } = boundsOf(reader.list, paging.limit)
    const first = paging.kind === 'offset' ? expected.length : Math.ceil(expected.length / maxLimit) + 1
    for (const far of [first, max]) {
      const page = await reader.page({ [place]: far, [paging.limit]: maxLimit })
      expect(page.items).toEqual([])
      expect([expected.length, null]).toContain(totalOf(reader.list, page))
    }
  },
}

const hasCursor = ({ paging }: List): boolean => paging.kind === 'cursor'

const CURSOR_LIMIT = 3

async function firstCursor({ reader }: FilledList): Promise<{ name: string; cursor: string }> {
  const name = positionParameter(reader.list.paging)
  const { next } = await reader.page({ [reader.list.paging.limit]: CURSOR_LIMIT })
  return { name, cursor: String(next?.[name]) }
}

const cursorsAgain: Rule = {
  title: 'accepts a cursor repeatedly and with another limit, and an empty one for the first page',
  concerns: hasCursor,
  async holds(filled) {
    const { reader } = filled
    const { limit } = reader.list.paging
    const { name, cursor } = await firstCursor(filled)
    const once = await reader.page({ [limit]: CURSOR_LIMIT, [name]: cursor })
    expect((await reader.page({ [limit]: CURSOR_LIMIT, [name]: cursor })).body).toEqual(once.body)
    const whole = idsOf(await reader.all())
    const first = await reader.page({ [limit]: CURSOR_LIMIT })
    expect((await reader.page({ [limit]: CURSOR_LIMIT, [name]: '' })).body).toEqual(first.body)
    const two = await reader.page({ [limit]: 2, [name]: cursor })
    expect(idsOf(two.items)).toEqual(whole.slice(CURSOR_LIMIT, CURSOR_LIMIT + 2))
  },
}

const cursorsAltered: Rule = {
  title: 'refuses a cursor with a changed, missing or additional character',
  concerns: hasCursor,
  async holds(filled) {
    const { name, cursor } = await firstCursor(filled)
    const changed = Array.from(cursor, (character, index) => {
      const other = character === 'A' ? 'B' : 'A'
      return cursor.slice(0, index) + other + cursor.slice(index + 1)
    })
    const others = [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      cursor + cursor,
      'nonsense',
    ]
    for (const altered of [...changed, ...others])
      await refuses(filled, `${name}=${altered}`, 'invalid_cursor')
  },
}

const cursorsElsewhere: Rule = {
  title: 'refuses a cursor with another order or filter, or in another workspace',
  concerns: hasCursor,
  async holds(filled) {
    const { list } = filled.reader
    const { sort, order } = list.paging
    const { name, cursor } = await firstCursor(filled)
    const others = sortsOf(list).filter((each) => each !== list.parameters[sort]?.default)
    for (const each of others) await refuses(filled, `${sort}=${each}&${name}=${cursor}`, 'invalid_cursor')
    const way = ORDERS.find((each) => each !== list.parameters[order]?.default)
    if (order in list.parameters)
      await refuses(filled, `${order}=${String(way)}&${name}=${cursor}`, 'invalid_cursor')
    for (const [filter, parameter] of filtersOf(list)) {
      const query = `${filter}=${encodeURIComponent(someValue(parameter))}`
      // Some filters are refused when they are used alone.
      if ((await filled.reader.ask(query)).status === 200) {
        await refuses(filled, `${query}&${name}=${cursor}`, 'invalid_cursor')
      }
    }
    await refuses(
      filled,
      `${list.paging.limit}=${String(CURSOR_LIMIT)}&${name}=${cursor}`,
      'invalid_cursor',
      filled.keyOfCopy,
    )
  },
}

/** True if the interface can add a record to the list and remove one from it. */
const comesAndGoes = ({ route: { path }, routes }: List): boolean =>
  routes.some((route) => route.method === 'POST' && route.path === path) &&
  routes.some((route) => route.method === 'DELETE' && route.path.startsWith(`${path}/{`))

const stable: Rule = {
  title: 'shows each record once when records are added and removed between pages',
  concerns: (list) => hasCursor(list) && comesAndGoes(list),
  async holds({ reader, changeable }) {
    const { limit, sort, order } = reader.list.paging
    for (const by of sortsOf(reader.list)) {
      for (const way of ORDERS) {
        const { key, add, remove } = await changeable()
        const query = { [sort]: by, [order]: way, [limit]: 40 }
        const expected = idsOf(await reader.all(query, key))
        const first = await reader.page(query, key)
        // A record of the first page, the last one of that page, and one of a later page.
        const ahead = String(expected[45])
        for (const removedId of [String(expected[1]), String(expected[39]), ahead]) await remove(removedId)
        for (let count = 0; count < 5; count += 1) await add()
        const rest = (await reader.pages(first.next ?? {}, key)).flatMap(({ items }) => idsOf(items))
        expect(new Set(rest).size).toBe(rest.length)
        const known = new Set(expected)
        expect(rest.filter((id) => known.has(id))).toEqual(expected.slice(40).filter((id) => id !== ahead))
      }
    }
  },
}

const someValue = ({ type, enum: values, format, minimum }: Parameter): string => {
  if (values) return values[0] ?? ''
  if (type === 'boolean') return 'true'
  if (type === 'integer' || type === 'number') return String(minimum ?? 1)
  return format === 'date-time' ? FAR_PAST : UNUSED_VALUE
}

/** A value that no record has. */
const UNUSED_VALUE = 'nobody-has-this'
const FAR_PAST = '1970-01-02T00:00:00Z'
const FAR_FUTURE = '2999-01-01T00:00:00Z'

/** The records that match the filter, in order; null if the filter is refused as documented. */
async function filtered({ reader }: FilledList, name: string, value: string): Promise<RecordBody[] | null> {
  const answer = await reader.ask(`${name}=${encodeURIComponent(value)}`)
  if (answer.status === 200) return reader.all({ [name]: value })
  const { invalid, invalid_query } = reader.list.definition.dialect.refusals
  expect([invalid.status, invalid_query.status], answer.text).toContain(answer.status)
  return null
}

/** Checks that the filter selects exactly the records that show the value. */
async function mustSelect(
  filled: FilledList,
  whole: readonly RecordBody[],
  name: string,
  value: string | boolean,
): Promise<void> {
  const found = await filtered(filled, name, String(value))
  if (found === null) return
  mustBeOf(whole, found)
  // Each selected record that shows the field shows the value, and no omitted record does.
  for (const item of found) {
    const fieldValues = valuesShownAs(item, name)
    if (fieldValues.length === 0) continue
    const { related = [] } = filled.expected.find(({ id }) => id === idOf(item)) ?? {}
    const stored = related.flatMap((each) => valuesShownAs(each, name))
    expect([...fieldValues, ...stored], `${name}=${String(value)}`).toContain(value)
  }
  const expectedItems = whole.filter((item) => valueShownAs(item, name) === value)
  expect(idsOf(found)).toEqual(expect.arrayContaining(idsOf(expectedItems)))
}

/** Checks that these are a subset of all records in the same order. */
function mustBeOf(whole: readonly RecordBody[], some: readonly RecordBody[]): void {
  const ids = new Set(idsOf(some))
  expect(ids.size).toBe(some.length)
  expect(idsOf(some)).toEqual(idsOf(whole).filter((id) => ids.has(id)))
}

async function mustFilter(
  filled: FilledList,
  whole: readonly RecordBody[],
  name: string,
  parameter: Parameter,
): Promise<void> {
  const { type, enum: values, format, minimum, maximum } = parameter
  if (values || type === 'boolean') {
    for (const value of values ?? [true, false]) await mustSelect(filled, whole, name, value)
    return
  }
  if (type === 'integer' || type === 'number' || format === 'date-time') {
    const isTime = format === 'date-time'
    const ends = isTime ? [FAR_PAST, FAR_FUTURE] : [String(minimum ?? 0), String(maximum ?? 999_999_999)]
    const counts: number[] = []
    for (const end of ends) {
      const found = await filtered(filled, name, end)
      mustBeOf(whole, found ?? [])
      counts.push(found?.length ?? -1)
    }
    // One bound matches all records, and the other almost none.
    expect(Math.max(...counts), name).toBe(whole.length)
    expect(Math.min(...counts), name).toBeLessThan(whole.length)
    return
  }
  expect((await filtered(filled, name, UNUSED_VALUE)) ?? [], `${name}=${UNUSED_VALUE}`).toEqual([])
  const fieldValues = [...new Set(whole.map((item) => valueShownAs(item, name)))].filter(
    (value) => typeof value === 'string',
  )
  for (const value of fieldValues.slice(0, 3)) await mustSelect(filled, whole, name, value)
}

const filters: Rule = {
  title: 'selects exactly the matching records with each of its filters, in the same order',
  concerns: (list) => filtersOf(list).length > 0,
  async holds(filled) {
    const whole = await filled.reader.all()
    for (const [name, parameter] of filtersOf(filled.reader.list))
      await mustFilter(filled, whole, name, parameter)
  },
}

const apart: Rule = {
  title: 'never shows records of another workspace',
  concerns: always,
  async holds({ reader, keyOfEmptyWorkspace: keyOfEmptyWorkspace }) {
    if (await isOfNobody(reader, keyOfEmptyWorkspace)) return
    for (const [name, parameter] of filtersOf(reader.list)) {
      const values = parameter.enum ?? [someValue(parameter)]
      for (const value of values) {
        const answer = await reader.ask(`${name}=${encodeURIComponent(value)}`, keyOfEmptyWorkspace)
        if (answer.status === 200)
          expect((await reader.page({ [name]: value }, keyOfEmptyWorkspace)).items).toEqual([])
      }
    }
    for (const sort of sortsOf(reader.list)) {
      expect((await reader.page({ [reader.list.paging.sort]: sort }, keyOfEmptyWorkspace)).items).toEqual([])
    }
  },
}

const queries: Rule = {
  title: 'reads what its records show with as many queries for eleven records as for five',
  concerns: always,
  async holds({ reader }) {
    const { limit } = reader.list.paging
    const texts = async (size: number): Promise<string[]> => {
      const { result, statements } = await withStatements(() => reader.page({ [limit]: size }))
      expect(result.items).toHaveLength(size)
      return statements.map(({ source }) => source).sort()
    }
    // The first page also counts all records. No other rule reads pages of these sizes, so none of them is cached.
    await texts(6)
    expect(await texts(11)).toEqual(await texts(5))
  },
}

/** Texts of a record that a search may find. */
const textsOf = (item: RecordBody): string[] =>
  Object.values(item).flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' ? [value] : isObject(value) ? textsOf(value) : [],
  )

const searchesOf = ({ parameters }: List): string[] =>
  ['q', 'search'].filter((name) => Object.hasOwn(parameters, name))

const searches: Rule = {
  title: 'finds the same with blanks around a search',
  concerns: (list) => searchesOf(list).length > 0,
  async holds({ reader }) {
    const [item = {}] = (await reader.all()).slice(0, 1)
    for (const name of searchesOf(reader.list)) {
      let mostFound = 0
      for (const text of textsOf(item).slice(0, 5)) {
        const found = await reader.all({ [name]: text })
        mostFound = Math.max(mostFound, found.length)
        expect(idsOf(await reader.all({ [name]: ` \t${text}  ` })), text).toEqual(idsOf(found))
      }
      expect(mostFound, name).toBeGreaterThan(0)
    }
  },
}

export const LIST_RULES: readonly Rule[] = [
  limits,
  places,
  complete,
  orders,
  defaultOrder,
  noOrders,
  empty,
  beyond,
  cursorsAgain,
  cursorsAltered,
  cursorsElsewhere,
  stable,
  filters,
  apart,
  searches,
  queries,
]
