/**
 * Queries other than single rows and lists: reports, sums, joins. Prepared once for each database. The row scope is
 * bound here, so that no query can leave it out. Writes belong to the declaration of a table (`record.ts`).
 */
import { eq, is, Param, Placeholder, sql, type Query, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { statement, type Orm, type ScopedDatabase } from '../database/database.ts'
import { cellReader, type Cells } from './readers.ts'

export type { Cells }

/** The values of a query's placeholders by name, except the workspace. */
export type QueryValues = Readonly<Record<string, unknown>> & { readonly workspace?: never }

/** An unprepared query of the builder. */
interface Built<Row> {
  prepare(): {
    get(values: Record<string, unknown>): Row | undefined
    all(values: Record<string, unknown>): Row[]
  }
  toSQL(): Query
}

export interface ScopedQuery<Row> {
  readonly first: (workspace: ScopedDatabase, values?: QueryValues) => Row | undefined
  readonly all: (workspace: ScopedDatabase, values?: QueryValues) => Row[]
  /**
   * Returns the cells of the first row in the order of selection. Takes a third of the time, for queries that run
   * thousands of times per response.
   */
  readonly firstCells: (workspace: ScopedDatabase, values?: QueryValues) => Cells | undefined
  /** Returns the cells of all rows. */
  readonly allCells: (workspace: ScopedDatabase, values?: QueryValues) => Cells[]
}

/** A condition that limits rows to the workspace of the query. */
export const ofWorkspace = (table: { readonly workspace: SQLiteColumn }): SQL =>
  eq(table.workspace, sql.placeholder('workspace'))

/** A condition: the column has one of the values that the placeholder has as a JSON array. */
export const isAmong = (column: SQLiteColumn, placeholder = 'ids'): SQL =>
  sql`${column} in (select value from json_each(${sql.placeholder(placeholder)}))`

/** The rows of several records, such as the parts of each. */
export interface RowsOfEach<Row> {
  /** Returns the rows of one record. */
  readonly of: (workspace: ScopedDatabase, id: string) => readonly Row[]
  /** Returns the rows of each record that has some, by its id. One query reads all of them. */
  readonly ofEach: (workspace: ScopedDatabase, ids: readonly string[]) => ReadonlyMap<string, readonly Row[]>
}

/**
 * Prepares a query for the rows of several records, with the ids of the records in the placeholder `ids`. `owner` is the
 * selected column with the id of the record.
 */
export function queryOfEach<Row extends object>(
  owner: keyof Row,
  build: (orm: Pick<Orm, 'select'>) => Built<Row>,
): RowsOfEach<Row> {
  const { all } = query(build)
  const ofEach = (workspace: ScopedDatabase, ids: readonly string[]): Map<string, Row[]> => {
    const found = new Map<string, Row[]>()
    if (ids.length === 0) return found
    for (const row of all(workspace, { ids: JSON.stringify(ids) })) {
      const id = row[owner] as string
      const rows = found.get(id)
      if (rows) rows.push(row)
      else found.set(id, [row])
    }
    return found
  }
  return { ofEach, of: (workspace, id) => ofEach(workspace, [id]).get(id) ?? [] }
}

/** Prepares a query, once per module. The first run throws if no table in it is limited to the workspace. */
export function query<Row>(build: (orm: Pick<Orm, 'select'>) => Built<Row>): ScopedQuery<Row> {
  const built = statement((orm) => checkScope(build(orm)))
  const prepared = statement((_orm, database) => built(database).prepare())
  const cells = statement((_orm, database) => cellReader(database, built(database)))
  const scoped = ({ rowScope }: ScopedDatabase, values: QueryValues = {}) => ({
    workspace: rowScope,
    ...values,
  })
  return {
    first: (workspace, values) => prepared(workspace.database).get(scoped(workspace, values)),
    all: (workspace, values) => prepared(workspace.database).all(scoped(workspace, values)),
    firstCells: (workspace, values) => cells(workspace.database).first(scoped(workspace, values)),
    allCells: (workspace, values) => cells(workspace.database).all(scoped(workspace, values)),
  }
}

function checkScope<Row>(built: Built<Row>): Built<Row> {
  const { sql: text, params } = built.toSQL()
  if (!params.some(isWorkspace)) throw new Error(`a query reads across workspaces: ${text}`)
  return built
}

const isWorkspace = (param: unknown): boolean =>
  is(param, Param) ? isWorkspace(param.value) : is(param, Placeholder) && param.name === 'workspace'
