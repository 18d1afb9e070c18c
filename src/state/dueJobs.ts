/**
 * Rows that fall due. A table says in which column and under which condition, once; the query that finds the earliest,
 * the one that finds all that are due and the look at a row that was just written follow from that, and cannot differ.
 */
import { and, asc, getTableColumns, isNull, lte, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement } from './database.ts'
import type { JobKind } from './jobs.ts'
import { ofWorkspace } from './query.ts'
import { cellReader, rowReader } from './reading.ts'
import type { Workspace } from './workspace.ts'

/** Columns that hold an instant, or null. */
type InstantColumn<Row> = {
  [Column in keyof Row]: Row[Column] extends number | null ? Column : never
}[keyof Row]

export interface Due<Row> {
  /** The instant, in ms since the epoch; one that is null is never due. */
  readonly at: InstantColumn<Row> & string
  /** What other columns have to hold for the row to fall due at all. An index of such rows names the same values. */
  readonly when: { readonly [Column in keyof Row]?: Row[Column] & (string | number | boolean | null) }
  /** The name of its jobs: "catalog.activity.overdue". */
  readonly job: string
  /** Whether it is a step of what somebody has begun, such as an import (`progression` of the workspace). */
  readonly isProgress?: boolean
  /** Rows that go into a slice of 25 ms where many fall due at one instant; 25 unless one takes longer. */
  readonly atOnce?: number
  /** What happens then. Afterwards the row must not be due any more, or be gone, or have come nearer to that. */
  readonly run: (workspace: Workspace, row: Row, instant: number) => void
}

export interface DueTable<Row> {
  readonly job: JobKind
  /** Has the workspace expect the job of a row as it was just written. */
  readonly expect: (workspace: Workspace, row: Row) => void
}

/** Rows that are done in one write, where many fall due at one instant: few enough for a slice. */
const AT_ONCE = 25

type Columns = Readonly<Record<string, SQLiteColumn>>

export function dueTable<Row>(
  table: SQLiteTable & { workspace: SQLiteColumn },
  { at, when, job, run, isProgress = false, atOnce = AT_ONCE }: Due<Row>,
): DueTable<Row> {
  const columns: Columns = getTableColumns(table)
  const due = columnOf(columns, at)
  const held = Object.entries<unknown>(when)
  const canBeDue = and(
    ofWorkspace(table),
    ...held.map(([name, value]) => holds(columnOf(columns, name), value)),
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
      if (held.every(([name, value]) => cells[name] === value)) {
        workspace.expectJob(cells[at] as number | null)
      }
    },
  }
}

/** Written out, for SQLite takes an index of some rows only where the statement itself says that these are meant. */
function holds(column: SQLiteColumn, value: unknown): SQL {
  if (value === null) return isNull(column)
  const cell = column.mapToDriverValue(value)
  const literal = typeof cell === 'number' ? String(cell) : `'${String(cell).replaceAll("'", "''")}'`
  return sql`${column} = ${sql.raw(literal)}`
}

function columnOf(columns: Columns, name: string): SQLiteColumn {
  const column = columns[name]
  if (!column) throw new Error(`there is no column ${name}`)
  return column
}
