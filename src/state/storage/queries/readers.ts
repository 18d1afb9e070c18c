/**
 * Fast reads of rows. The query builder creates the statement; the rows arrive as arrays and are converted here, in a
 * third of the builder's time.
 */
import { and, eq, getTableColumns, sql, type Column, type Query, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement, type Database, type ScopedDatabase } from '../database/database.ts'
import { Pace, rowidRanges } from '../database/pace.ts'
import { filler, type Values } from '../database/prepared.ts'

/** The cells of a row, in the order of selection. */
export type Cells = readonly unknown[]

/** Columns and expressions of each row. Create it once, because statements are cached by its identity. */
export type Selection = readonly (Column | SQL)[]

/** Converts a selection for the query builder, in the same order. */
export const selected = (selection: Selection): Record<string, SQL> =>
  Object.fromEntries(selection.map((each, index) => [`c${String(index)}`, sql`${each}`]))

/** A prepared query of one database. */
export interface CellReader<Row extends Cells = Cells> {
  first(values: Values): Row | undefined
  all(values: Values): Row[]
}

/** Prepares a query of the query builder; `values` are those of its placeholders. */
export function cellReader<Row extends Cells = Cells>(
  database: Database,
  query: { toSQL(): Query },
): CellReader<Row> {
  const { sql: text, params } = query.toSQL()
  const run = database.sqlite.prepare<unknown[], Row>(text).raw()
  const fill = filler(params)
  return {
    first: (values) => run.get(...fill(values)),
    all: (values) => run.all(...fill(values)),
  }
}

/** A query for all columns of a table, prepared once for each database. */
export interface RowReader<Row> {
  first(database: Database, values: Values): Row | undefined
  all(database: Database, values: Values): Row[]
}

/** Reads at most `limit` rows, or all without a limit. */
export function rowReader<Row>(
  table: SQLiteTable,
  condition: SQL | undefined,
  order: readonly SQL[] = [],
  limit?: number,
): RowReader<Row> {
  const build = rowBuilder<Row>(table)
  const prepared = statement((orm, database) => {
    const query = orm
      .select()
      .from(table)
      .where(condition)
      .orderBy(...order)
    return cellReader(database, limit === undefined ? query : query.limit(limit))
  })
  return {
    first(database, values) {
      const cells = prepared(database).first(values)
      return cells && build(cells)
    },
    all: (database, values) => prepared(database).all(values).map(build),
  }
}

/** Reads all rows that match the condition, in the order of insertion and in steps, so that callers can work in slices. */
export function rowWalker<Row>(
  table: SQLiteTable & { workspace: SQLiteColumn },
  standing: SQL | undefined,
): (workspace: ScopedDatabase) => Generator<Row[], void> {
  const place = sql`rowid`
  const scope = sql.placeholder('workspace')
  const bounds = statement((orm, database) =>
    cellReader<[first: number | null, last: number | null]>(
      database,
      orm
        .select(selected([sql`min(${place})`, sql`max(${place})`]))
        .from(table)
        .where(eq(table.workspace, scope)),
    ),
  )
  const between = rowReader<Row>(
    table,
    // The plus sign makes SQLite use the rowid instead of the index of the workspace, which it would sort in each step.
    and(
      sql`+${table.workspace} = ${scope} and ${place} > ${sql.placeholder('after')} and ${place} <= ${sql.placeholder('upTo')}`,
      standing,
    ),
    [place],
  )
  return function* ({ database, rowScope: workspace }) {
    const [first, last] = bounds(database).first({ workspace }) ?? [null, null]
    const pace = new Pace()
    for (const { after, upTo } of rowidRanges({ first, last }, pace)) {
      yield pace.measure(() => between.all(database, { workspace, after, upTo }))
    }
  }
}

function rowBuilder<Row>(table: SQLiteTable): (cells: Cells) => Row {
  // On first use, because a start uses few of all tables.
  const prepare = () => {
    const columns = Object.entries(getTableColumns(table)).map(([name, column]) => ({
      name,
      decode: decoderOf(column),
    }))
    // Filling a copy that has all properties is faster than adding properties one by one.
    return { columns, blank: Object.fromEntries(columns.map(({ name }) => [name, null])) }
  }
  let prepared: ReturnType<typeof prepare> | undefined
  return (cells) => {
    const { columns, blank } = (prepared ??= prepare())
    const row: Record<string, unknown> = { ...blank }
    columns.forEach(({ name, decode }, index) => {
      const cell = cells[index]
      row[name] = decode && cell !== null ? decode(cell) : cell
    })
    return row as Row
  }
}

/** Returns the function that decodes a cell of the column; null if no decoding is needed. */
export const decoderOf = (column: Column): ((cell: unknown) => unknown) | null =>
  column.dataType === 'string' || column.dataType === 'number'
    ? null
    : (cell) => column.mapFromDriverValue(cell)
