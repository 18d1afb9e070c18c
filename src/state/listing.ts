/**
 * Lists read by index, ordered by a key column and then by insertion, both in the same direction. Where the interface
 * has cursors a list goes on from a position, not from an offset: rows that come or go meanwhile shift nothing. Each
 * combination of sort, order and filters is one prepared statement.
 */
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'
import type { Workspace } from './workspaces.ts'

/** Where a page ended: the sort key of its last row, and the row's place in the order of insertion. */
export type Position = readonly [key: string | number, row: number]

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

/** A page found by its number. */
export interface NumberedPage {
  readonly heads: readonly Head[]
  /** How many rows the filters let through. */
  readonly total: number
}

export interface ListDefinition<Sort extends string, Filter extends string> {
  readonly table: SQLiteTable & { workspace: SQLiteColumn; id: SQLiteColumn; revision: SQLiteColumn }
  /** What holds for every row of the list, beside its workspace. */
  readonly where?: SQL
  /** Key columns, never null. */
  readonly sorts: Readonly<Record<Sort, SQLiteColumn>>
  /** The condition of each filter; `value` stands for what the caller sent. */
  readonly filters: Readonly<Record<Filter, (value: SQL) => SQL>>
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

export type List<Sort extends string, Filter extends string> = (
  workspace: Workspace,
  query: ListQuery<Sort, Filter>,
) => Page

export type NumberedList<Sort extends string, Filter extends string> = (
  workspace: Workspace,
  query: NumberedQuery<Sort, Filter>,
) => NumberedPage

/** A list that goes on from the position where the page before ended. */
export function list<Sort extends string, Filter extends string>(
  definition: ListDefinition<Sort, Filter>,
): List<Sort, Filter> {
  const prepared = preparedByShape()

  return (workspace, query) => {
    const names = namesOf(query.filters)
    const key = definition.sorts[query.sort]
    const row = rowOf(definition)
    const shape = `${query.sort} ${query.order} ${query.after ? 'after' : 'first'} ${names.join(' ')}`
    const statement = prepared(workspace.database, shape, () =>
      workspace.database.orm
        .select({ id: definition.table.id, revision: definition.table.revision, key, row })
        .from(definition.table)
        .where(and(conditions(definition, names), query.after ? beyond(query, key, row) : undefined))
        .orderBy(...ordering(query, key, row))
        .limit(sql.placeholder('limit'))
        .prepare(),
    )
    const rows = statement.values({
      ...parametersOf(workspace, query.filters, names),
      // One more than asked for tells whether there is a next page.
      limit: query.limit + 1,
      key: query.after?.[0],
      row: query.after?.[1],
    }) as [string, number, string | number, number][]
    const more = rows.length > query.limit
    if (more) rows.pop()
    const last = rows.at(-1)
    return {
      heads: rows.map(([id, revision, , place]) => ({ id, revision, place })),
      next: more && last ? [last[2], last[3]] : null,
    }
  }
}

/** A list whose pages have numbers, and that says how many rows there are. */
export function numberedList<Sort extends string, Filter extends string>(
  definition: ListDefinition<Sort, Filter>,
): NumberedList<Sort, Filter> {
  const prepared = preparedByShape()

  return (workspace, query) => {
    const names = namesOf(query.filters)
    const { orm } = workspace.database
    const parameters = parametersOf(workspace, query.filters, names)
    const counting = prepared(workspace.database, `count ${names.join(' ')}`, () =>
      orm
        .select({ total: sql<number>`count(*)` })
        .from(definition.table)
        .where(conditions(definition, names))
        .prepare(),
    )
    const total = counting.values(parameters)[0]?.[0] as number
    const page = prepared(workspace.database, `${query.sort} ${query.order} ${names.join(' ')}`, () =>
      orm
        .select({ id: definition.table.id, revision: definition.table.revision, place: rowOf(definition) })
        .from(definition.table)
        .where(conditions(definition, names))
        .orderBy(...ordering(query, definition.sorts[query.sort], rowOf(definition)))
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
        .prepare(),
    )
    const rows = page.values({ ...parameters, limit: query.limit, offset: query.offset }) as [
      string,
      number,
      number,
    ][]
    return { heads: rows.map(([id, revision, place]) => ({ id, revision, place })), total }
  }
}

interface Runnable {
  values(parameters: Record<string, unknown>): unknown[][]
}

/** One prepared statement for each shape of query, in each database. */
function preparedByShape(): (database: Database, shape: string, prepare: () => Runnable) => Runnable {
  const databases = new WeakMap<Database, Map<string, Runnable>>()
  return (database, shape, prepare) => {
    let shapes = databases.get(database)
    if (!shapes) databases.set(database, (shapes = new Map<string, Runnable>()))
    let found = shapes.get(shape)
    if (!found) shapes.set(shape, (found = prepare()))
    return found
  }
}

/** The order of insertion, which breaks ties. */
const rowOf = ({ table }: { readonly table: SQLiteTable }): SQL<number> => sql<number>`${table}.rowid`

const namesOf = <Filter extends string>(filters: Filters<Filter>): Filter[] =>
  (Object.keys(filters) as Filter[]).filter((name) => filters[name] !== undefined)

function parametersOf<Filter extends string>(
  workspace: Workspace,
  filters: Filters<Filter>,
  names: readonly Filter[],
): Record<string, unknown> {
  const parameters: Record<string, unknown> = { workspace: workspace.number }
  for (const name of names) parameters[`filter_${name}`] = filters[name]
  return parameters
}

const conditions = <Sort extends string, Filter extends string>(
  { table, where, filters }: ListDefinition<Sort, Filter>,
  names: readonly Filter[],
): SQL | undefined =>
  and(
    eq(table.workspace, sql.placeholder('workspace')),
    where,
    ...names.map((name) => filters[name](sql`${sql.placeholder(`filter_${name}`)}`)),
  )

/** A row value keeps the index where `or` would lose it. */
function beyond({ order }: Order<string>, key: SQLiteColumn, row: SQL): SQL {
  const side = order === 'asc' ? sql`>` : sql`<`
  return sql`(${key}, ${row}) ${side} (${sql.placeholder('key')}, ${sql.placeholder('row')})`
}

const ordering = ({ order }: Order<string>, key: SQLiteColumn, row: SQL): [SQL, SQL] =>
  order === 'asc' ? [asc(key), asc(row)] : [desc(key), desc(row)]
