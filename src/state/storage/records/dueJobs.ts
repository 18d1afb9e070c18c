/**
 * Due jobs of tables. One declaration names the column and the condition. The query for the earliest due row, the
 * query for all due rows, and the check of a new row follow from it, so they cannot differ.
 */
import { and, asc, getTableColumns, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement } from '../database/database.ts'
import type { JobKind } from '../../workspace/jobs.ts'
import { isOneOf } from '../columns.ts'
import { ofWorkspace } from '../queries/query.ts'
import { cellReader, rowReader } from '../queries/readers.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Columns with an instant, or null. */
type InstantColumn<Row> = {
  [Column in keyof Row]: Row[Column] extends number | null ? Column : never
}[keyof Row]

type Value<Cell> = Cell & (string | number | boolean | null)

export interface Due<Row> {
  /** The instant, in ms since the epoch. Null is never due. */
  readonly at: InstantColumn<Row> & string
  /**
   * The values of other columns with which a row can be due: one, or the states that the job's move leaves. A partial
   * index uses the same values.
   */
  readonly when: { readonly [Column in keyof Row]?: Value<Row[Column]> | readonly Value<Row[Column]>[] }
  /** The name of its jobs: "catalog.activity.overdue". */
  readonly job: string
  /** True if it is a step of a user's action, such as an import; it then follows the workspace's `progression`. */
  readonly isProgress?: boolean
  /** Rows per slice of 25 ms; 25 by default, fewer if one row takes longer. */
  readonly atOnce?: number
  /** Runs the job of a row. Afterwards the row must no longer be due, be deleted, or be closer to its end. */
  readonly run: (workspace: Workspace, row: Row, instant: number) => void
}

export interface DueTable<Row> {
  readonly job: JobKind
  /** Updates the workspace's next due time for a row that was just written. */
  readonly expect: (workspace: Workspace, row: Row) => void
}

/** Rows per write when many are due at one instant. */
const ROWS_PER_SLICE = 25

type Columns = Readonly<Record<string, SQLiteColumn>>

export function dueTable<Row>(
  table: SQLiteTable & { workspace: SQLiteColumn },
  { at, when, job, run, isProgress = false, atOnce = ROWS_PER_SLICE }: Due<Row>,
): DueTable<Row> {
  const columns: Columns = getTableColumns(table)
  const due = columnOf(columns, at)
  const conditions = Object.entries<unknown>(when).map(([name, value]): [string, readonly unknown[]] => [
    name,
    Array.isArray(value) ? value : [value],
  ])
  const canBeDue = and(
    ofWorkspace(table),
    ...conditions.map(([name, values]) => isOneOf(columnOf(columns, name), values)),
    due.notNull ? undefined : sql`${due} is not null`,
  )
  const earliest = statement((orm, database) =>
    cellReader<[number]>(
      database,
      orm.select({ due }).from(table).where(canBeDue).orderBy(asc(due)).limit(1),
    ),
  )
  const isDue = and(canBeDue, lte(due, sql.placeholder('instant')))
  const dueBy = rowReader<Row>(table, isDue, [asc(due), asc(sql`rowid`)], atOnce)
  const countDue = statement((orm, database) =>
    cellReader<[number]>(
      database,
      orm
        .select({ count: sql`count(*)` })
        .from(table)
        .where(isDue),
    ),
  )
  return {
    job: {
      name: job,
      isProgress,
      when: Object.fromEntries(conditions),
      due: ({ database, rowScope }) => earliest(database).first({ workspace: rowScope })?.[0] ?? null,
      run(workspace, instant) {
        const rows = dueBy.all(workspace.database, { workspace: workspace.rowScope, instant })
        for (const row of rows) run(workspace, row, instant)
        return rows.length
      },
      count: ({ database, rowScope }, instant) =>
        countDue(database).first({ workspace: rowScope, instant })?.[0] ?? 0,
    },
    expect(workspace, row) {
      const cells = row as Readonly<Record<string, unknown>>
      if (conditions.every(([name, values]) => values.includes(cells[name]))) {
        workspace.expectJob(cells[at] as number | null)
      }
    },
  }
}

function columnOf(columns: Columns, name: string): SQLiteColumn {
  const column = columns[name]
  if (!column) throw new Error(`no column ${name} exists`)
  return column
}
