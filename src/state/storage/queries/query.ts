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
