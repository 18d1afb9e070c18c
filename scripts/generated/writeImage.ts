/** Writes what new databases start with: the script of all tables, and the image of the demo. The build calls it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { getTableName, notInArray } from 'drizzle-orm'
import { buildApp } from '../../src/app.ts'
import { MIGRATIONS } from '../../src/assets.ts'
import { FIXTURES } from '@suite-sim/kit/assets'
import { WEEK, WRITTEN_FOR } from '../../src/control/snapshots/builtIn/demoDates.ts'
import { readFixture } from '../../src/control/snapshots/builtIn/fixtures.ts'
import {
  describeImage,
  movingScript,
  type ImageContents,
  type Move,
} from '../../src/control/snapshots/builtIn/image.ts'
import { fillWithSnapshot } from '../../src/control/snapshots/snapshot.ts'
import { Database } from '../../src/state/storage/database/database.ts'
import { SCHEMA } from '../../src/state/storage/database/migrate.ts'
import { createWithRecords } from '../../src/state/storage/records/replaceRecords.ts'
import { meta } from '../../src/state/storage/tables.ts'
import type { FilledScopes } from '../../src/state/workspace/registry.ts'

type Cells = Readonly<Record<string, unknown>>
type Moves = ImageContents['moves']

/** Writes a script that does what all migrations do. */
export function writeSchema(): void {
  const file = join(MIGRATIONS, SCHEMA)
  // A new database would start with it.
  rmSync(file, { force: true })
  const { sqlite } = new Database(':memory:', MIGRATIONS)
  const statements = sqlite
    .prepare<[], string>(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .pluck()
    .all()
  const applied = sqlite.prepare<[], Cells>('SELECT * FROM __drizzle_migrations').all()
  const rows = applied.map((row) => `(${Object.values(row).map(literal).join(', ')})`)
  const migrations = `INSERT INTO __drizzle_migrations VALUES ${rows.join(',\n')}`
  // Another program may be reading it.
  writeFileSync(`${file}.new`, `${[...statements, migrations].join(';\n')};\n`)
  renameSync(`${file}.new`, file)
}

const literal = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/**
 * Writes the image of the demo to a new file. It finds the columns with dates by comparing the demo with that of a week
 * later, and throws if that does not explain all differences.
 */
export async function writeImage(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(file + suffix, { force: true })
  const image = await demoFor(file, WRITTEN_FOR)
  const later = await demoFor(':memory:', WRITTEN_FOR + WEEK)
  const moves = findMoves(image.database, later.database)
  // Every database has a secret of its own.
  image.database.orm
    .delete(meta)
    .where(notInArray(meta.name, ['openings', 'collation']))
    .run()
  const { sets, traces } = image.records
  const tables = [
    ...sets.map(({ table }) => [getTableName(table), 'revision' in table ? 'revision' : null] as const),
    ...traces.map((table) => [getTableName(table), 'sequence' in table ? 'sequence' : null] as const),
  ]
  describeImage(image.database, {
    name: 'demo',
    ...image.scopes,
    tables: Object.fromEntries(tables.filter(([table]) => isFilled(image.database, table))),
    moves,
  })
  await image.close()
  await later.close()
  const sqlite = new SQLite(file)
  // A copy is one file, without a log beside it.
  sqlite.pragma('journal_mode = DELETE')
  sqlite.close()
  rmSync(`${file}-lock`, { force: true })
}

/** Creates a database with the records of the demo as on a day, in scopes without a workspace. */
async function demoFor(db: string, today: number) {
  const app = await buildApp({ db })
  const state = { workspaces: app.workspaces, records: app.records }
  const fixture = await readFixture('demo', FIXTURES, app.records, today)
  if (!fixture) throw new Error('the demo is missing')
  const scopes = await createWithRecords(
    state,
    fillWithSnapshot(state, fixture),
    'too_large',
    (filled): FilledScopes => filled,
  )
  return { database: app.workspaces.database, records: app.records, scopes, close: () => app.close() }
}

const isFilled = ({ sqlite }: Database, table: string): boolean =>
  sqlite.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== undefined

function findMoves(database: Database, later: Database): Moves {
  const moves: Record<string, Record<string, Move>> = {}
  for (const table of tablesOf(database)) {
    const [rows, laterRows] = [database, later].map((each) => rowsOf(each, table)) as [Cells[], Cells[]]
    if (rows.length !== laterRows.length) throw new Error(`${table} has other rows a week later`)
    const columns = Object.keys(rows[0] ?? {})
    const found = columns.flatMap((name) => {
      const move = moveOf(rows.map((row, index) => [row[name], laterRows[index]?.[name]] as const))
      return move ? [[name, move] as const] : []
    })
    if (found.length > 0) moves[table] = Object.fromEntries(found)
  }
  mustExplain(database, later, moves)
  return moves
}

/** Returns how values become those of a week later; null if they are the same. */
function moveOf(pairs: readonly (readonly [unknown, unknown])[]): Move | null {
  const [changed] = pairs.filter(([value, later]) => value !== later)
  if (!changed) return null
  if (typeof changed[0] !== 'number') return 'text'
  const fixed = pairs.flatMap(([value, later]) => (value === later && typeof value === 'number' ? value : []))
  return [...new Set(fixed)]
}

/** Throws unless the moves make the rows of one database equal to those of a week later. */
function mustExplain(database: Database, later: Database, moves: Moves): void {
  const { sqlite } = database
  const [, ...updates] = movingScript(database, moves, 1).split(';\n').slice(0, -1)
  database.flush()
  sqlite.prepare('BEGIN').run()
  for (const update of updates) sqlite.prepare(update).run()
  for (const table of Object.keys(moves)) {
    if (JSON.stringify(rowsOf(database, table)) !== JSON.stringify(rowsOf(later, table))) {
      throw new Error(`the dates of ${table} do not follow from those of an earlier week`)
    }
  }
  sqlite.prepare('ROLLBACK').run()
}

/** Returns the tables with rows of workspaces. */
const tablesOf = ({ sqlite }: Database): string[] =>
  sqlite
    .prepare<[], string>(
      `SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
       WHERE m.type = 'table' AND c.name = 'workspace'`,
    )
    .pluck()
    .all()

const rowsOf = ({ sqlite }: Database, table: string): Cells[] =>
  sqlite.prepare<[], Cells>(`SELECT rowid, * FROM "${table}" ORDER BY rowid`).all()
