/**
 * Lists read by index, ordered by a key column and then by insertion, both in the same direction. Where the interface
 * has cursors a list goes on from a position, not from an offset: rows that come or go meanwhile shift nothing. Each
 * combination of sort, order and filters is one prepared statement.
 */
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'
import { indexer, type Indexer, type WantedIndexes } from './indexes.ts'
import { boundedCaches } from './boundedCaches.ts'
import { cachedPlaces, STRIDE, type Position } from './places.ts'
import { cellReader, selected, type CellReader, type Cells, type Selection } from './reading.ts'
import type { Basis } from './versions.ts'
import type { Workspace } from './workspace.ts'

/** As much of a listed record as it takes to know whether its rendering is remembered. */
export interface Head {
  readonly id: string
  readonly revision: number
  /** Where its row stands in the table; for reading it in the same turn, and not to be kept. */
  readonly place: number
}

export interface Page {
  readonly heads: readonly Head[]
  /** Where the next page starts; null at the end. */
  readonly next: Position | null
}

/** A page with what was selected of its records; cells that follow those are the list's own. */
export interface PageOfCells {
  readonly rows: readonly Cells[]
  readonly next: Position | null
}

/** A page found by its number. */
export interface NumberedPage {
  readonly heads: readonly Head[]
  /** How many rows the filters let through. */
  readonly total: number
}

/** The same as of pages with cursors. */
export interface NumberedPageOfCells {
  readonly rows: readonly Cells[]
  readonly total: number
}

/** A table whose rows can be listed. */
export type ListedTable = SQLiteTable & { workspace: SQLiteColumn; id: SQLiteColumn; revision: SQLiteColumn }

/** A condition; `value` stands for what the caller sent. */
type Condition = (value: SQL) => SQL

/** A filter that compares not what the caller sent but what follows from it: each value stands for one of its forms. */
export interface Lookup {
  readonly forms: readonly ((sent: string) => string | null)[]
  readonly where: (...values: SQL[]) => SQL
}

export interface ListDefinition<Sort extends string, Filter extends string> {
  readonly table: ListedTable
  /** What holds for every row of the list, beside its workspace. */
  readonly where?: SQL
  /** Key columns, never null. */
  readonly sorts: Readonly<Record<Sort, SQLiteColumn>>
  readonly filters: Readonly<Record<Filter, Condition | Lookup>>
  /** The columns of indexes that are made when a large workspace is first asked for such an order or filter. */
  readonly indexes?: Readonly<Partial<Record<NoInfer<Sort | Filter>, readonly SQLiteColumn[]>>>
}

export type Filters<Filter extends string> = Readonly<Partial<Record<Filter, string | number | undefined>>>

interface Order<Sort extends string> {
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

export interface ListQuery<Sort extends string, Filter extends string> extends Order<Sort> {
  readonly limit: number
  readonly filters: Filters<Filter>
  readonly after: Position | null
}

export interface NumberedQuery<Sort extends string, Filter extends string> extends Order<Sort> {
  readonly limit: number
  readonly offset: number
  readonly filters: Filters<Filter>
}

export interface List<Sort extends string, Filter extends string> {
  (workspace: Workspace, query: ListQuery<Sort, Filter>): Page
  /** The same page, with the selected cells in place of the heads. */
  readonly read: (workspace: Workspace, query: ListQuery<Sort, Filter>, select: Selection) => PageOfCells
}

export interface NumberedList<Sort extends string, Filter extends string> {
  (workspace: Workspace, query: NumberedQuery<Sort, Filter>): NumberedPage
  /** The same page, with the selected cells in place of the heads. */
  readonly read: (
    workspace: Workspace,
    query: NumberedQuery<Sort, Filter>,
    select: Selection,
  ) => NumberedPageOfCells
}

/** The list of a table, once its declaration has said which rows it shows. */
export type ListOf<Made> = (table: ListedTable, where: SQL | undefined) => Made

type ListShape<Sort extends string, Filter extends string> = Omit<
  ListDefinition<Sort, Filter>,
  'table' | 'where'
>

/** For declarations: a list whose pages go on where the one before ended. */
export const byCursor =
  <Sort extends string, Filter extends string>(shape: ListShape<Sort, Filter>): ListOf<List<Sort, Filter>> =>
  (table, where) =>
    list({ ...shape, table, ...(where && { where }) })

/** For declarations: a list whose pages have numbers. */
export const numbered =
  <Sort extends string, Filter extends string>(
    shape: ListShape<Sort, Filter>,
  ): ListOf<NumberedList<Sort, Filter>> =>
  (table, where) =>
    numberedList({ ...shape, table, ...(where && { where }) })

/** A list that goes on from the position where the page before ended. */
export function list<Sort extends string, Filter extends string>(
  definition: ListDefinition<Sort, Filter>,
): List<Sort, Filter> {
  mustHaveKeys(definition)
  const prepared = preparedByShape()
  const mustBeIndexed = indexerOf(definition)
  const head = headOf(definition)
  const row = rowOf(definition)

  const read: List<Sort, Filter>['read'] = (workspace, query, select) => {
    const { sort, order, limit, filters, after } = query
    const { database } = workspace
    const names = namesOf(filters)
    mustBeIndexed(workspace, [sort, ...names])
    const shape = `${sort} ${order} ${after ? 'after' : 'first'} ${names.join(' ')}`
    const page = prepared(database, select, shape, () => {
      const key = definition.sorts[sort]
      return database.orm
        .select(selected([...select, key, row]))
        .from(definition.table)
        .where(and(conditions(definition, names), after ? beyond(query, key, row) : undefined))
        .orderBy(...ordering(query, key, row))
        .limit(sql.placeholder('limit'))
    })
    const rows = page.all({
      // One more than asked for tells whether there is a next page.
      limit: limit + 1,
      key: after?.[0],
      row: after?.[1],
      ...parametersOf(definition, workspace, filters, names),
    })
    const more = rows.length > limit
    if (more) rows.pop()
    const last = rows.at(-1)
    return { rows, next: more && last ? positionOf(last, select) : null }
  }

  const page = (workspace: Workspace, query: ListQuery<Sort, Filter>): Page => {
    const { rows, next } = read(workspace, query, head)
    return { heads: rows.map(asHead), next }
  }
  return Object.assign(page, { read })
}

/** A list whose pages have numbers, and that says how many rows there are. */
export function numberedList<Sort extends string, Filter extends string>(
  definition: ListDefinition<Sort, Filter>,
): NumberedList<Sort, Filter> {
  mustHaveKeys(definition)
  const prepared = preparedByShape()
  const mustBeIndexed = indexerOf(definition)
  const head = headOf(definition)
  const row = rowOf(definition)
  const count: Selection = [sql`count(*)`]
  const totalOf = cachedTotals()
  const places = cachedPlaces()

  const read: NumberedList<Sort, Filter>['read'] = (workspace, query, select) => {
    const { sort, order, limit, offset, filters } = query
    const { database } = workspace
    const names = namesOf(filters)
    const parameters = parametersOf(definition, workspace, filters, names)
    mustBeIndexed(workspace, [sort, ...names])
    const counting = prepared(database, count, names.join(' '), () =>
      database.orm.select(selected(count)).from(definition.table).where(conditions(definition, names)),
    )
    const placesKey = `${sort} ${order} ${JSON.stringify(parameters)}`
    const from = places.nearest(database, placesKey, offset)
    const shape = `${sort} ${order} ${from.position ? 'after' : 'first'} ${names.join(' ')}`
    const page = prepared(database, select, shape, () => {
      const key = definition.sorts[sort]
      return database.orm
        .select(selected([...select, key, row]))
        .from(definition.table)
        .where(and(conditions(definition, names), from.position ? beyond(query, key, row) : undefined))
        .orderBy(...ordering(query, key, row))
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
    })
    const readRows = (): Cells[] =>
      page.all({
        limit,
        offset: offset - from.offset,
        key: from.position?.[0],
        row: from.position?.[1],
        ...parameters,
      })
    const isNear = offset + limit < STRIDE
    const { value: rows, basis } = isNear
      ? { value: readRows(), basis: null }
      : database.versions.observe(readRows)
    const last = rows.at(-1)
    if (basis && last) {
      const ended = { offset: offset + rows.length, position: positionOf(last, select) }
      places.keep(database, placesKey, { value: ended, basis })
    }
    // Of a page that is not full all rows have been met: a search that finds few would go through the table once more.
    const isEnd = rows.length < limit && (rows.length > 0 || offset === 0)
    return {
      rows,
      total: isEnd
        ? offset + rows.length
        : totalOf(database, parameters, () => counting.first(parameters)?.[0] as number),
    }
  }

  const page = (workspace: Workspace, query: NumberedQuery<Sort, Filter>): NumberedPage => {
    const { rows, total } = read(workspace, query, head)
    return { heads: rows.map(asHead), total }
  }
  return Object.assign(page, { read })
}

interface Total {
  readonly total: number
  readonly basis: Basis
}

/**
 * How many rows there are under these parameters, counted once for all pages for as long as nothing that was counted
 * has changed: to count a hundred thousand rows takes a hundred times as long as to read a page of them.
 */
function cachedTotals() {
  const totals = boundedCaches<string, Total>({
    maxSize: 500_000,
    sizeCalculation: (_total, key) => 100 + key.length,
  })
  return (database: Database, parameters: Record<string, unknown>, count: () => number): number => {
    const key = JSON.stringify(parameters)
    const memory = totals(database)
    const known = memory.get(key)
    if (known && database.versions.holds(known.basis)) return known.total
    const { value: total, basis } = database.versions.observe(count)
    memory.set(key, { total, basis })
    return total
  }
}

/** A row without a key would be beyond no position, and never be met. */
function mustHaveKeys({ sorts }: ListDefinition<string, string>): void {
  for (const [sort, column] of Object.entries(sorts)) {
    if (!column.notNull) throw new Error(`${column.name}, which a list is sorted by as ${sort}, may be null`)
  }
}

const indexerOf = ({ table, where, indexes = {} }: ListDefinition<string, string>): Indexer =>
  indexer(table, where, indexes as WantedIndexes)

const headOf = (definition: ListDefinition<string, string>): Selection => [
  definition.table.id,
  definition.table.revision,
  rowOf(definition),
]

/** Lists read the key and the place of each row after what was selected. */
const positionOf = (cells: Cells, select: Selection): Position =>
  cells.slice(select.length) as [key: string | number, row: number]

const asHead = ([id, revision, place]: Cells): Head => ({
  id: id as string,
  revision: revision as number,
  place: place as number,
})

type Prepared = (
  database: Database,
  select: Selection,
  shape: string,
  build: () => Parameters<typeof cellReader>[1],
) => CellReader

/** One prepared statement for each selection and shape of query, in each database. */
function preparedByShape(): Prepared {
  const none = (): Map<Selection, Map<string, CellReader>> => new Map()
  return (database, select, shape, build) => {
    const selections = database.own(none)
    let shapes = selections.get(select)
    if (!shapes) selections.set(select, (shapes = new Map<string, CellReader>()))
    let found = shapes.get(shape)
    if (!found) shapes.set(shape, (found = cellReader(database, build())))
    return found
  }
}

/** The order of insertion, which breaks ties. */
const rowOf = ({ table }: { readonly table: SQLiteTable }): SQL<number> => sql<number>`${table}.rowid`

const namesOf = <Filter extends string>(filters: Filters<Filter>): Filter[] =>
  (Object.keys(filters) as Filter[]).filter((name) => filters[name] !== undefined)

/** What stands for a form of what the caller sent, or for that itself. */
const parameterName = (filter: string, form = 0): string => `filter_${filter}_${String(form)}`

function parametersOf<Filter extends string>(
  definition: Pick<ListDefinition<never, Filter>, 'filters'>,
  workspace: Workspace,
  filters: Filters<Filter>,
  names: readonly Filter[],
): Record<string, unknown> {
  const parameters: Record<string, unknown> = { workspace: workspace.rowScope }
  for (const name of names) {
    const filter = definition.filters[name]
    const sent = filters[name]
    if (typeof filter === 'function') parameters[parameterName(name)] = sent
    else
      filter.forms.forEach((form, index) => {
        parameters[parameterName(name, index)] = form(String(sent))
      })
  }
  return parameters
}

const conditions = <Sort extends string, Filter extends string>(
  { table, where, filters }: ListDefinition<Sort, Filter>,
  names: readonly Filter[],
): SQL | undefined =>
  and(
    eq(table.workspace, sql.placeholder('workspace')),
    where,
    ...names.map((name) => conditionOf(name, filters[name])),
  )

function conditionOf(name: string, filter: Condition | Lookup): SQL {
  const value = (_form: unknown, index = 0): SQL => sql`${sql.placeholder(parameterName(name, index))}`
  return typeof filter === 'function' ? filter(value(null)) : filter.where(...filter.forms.map(value))
}

/** A row value keeps the index where `or` would lose it. */
function beyond({ order }: Order<string>, key: SQLiteColumn, row: SQL): SQL {
  const side = order === 'asc' ? sql`>` : sql`<`
  return sql`(${key}, ${row}) ${side} (${sql.placeholder('key')}, ${sql.placeholder('row')})`
}

const ordering = ({ order }: Order<string>, key: SQLiteColumn, row: SQL): [SQL, SQL] =>
  order === 'asc' ? [asc(key), asc(row)] : [desc(key), desc(row)]
