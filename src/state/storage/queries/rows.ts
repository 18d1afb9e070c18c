/**
 * The basic statements of a table whose rows are found by (workspace, id). Prepared once; no row can be reached by
 * its id alone.
 */
import {
  and,
  eq,
  getTableColumns,
  getTableName,
  Param,
  sql,
  type InferSelectModel,
  type SQL,
} from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement, type Database, type ScopedDatabase } from '../database/database.ts'
import type { Head } from './listing.ts'
import { isAmong } from './query.ts'
import { cellReader, rowReader, rowWalker, selected } from './readers.ts'
import { writer, type Writer } from '../database/prepared.ts'

export type ScopedTable = SQLiteTable & { workspace: SQLiteColumn; id: SQLiteColumn }

export interface Rows<Row> {
  /** Returns the head of a row; for tables with a revision. */
  readonly head: (workspace: ScopedDatabase, id: string | number) => Head | undefined
  /** Returns the row with this id that matches the standing condition of the table. */
  readonly find: (workspace: ScopedDatabase, id: string | number) => Row | undefined
  /** Returns the rows with these ids that exist, in the order of the ids. */
  readonly findAll: (workspace: ScopedDatabase, ids: readonly (string | number)[]) => Row[]
  /** Returns the rows with these ids that exist, by id. Ids can repeat; null stands for no row. */
  readonly byId: (workspace: ScopedDatabase, ids: Iterable<string | null>) => ReadonlyMap<string, Row>
  /** Returns the rows of a page of a list that was just read, in its order. */
  readonly ofPage: (workspace: ScopedDatabase, heads: readonly Head[]) => Row[]
  /** Returns all rows in the order of insertion and in steps, so that callers can work in slices. */
  readonly walk: (workspace: ScopedDatabase) => Generator<readonly Row[], void>
  readonly insert: (database: Database, row: Row) => void
  /** Writes every column of an existing row. */
  readonly update: (database: Database, row: Row) => void
  readonly remove: (workspace: ScopedDatabase, id: string | number) => void
}

/**
 * All columns except the key. If the key is set, SQLite scans all rows that refer to this row. Drizzle's types do not
 * allow placeholders for whole rows, but its statements do.
 */
const everyOtherColumn = (table: SQLiteTable): never =>
  Object.fromEntries(
    Object.keys(getTableColumns(table))
      .filter((name) => name !== 'workspace' && name !== 'id')
      .map((name) => [name, sql.placeholder(name)]),
  ) as never

/**
 * Prepares the insert of whole rows. The SQL is built here, because that takes a tenth of the query builder's time,
 * and a start needs it for every table of a fixture.
 */
export const inserter = (table: SQLiteTable): Writer =>
  writer(() => ({
    toSQL() {
      const columns = Object.entries(getTableColumns(table))
      const names = columns.map(([, { name }]) => `"${name}"`).join(', ')
      const places = columns.map(() => '?').join(', ')
      return {
        sql: `insert into "${getTableName(table)}" (${names}) values (${places})`,
        params: columns.map(([name, column]) => new Param(sql.placeholder(name), column)),
      }
    },
  }))

/** `standing` is the condition of rows that can be found, such as not being deleted. */
export function rows<Table extends ScopedTable>(table: Table, standing?: SQL): Rows<InferSelectModel<Table>> {
  type Row = InferSelectModel<Table>
  const workspaceIs = eq(table.workspace, sql.placeholder('workspace'))
  const itself = and(workspaceIs, eq(table.id, sql.placeholder('id')))
  const idIsOneOf = isAmong(table.id)
  // The plus sign makes SQLite use the rowid instead of the index of the workspace.
  const isPlaced = sql`+${table.workspace} = ${sql.placeholder('workspace')} and rowid in (select value from json_each(${sql.placeholder('places')}))`

  const findHead = statement((orm, database) =>
    cellReader<[id: string, revision: number, place: number]>(
      database,
      orm
        .select(selected([table.id, sql`revision`, sql`rowid`]))
        .from(table as SQLiteTable)
        .where(and(itself, standing)),
    ),
  )
  const findOne = rowReader<Row>(table, and(itself, standing))
  const findMany = rowReader<Row>(table, and(workspaceIs, idIsOneOf, standing))
  const findPlaced = rowReader<Row>(table, isPlaced)
  const walk = rowWalker<Row>(table, standing)
  const insertOne = inserter(table)
  const updateOne = writer((orm) =>
    orm
      .update(table as SQLiteTable)
      .set(everyOtherColumn(table))
      .where(itself),
  )
  const findEach = (workspace: ScopedDatabase, ids: readonly (string | number)[]): Map<string, Row> =>
    ids.length === 0
      ? new Map<string, Row>()
      : mapById(findMany.all(workspace.database, { workspace: workspace.rowScope, ids: JSON.stringify(ids) }))
  const removeOne = writer((orm) => orm.delete(table as SQLiteTable).where(itself))

  return {
    head(workspace, id) {
      const cells = findHead(workspace.database).first({ workspace: workspace.rowScope, id })
      return cells && { id: cells[0], revision: cells[1], rowid: cells[2] }
    },
    find: (workspace, id) => findOne.first(workspace.database, { workspace: workspace.rowScope, id }),
    findAll: (workspace, ids) => inOrder(ids, findEach(workspace, ids)),
    byId: (workspace, ids) =>
      findEach(
        workspace,
        [...new Set(ids)].filter((id) => id !== null),
      ),
    ofPage(workspace, heads) {
      const places = JSON.stringify(heads.map(({ rowid }) => rowid))
      const found = findPlaced.all(workspace.database, { workspace: workspace.rowScope, places })
      return inOrder(
        heads.map(({ id }) => id),
        mapById(found),
      )
    },
    walk,
    insert: (database, row) => void insertOne(database, row),
    update: (database, row) => void updateOne(database, row),
    remove: (workspace, id) => void removeOne(workspace.database, { workspace: workspace.rowScope, id }),
  }
}

const mapById = <Row>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [String((row as { readonly id: string | number }).id), row]))

const inOrder = <Row>(ids: readonly (string | number)[], found: ReadonlyMap<string, Row>): Row[] =>
  ids.flatMap((id): Row[] => {
    const row = found.get(String(id))
    return row === undefined ? [] : [row]
  })
