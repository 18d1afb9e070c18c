/**
 * Reads that are more than finding a row or a page of a list: reports, sums, rows beside other rows. The query builder
 * writes them, each database prepares them once, and the number of the workspace is put in here, so that none can leave
 * it out. What writes is the declaration of a table (`record.ts`).
 */
import { eq, is, Param, Placeholder, sql, type Query, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { statement, type Orm } from './database.ts'
import { cellReader, type Cells } from './reading.ts'
import type { Workspace } from './workspace.ts'

export type { Cells }

/** The values of a query's placeholders, by name; that of the workspace is not among them. */
export type QueryValues = Readonly<Record<string, unknown>> & { readonly workspace?: never }

/** A query as the builder has it, before it is prepared. */
interface Built<Row> {
  prepare(): {
    get(values: Record<string, unknown>): Row | undefined
    all(values: Record<string, unknown>): Row[]
  }
  toSQL(): Query
}

export interface ScopedQuery<Row> {
  readonly first: (workspace: Workspace, values?: QueryValues) => Row | undefined
  readonly all: (workspace: Workspace, values?: QueryValues) => Row[]
  /**
   * The cells of the first row, in the order in which they were selected: a third of the time, for what is asked some
   * thousand times for one answer.
   */
  readonly firstCells: (workspace: Workspace, values?: QueryValues) => Cells | undefined
  /** The same of all rows. */
  readonly allCells: (workspace: Workspace, values?: QueryValues) => Cells[]
}

/** That a row is one of the workspace that the query is run in. */
export const ofWorkspace = (table: { readonly workspace: SQLiteColumn }): SQL =>
  eq(table.workspace, sql.placeholder('workspace'))

/** Made once, where the module is loaded. Throws when it first runs if no table in it is held to the workspace. */
export function query<Row>(build: (orm: Pick<Orm, 'select'>) => Built<Row>): ScopedQuery<Row> {
  const built = statement((orm) => mustBeScoped(build(orm)))
  const prepared = statement((_orm, database) => built(database).prepare())
  const cells = statement((_orm, database) => cellReader(database, built(database)))
  const scoped = ({ rowScope }: Workspace, values: QueryValues = {}) => ({
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

function mustBeScoped<Row>(built: Built<Row>): Built<Row> {
  const { sql: text, params } = built.toSQL()
  if (!params.some(isWorkspace)) throw new Error(`a query reads across workspaces: ${text}`)
  return built
}

const isWorkspace = (param: unknown): boolean =>
  is(param, Param) ? isWorkspace(param.value) : is(param, Placeholder) && param.name === 'workspace'
