/**
 * Looks for damage in the database file after the start, so that health reports it before a call meets it. SQLite's
 * `quick_check` can't be interrupted: it judges tables one by one, and of large tables the rows are read in slices.
 */
import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import type { Database } from './database.ts'
import { inSlices } from './slices.ts'
import { databaseHealthOf } from './databaseHealth.ts'

/** Ms after the start, so that the check delays no first call. */
const DELAY = 1000
/** Rows that `quick_check` judges in a few ms. */
const SMALL = 5000
/** Rows of a large table that are read at once. */
const ROWS = 1000

/** Resolves when the file is judged. Rejects with the damage that it found, which health reports from then on. */
export async function checkIntegrity(database: Database): Promise<void> {
  if (database.file === ':memory:') return
  await setTimeout(DELAY, undefined, { ref: false })
  try {
    await inSlices(judge(database))
  } catch (error) {
    // A server that was closed meanwhile has nothing to report.
    if (!database.open) return
    databaseHealthOf(database).report(error)
    throw error
  }
}

interface Listed {
  readonly name: string
  readonly sql: string
}

function* judge(database: Database): Generator {
  const { sqlite } = database
  const list = sqlite.prepare<[string], Listed>(
    `SELECT "name", "sql" FROM sqlite_schema WHERE "type" = ? AND "sql" IS NOT NULL`,
  )
  for (const { name } of list.all('table')) {
    if (!database.open) return
    const last = sqlite.prepare<[], number | null>(`SELECT max(rowid) FROM "${name}"`).pluck().get() ?? 0
    if (last <= SMALL) {
      const [found] = sqlite.pragma(`quick_check("${name}")`) as [{ quick_check: string }]
      if (found.quick_check !== 'ok') throw new SQLite.SqliteError(found.quick_check, 'SQLITE_CORRUPT')
      yield
    } else yield* readRows(database, name)
  }
  for (const { name, sql } of list.all('index')) {
    if (!database.open) return
    const [, table = ''] = /\bON\s+[`"]?(\w+)/i.exec(sql) ?? []
    const condition = /\bWHERE\b[^]*$/i.exec(sql)?.[0] ?? ''
    // Counting visits each page of the index.
    sqlite.prepare(`SELECT count(*) FROM "${table}" INDEXED BY "${name}" ${condition}`).get()
    yield
  }
}

/** Reads each row of a table whole, a thousand at a time. */
function* readRows(database: Database, table: string): Generator {
  const { sqlite } = database
  const columns = sqlite.pragma(`table_info("${table}")`) as { name: string }[]
  // The sum needs every value, and so each page that a long value goes on.
  const lengths = columns.map(({ name }) => `coalesce(length(cast("${name}" AS text)), 0)`).join(' + ')
  const read = sqlite.prepare<[number], { last: number | null }>(
    `SELECT max("at") AS "last", sum("size") FROM
     (SELECT rowid AS "at", ${lengths} AS "size" FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${String(ROWS)})`,
  )
  let last: number | null = 0
  while (last !== null && database.open) {
    last = read.get(last)?.last ?? null
    yield
  }
}
