/**
 * The folded columns of rows that were written under a former collation, made anew when their file is opened, before
 * anybody asks. Which collation a file's keys follow stands in `meta`, and is written in the same transaction: where that
 * is lost, all is done again at the next opening.
 *
 * What workspaces were made with (`baseline.ts`) stands in the same tables, and is renewed with the rest. Revisions stay:
 * that keys follow from the same texts in another way is no change of a record, and a reset that compares revisions has
 * no more to put back than before.
 */
import { eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { COLLATION } from './collation.ts'
import type { Database, Orm } from './database.ts'
import type { RecordSet } from './records.ts'
import { writer } from './prepared.ts'
import { meta } from './tables.ts'

/** Rows that are in memory at a time. */
const SLICE = 1000

/** Resolves when the file's keys are those of this collation; rejects when they cannot be written. */
export async function renewKeys(database: Database, sets: readonly RecordSet[]): Promise<void> {
  const current = String(COLLATION)
  const kept = database.orm.select().from(meta).where(eq(meta.name, 'collation')).get()
  if (kept?.value === current) return
  database.write(() => {
    // There is no row in a new file, and it takes a while to ask for some.
    if (!database.isNew) for (const set of sets) renew(database, set)
    database.orm
      .insert(meta)
      .values({ name: 'collation', value: current })
      .onConflictDoUpdate({ target: meta.name, set: { value: current } })
      .run()
  })
  await database.committed()
}

function renew(database: Database, { table, folded }: RecordSet): void {
  const columns = Object.keys(folded)
  if (columns.length === 0) return
  const write = writer((orm) =>
    orm
      .update(table as SQLiteTable)
      .set(Object.fromEntries(columns.map((column) => [column, sql.placeholder(column)])))
      .where(sql`rowid = ${sql.placeholder('place')}`),
  )
  const slice = slices(database.orm, table)
  let rows = slice.all({ after: 0 })
  while (rows.length > 0) {
    for (const row of rows) {
      const keys = Object.fromEntries(columns.map((column) => [column, folded[column]?.(row)]))
      if (columns.some((column) => keys[column] !== row[column]))
        write(database, { ...keys, place: row['place'] })
    }
    rows = slice.all({ after: rows.at(-1)?.['place'] })
  }
}

/** The rows of all workspaces behind a place, in the order in which they stand. */
function slices(orm: Orm, table: SQLiteTable) {
  const selection: Record<string, SQLiteColumn | SQL> = { ...getTableColumns(table), place: sql`rowid` }
  return orm
    .select(selection)
    .from(table)
    .where(sql`rowid > ${sql.placeholder('after')}`)
    .orderBy(sql`rowid`)
    .limit(SLICE)
    .prepare()
}
