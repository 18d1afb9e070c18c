/**
 * Checks the database file for damage after the start, so that health reports it before a call fails. `quick_check`
 * can't be interrupted, so it checks small tables only; large tables are read in slices.
 */
import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import type { Database } from './database.ts'
import { inSlices } from '../../model/slices.ts'
import { databaseHealthOf } from './databaseHealth.ts'

/** Ms after the start, so that the check does not delay the first calls. */
const DELAY = 1000
/** Rows that `quick_check` checks in a few ms. */
const MAX_ROWS_OF_QUICK_CHECK = 5000
/** Rows of a large table that are read per step. */
const ROWS_PER_STEP = 1000

/** Resolves after the check. Rejects with the damage found, which health then reports. */
export async function checkIntegrity(database: Database): Promise<void> {
  if (database.file === ':memory:') return
  await setTimeout(DELAY, undefined, { ref: false })
  try {
    await inSlices(checkTables(database))
  } catch (error) {
    // The server was closed during the check.
    if (!database.open) return
    databaseHealthOf(database).report(error)
    throw error
  }
}

interface SchemaEntry {
  readonly name: string
  readonly sql: string
}

function* checkTables(database: Database): Generator {
  const { sqlite } = database
  const list = sqlite.prepare<[string], SchemaEntry>(
    `SELECT "name", "sql" FROM sqlite_schema WHERE "type" = ? AND "sql" IS NOT NULL`,
  )
  for (const { name } of list.all('table')) {
    if (!database.open) return
    const last = sqlite.prepare<[], number | null>(`SELECT max(rowid) FROM "${name}"`).pluck().get() ?? 0
    if (last <= MAX_ROWS_OF_QUICK_CHECK) {
      const [found] = sqlite.pragma(`quick_check("${name}")`) as [{ quick_check: string }]
      if (found.quick_check !== 'ok') throw new SQLite.SqliteError(found.quick_check, 'SQLITE_CORRUPT')
      yield
    } else yield* readRows(database, name)
  }
  for (const { name, sql } of list.all('index')) {
    if (!database.open) return
    const [, table = ''] = /\bON\s+[`"]?(\w+)/i.exec(sql) ?? []
    const condition = /\bWHERE\b[^]*$/i.exec(sql)?.[0] ?? ''
    // A count reads each page of the index.
    sqlite.prepare(`SELECT count(*) FROM "${table}" INDEXED BY "${name}" ${condition}`).get()
    yield
  }
}

/** Reads all rows of a table completely, a thousand per step. */
function* readRows(database: Database, table: string): Generator {
  const { sqlite } = database
  const columns = sqlite.pragma(`table_info("${table}")`) as { name: string }[]
  // The sum reads every value, including overflow pages.
  const lengths = columns.map(({ name }) => `coalesce(length(cast("${name}" AS text)), 0)`).join(' + ')
  const read = sqlite.prepare<[number], { last: number | null }>(
    `SELECT max("at") AS "last", sum("size") FROM
     (SELECT rowid AS "at", ${lengths} AS "size" FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${String(ROWS_PER_STEP)})`,
  )
  let last: number | null = 0
  while (last !== null && database.open) {
    last = read.get(last)?.last ?? null
    yield
  }
}
