/**
 * Renews the derived columns of records and baselines after a change of `COLLATION`, when the file is opened. `meta`
 * has the collation of the file, written in the same transaction. Revisions stay, because a new key is not a change
 * of the record. Columns that are derived from other records, too, stay.
 */
import { eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { COLLATION } from '@suite-sim/kit/text/collation'
import type { Database, Orm } from '../database/database.ts'
import type { RecordSet } from './records.ts'
import { writer } from '../database/prepared.ts'
import { meta } from '../tables.ts'

/** Rows in memory at a time. */
const ROWS_PER_SLICE = 1000

/** Resolves when the derived columns of the file follow this collation. Rejects if they can't be written. */
export async function renewDerivedColumns(database: Database, sets: readonly RecordSet[]): Promise<void> {
  const current = String(COLLATION)
  const stored = database.orm.select().from(meta).where(eq(meta.name, 'collation')).get()
  if (stored?.value === current) return
  database.write(() => {
    // A new file without a collation has no rows, and checking all tables takes time.
    if (stored || !database.isNew) for (const set of sets) renew(database, set)
    database.orm
      .insert(meta)
      .values({ name: 'collation', value: current })
      .onConflictDoUpdate({ target: meta.name, set: { value: current } })
      .run()
  })
  await database.committed()
}

function renew(database: Database, { table, derivations }: RecordSet): void {
  const columns = Object.keys(derivations)
  if (columns.length === 0) return
  const write = writer((orm) =>
    orm
      .update(table as SQLiteTable)
      .set(Object.fromEntries(columns.map((column) => [column, sql.placeholder(column)])))
      .where(sql`rowid = ${sql.placeholder('place')}`),
  )
  const nextRows = selectSlice(database.orm, table)
  let rows = nextRows.all({ after: 0 })
  while (rows.length > 0) {
    for (const row of rows) {
      const keys = Object.fromEntries(columns.map((column) => [column, derivations[column]?.(row)]))
      if (columns.some((column) => keys[column] !== row[column]))
        write(database, { ...keys, place: row['place'] })
    }
    rows = nextRows.all({ after: rows.at(-1)?.['place'] })
  }
}

/** Returns a query for the rows of all workspaces after a rowid, in order. */
function selectSlice(orm: Orm, table: SQLiteTable) {
  const selection: Record<string, SQLiteColumn | SQL> = { ...getTableColumns(table), place: sql`rowid` }
  return orm
    .select(selection)
    .from(table)
    .where(sql`rowid > ${sql.placeholder('after')}`)
    .orderBy(sql`rowid`)
    .limit(ROWS_PER_SLICE)
    .prepare()
}
