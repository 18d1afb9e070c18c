/**
 * Lists read by index. A list is ordered by a key column and then by insertion, both in the same direction, and goes
 * on from a position, not from an offset: rows that come or go meanwhile shift nothing. Each combination of sort,
 * order and filters is one prepared statement.
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
}

export interface Page {
  readonly heads: readonly Head[]
  /** Where the next page starts; null at the end. */
  readonly next: Position | null
}

type FilterValue = string | number | boolean

export interface ListDefinition<Sort extends string, Filter extends string> {
  readonly table: SQLiteTable & { workspace: SQLiteColumn; id: SQLiteColumn; revision: SQLiteColumn }
  /** What holds for every row of the list, beside its workspace. */
  readonly where: SQL
  /** Key columns, never null. */
  readonly sorts: Readonly<Record<Sort, SQLiteColumn>>
  /** The condition of each filter; `value` stands for what the caller sent. */
  readonly filters: Readonly<Record<Filter, (value: SQL) => SQL>>
}

export interface ListQuery<Sort extends string, Filter extends string> {
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly filters: Readonly<Partial<Record<Filter, FilterValue | undefined>>>
  readonly after: Position | null
}

interface Runnable {
  values(parameters: Record<string, unknown>): unknown[][]
}

export type List<Sort extends string, Filter extends string> = (
  workspace: Workspace,
  query: ListQuery<Sort, Filter>,
) => Page

export function list<Sort extends string, Filter extends string>(
  definition: ListDefinition<Sort, Filter>,
): List<Sort, Filter> {
  const prepared = new WeakMap<Database, Map<string, Runnable>>()

  return (workspace, query) => {
    const names = (Object.keys(query.filters) as Filter[]).filter((name) => query.filters[name] !== undefined)
    const shape = `${query.sort} ${query.order} ${query.after ? 'after' : 'first'} ${names.join(' ')}`
    let shapes = prepared.get(workspace.database)
    if (!shapes) prepared.set(workspace.database, (shapes = new Map<string, Runnable>()))
    let run = shapes.get(shape)
    if (!run) shapes.set(shape, (run = prepare(workspace.database, definition, query, names)))

    const parameters: Record<string, unknown> = {
      workspace: workspace.number,
      // One more than asked for tells whether there is a next page.
      limit: query.limit + 1,
      key: query.after?.[0],
      row: query.after?.[1],
    }
    for (const name of names) parameters[`filter_${name}`] = query.filters[name]

    const rows = run.values(parameters) as [string, number, string | number, number][]
    const more = rows.length > query.limit
    if (more) rows.pop()
    const last = rows.at(-1)
    return {
      heads: rows.map(([id, revision]) => ({ id, revision })),
      next: more && last ? [last[2], last[3]] : null,
    }
  }
}

function prepare<Sort extends string, Filter extends string>(
  database: Database,
  { table, where, sorts, filters }: ListDefinition<Sort, Filter>,
  query: ListQuery<Sort, Filter>,
  names: readonly Filter[],
): Runnable {
  const key = sorts[query.sort]
  const row = sql`${table}.rowid`
  const direction = query.order === 'asc' ? asc : desc
  // A row value keeps the index where `or` would lose it.
  const beyond = query.order === 'asc' ? sql`>` : sql`<`
  const after = sql`(${key}, ${row}) ${beyond} (${sql.placeholder('key')}, ${sql.placeholder('row')})`
  return database.orm
    .select({ id: table.id, revision: table.revision, key, row: sql<number>`${row}` })
    .from(table)
    .where(
      and(
        eq(table.workspace, sql.placeholder('workspace')),
        where,
        ...names.map((name) => filters[name](sql`${sql.placeholder(`filter_${name}`)}`)),
        query.after ? after : undefined,
      ),
    )
    .orderBy(direction(key), direction(row))
    .limit(sql.placeholder('limit'))
    .prepare()
}
