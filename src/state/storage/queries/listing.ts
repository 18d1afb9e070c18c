/**
 * Lists, ordered by a key column and then by insertion, both in the same direction. Pages with cursors continue from
 * a position instead of an offset, so that new or deleted rows shift nothing. Each combination of sort, order and
 * filters is one prepared statement.
 */
import { and, asc, desc, eq, getTableName, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database, ScopedDatabase, VersionedDatabase } from '../database/database.ts'
import { hiddenIn } from '../../faults/lag.ts'
import { indexer, type Indexer, type WantedIndexes } from './indexes.ts'
import { boundedCaches } from './boundedCaches.ts'
import { cachedPageEnds, type Position } from './pageEnds.ts'
import { cellReader, selected, type CellReader, type Cells, type Selection } from './readers.ts'

/** The part of a record that is enough to look up its cached response. */
export interface Head {
  readonly id: string
  readonly revision: number
  /** Its rowid; valid only in the same turn. */
  readonly rowid: number
}

export interface Page {
  readonly heads: readonly Head[]
  /** The position where the next page starts; null after the last page. */
  readonly next: Position | null
}

/** A page with the selected cells of its records. Additional cells at the end belong to the list. */
export interface PageOfCells {
  readonly rows: readonly Cells[]
  readonly next: Position | null
}

/** A page of a numbered list. */
export interface NumberedPage {
  readonly heads: readonly Head[]
  /** The number of rows that match the filters. */
  readonly total: number
}

/** A page of a numbered list with selected cells. */
export interface NumberedPageOfCells {
  readonly rows: readonly Cells[]
  readonly total: number
}

/** A table with lists. */
export type ListedTable = SQLiteTable & { workspace: SQLiteColumn; id: SQLiteColumn; revision: SQLiteColumn }

/** A condition; `value` is the placeholder of the value from the request. */
type Condition = (value: SQL) => SQL

/** A filter that converts the value from the request into forms; each placeholder has one of them. */
export interface LookupFilter {
  readonly forms: readonly ((value: string) => string | null)[]
  readonly where: (...values: SQL[]) => SQL
}

type SortKey = SQLiteColumn | SQL<number>

export interface ListDefinition<Sort extends string, Filter extends string> {
  readonly table: ListedTable
  /** A condition for all rows of the list, in addition to the workspace. */
  readonly where?: SQL
  /** Keys that are never null: columns, or safe integers that are computed when few callers use the sort. */
  readonly sorts: Readonly<Record<Sort, SortKey>>
  readonly filters: Readonly<Record<Filter, Condition | LookupFilter>>
  /** The columns of indexes that are created when a large workspace first needs the sort or filter. */
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
  (workspace: ScopedDatabase, query: ListQuery<Sort, Filter>): Page
  /** The same page, with the selected cells in place of the heads. */
  readonly read: (workspace: ScopedDatabase, query: ListQuery<Sort, Filter>, select: Selection) => PageOfCells
}

export interface NumberedList<Sort extends string, Filter extends string> {
  (workspace: VersionedDatabase, query: NumberedQuery<Sort, Filter>): NumberedPage
  /** The same page, with the selected cells in place of the heads. */
  readonly read: (
    workspace: VersionedDatabase,
    query: NumberedQuery<Sort, Filter>,
    select: Selection,
  ) => NumberedPageOfCells
}

/** Creates a list after the declaration of a table has set its rows. */
export type ListOf<Made> = (table: ListedTable, where: SQL | undefined) => Made

type ListShape<Sort extends string, Filter extends string> = Omit<
  ListDefinition<Sort, Filter>,
  'table' | 'where'
>

/** For declarations: a list with cursors. */
export const byCursor =
  <Sort extends string, Filter extends string>(shape: ListShape<Sort, Filter>): ListOf<List<Sort, Filter>> =>
  (table, where) =>
    list({ ...shape, table, ...(where && { where }) })

/** For declarations: a list with page numbers. */
export const numbered =
  <Sort extends string, Filter extends string>(
    shape: ListShape<Sort, Filter>,
  ): ListOf<NumberedList<Sort, Filter>> =>
  (table, where) =>
    numberedList({ ...shape, table, ...(where && { where }) })

/** Creates a list whose pages continue from the position where the previous page ended. */
export function list<Sort extends string, Filter extends string>(
  declared: ListDefinition<Sort, Filter>,
): List<Sort, Filter> {
  const { definition, shown } = withoutHidden(declared)
  checkSortColumns(definition)
  const prepared = preparedByShape()
  const ensureIndexes = indexerOf(definition)
  const head = headOf(definition)
  const row = rowOf(definition)

  const read: List<Sort, Filter>['read'] = (workspace, query, select) => {
    const { sort, order, limit, after } = query
    const filters = shown(query.filters)
    const { database } = workspace
    const filterNames = namesOf(filters)
    ensureIndexes(workspace, [sort, ...filterNames])
    const shape = `${sort} ${order} ${after ? 'after' : 'first'} ${filterNames.join(' ')}`
    const page = prepared(database, select, shape, () => {
      const key = definition.sorts[sort]
      return database.orm
        .select(selected([...select, key, row]))
        .from(definition.table)
        .where(and(conditions(definition, filterNames), after ? beyond(query, key, row) : undefined))
        .orderBy(...ordering(query, key, row))
        .limit(sql.placeholder('limit'))
    })
    const rows = page.all({
      // One more row shows whether a next page exists.
      limit: limit + 1,
      key: after?.[0],
      row: after?.[1],
      ...parametersOf(definition, workspace, filters, filterNames),
    })
    const hasMore = rows.length > limit
    if (hasMore) rows.pop()
    const last = rows.at(-1)
    return { rows, next: hasMore && last ? positionOf(last, select) : null }
  }

  const page = (workspace: ScopedDatabase, query: ListQuery<Sort, Filter>): Page => {
    const { rows, next } = read(workspace, query, head)
    return { heads: rows.map(asHead), next }
  }
  return Object.assign(page, { read })
}

/** Creates a list with numbered pages and the total number of rows. */
export function numberedList<Sort extends string, Filter extends string>(
  declared: ListDefinition<Sort, Filter>,
): NumberedList<Sort, Filter> {
  const { definition, shown } = withoutHidden(declared)
  checkSortColumns(definition)
  const prepared = preparedByShape()
  const ensureIndexes = indexerOf(definition)
  const head = headOf(definition)
  const row = rowOf(definition)
  const count: Selection = [sql`count(*)`]
  const totalOf = cachedTotals()
  const places = cachedPageEnds()

  const read: NumberedList<Sort, Filter>['read'] = (workspace, query, select) => {
    const { sort, order, limit, offset } = query
    const filters = shown(query.filters)
    const { database } = workspace
    const filterNames = namesOf(filters)
    const parameters = parametersOf(definition, workspace, filters, filterNames)
    ensureIndexes(workspace, [sort, ...filterNames])
    const totalQuery = prepared(database, count, filterNames.join(' '), () =>
      database.orm.select(selected(count)).from(definition.table).where(conditions(definition, filterNames)),
    )
    const placesKey = `${sort} ${order} ${JSON.stringify(parameters)}`
    const from = places.nearest(workspace, placesKey, offset)
    const shape = `${sort} ${order} ${from.position ? 'after' : 'first'} ${filterNames.join(' ')}`
    const page = prepared(database, select, shape, () => {
      const key = definition.sorts[sort]
      return database.orm
        .select(selected([...select, key, row]))
        .from(definition.table)
        .where(and(conditions(definition, filterNames), from.position ? beyond(query, key, row) : undefined))
        .orderBy(...ordering(query, key, row))
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
    })
    const rows = page.all({
      limit,
      offset: offset - from.offset,
      key: from.position?.[0],
      row: from.position?.[1],
      ...parameters,
    })
    const last = rows.at(-1)
    if (last)
      places.keep(workspace, placesKey, {
        offset: offset + rows.length,
        position: positionOf(last, select),
      })
    // A short page ends the list, so the total is known without another scan of the table.
    const isEnd = rows.length < limit && (rows.length > 0 || offset === 0)
    return {
      rows,
      total: isEnd
        ? offset + rows.length
        : totalOf(workspace, parameters, () => totalQuery.first(parameters)?.[0] as number),
    }
  }

  const page = (workspace: VersionedDatabase, query: NumberedQuery<Sort, Filter>): NumberedPage => {
    const { rows, total } = read(workspace, query, head)
    return { heads: rows.map(asHead), total }
  }
  return Object.assign(page, { read })
}

interface Total {
  readonly total: number
  /** The version of the workspace that was counted. */
  readonly version: number
}

/**
 * Caches the total of each filter until the workspace is written, because counting a hundred thousand rows takes a
 * hundred times as long as reading a page.
 */
function cachedTotals() {
  const totals = boundedCaches<string, Total>({
    maxSize: 500_000,
    sizeCalculation: (_total, key) => 100 + key.length,
  })
  return (
    { database, version }: VersionedDatabase,
    parameters: Record<string, unknown>,
    count: () => number,
  ): number => {
    const key = JSON.stringify(parameters)
    const cache = totals(database)
    const cached = cache.get(key)
    if (cached?.version === version) return cached.total
    const total = count()
    cache.set(key, { total, version })
    return total
  }
}

/** The filter by the ids that a fault with `lag` hides from the lists of a call. */
const HIDDEN = '_hidden'

/** Adds the filter to a list. `shown` adds its value to the filters of a call that hides records. */
function withoutHidden<Sort extends string, Filter extends string>(
  declared: ListDefinition<Sort, Filter>,
): {
  readonly definition: ListDefinition<Sort, Filter>
  readonly shown: (filters: Filters<Filter>) => Filters<Filter>
} {
  const { table } = declared
  const name = getTableName(table)
  const isShown: Condition = (ids) => sql`${table.id} not in (select value from json_each(${ids}))`
  return {
    definition: { ...declared, filters: { ...declared.filters, [HIDDEN]: isShown } },
    shown(filters) {
      const hidden = hiddenIn(name)
      return hidden === undefined ? filters : { ...filters, [HIDDEN]: hidden }
    },
  }
}

/** Checks that sort columns are not null. A row without a key would be after no position and never be listed. */
function checkSortColumns({ sorts }: ListDefinition<string, string>): void {
  for (const [sort, key] of Object.entries(sorts)) {
    if (key instanceof SQL || key.notNull) continue
    throw new Error(`${key.name}, the column of the sort ${sort}, must not be nullable`)
  }
}

const indexerOf = ({ table, where, indexes = {} }: ListDefinition<string, string>): Indexer =>
  indexer(table, where, indexes as WantedIndexes)

const headOf = (definition: ListDefinition<string, string>): Selection => [
  definition.table.id,
  definition.table.revision,
  rowOf(definition),
]

/** Returns the position of a row. Lists select the key and the rowid after the requested cells. */
const positionOf = (cells: Cells, select: Selection): Position =>
  cells.slice(select.length) as [key: string | number, row: number]

const asHead = ([id, revision, rowid]: Cells): Head => ({
  id: id as string,
  revision: revision as number,
  rowid: rowid as number,
})

type Prepared = (
  database: Database,
  select: Selection,
  shape: string,
  build: () => Parameters<typeof cellReader>[1],
) => CellReader

/** Prepares one statement for each selection and shape of query, in each database. */
function preparedByShape(): Prepared {
  const createSelections = (): Map<Selection, Map<string, CellReader>> => new Map()
  return (database, select, shape, build) => {
    const selections = database.own(createSelections)
    let shapes = selections.get(select)
    if (!shapes) selections.set(select, (shapes = new Map<string, CellReader>()))
    let found = shapes.get(shape)
    if (!found) shapes.set(shape, (found = cellReader(database, build())))
    return found
  }
}

/** The rowid, which breaks ties by the order of insertion. */
const rowOf = ({ table }: { readonly table: SQLiteTable }): SQL<number> => sql<number>`${table}.rowid`

const namesOf = <Filter extends string>(filters: Filters<Filter>): Filter[] =>
  (Object.keys(filters) as Filter[]).filter((name) => filters[name] !== undefined)

/** Returns the name of the placeholder for a form of a filter value, or for the value itself. */
const parameterName = (filter: string, form = 0): string => `filter_${filter}_${String(form)}`

function parametersOf<Filter extends string>(
  definition: Pick<ListDefinition<never, Filter>, 'filters'>,
  workspace: ScopedDatabase,
  filters: Filters<Filter>,
  filterNames: readonly Filter[],
): Record<string, unknown> {
  const parameters: Record<string, unknown> = { workspace: workspace.rowScope }
  for (const name of filterNames) {
    const filter = definition.filters[name]
    const value = filters[name]
    if (typeof filter === 'function') parameters[parameterName(name)] = value
    else
      filter.forms.forEach((form, index) => {
        parameters[parameterName(name, index)] = form(String(value))
      })
  }
  return parameters
}

const conditions = <Sort extends string, Filter extends string>(
  { table, where, filters }: ListDefinition<Sort, Filter>,
  filterNames: readonly Filter[],
): SQL | undefined =>
  and(
    eq(table.workspace, sql.placeholder('workspace')),
    where,
    ...filterNames.map((name) => conditionOf(name, filters[name])),
  )

function conditionOf(name: string, filter: Condition | LookupFilter): SQL {
  const value = (_form: unknown, index = 0): SQL => sql`${sql.placeholder(parameterName(name, index))}`
  return typeof filter === 'function' ? filter(value(null)) : filter.where(...filter.forms.map(value))
}

/** Compares row values, because SQLite does not use the index for an equivalent `or`. */
function beyond({ order }: Order<string>, key: SortKey, row: SQL): SQL {
  const side = order === 'asc' ? sql`>` : sql`<`
  return sql`(${key}, ${row}) ${side} (${sql.placeholder('key')}, ${sql.placeholder('row')})`
}

const ordering = ({ order }: Order<string>, key: SortKey, row: SQL): [SQL, SQL] =>
  order === 'asc' ? [asc(key), asc(row)] : [desc(key), desc(row)]
