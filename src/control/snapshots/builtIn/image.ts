/**
 * The image of the demo: a database of the build with its records and history, in two row scopes without a workspace. A
 * new database starts with a copy, and any other gets its rows when its first workspace needs them.
 */
import type SQLite from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { Slices } from '../../../state/model/slices.ts'
import type { Database } from '../../../state/storage/database/database.ts'
import { meta } from '../../../state/storage/tables.ts'
import type { FilledScopes } from '../../../state/workspace/registry.ts'
import type { BuiltInName, State } from '../snapshot.ts'
import { moved, WEEK } from './demoDates.ts'

/** The row of `meta` with what an image contains. */
const NAME = 'image'

/**
 * How the values of a column follow a later week: dates in texts, or instants. Listed are the numbers that stay, such as
 * sort keys of records without a date.
 */
export type Move = 'text' | readonly number[]

export interface ImageContents extends FilledScopes {
  /** The name of the fixture. */
  readonly name: string
  /** The tables with rows, parents before children, each with its column of revisions. */
  readonly tables: Readonly<Record<string, string | null>>
  /** The columns with dates, by table. */
  readonly moves: Readonly<Record<string, Readonly<Record<string, Move>>>>
}

/** Stores what an image contains. */
export function describeImage({ orm }: Database, contents: ImageContents): void {
  orm
    .insert(meta)
    .values({ name: NAME, value: JSON.stringify(contents) })
    .run()
}

/**
 * Returns the scopes that a database has from its image, with its dates moved to those of the fixture; null without an
 * image of this fixture, and from the second call on. The caller keeps the scopes.
 */
export function takeImage({ workspaces, records }: State, fixture: BuiltInName): FilledScopes | null {
  const { database } = workspaces
  const row = database.orm
    .delete(meta)
    .where(sql`${meta.name} = ${NAME}`)
    .returning({ value: meta.value })
    .get()
  if (!row) return null
  const { name, moves, scope, base } = JSON.parse(row.value) as ImageContents
  // A start that ended early leaves them without an owner. Later ones may have deleted them, or start with another fixture.
  const isLeft = [scope, base].every((each) => records.scopes(database).isDiscarded(each))
  if (name !== fixture.name || !isLeft) return null
  if (fixture.weeks > 0) database.sqlite.exec(movingScript(database, moves, fixture.weeks))
  return { scope, base }
}

/**
 * Fills a row scope of any database with the rows and the history of the image of a fixture, and moves their dates. Returns
 * false if the fixture has no image.
 */
export async function fillFromImage(
  database: Database,
  { name, weeks, image }: BuiltInName,
  scope: number,
): Promise<boolean> {
  if (image === null) return false
  // Another fill may be running, for another week.
  const schema = `image_${String(scope)}`
  database.flush()
  database.sqlite.prepare(`ATTACH ? AS "${schema}"`).run(image)
  try {
    const text = database.sqlite
      .prepare<[string], string>(`SELECT value FROM "${schema}".meta WHERE name = ?`)
      .pluck()
      .get(NAME)
    const contents = text === undefined ? null : (JSON.parse(text) as ImageContents)
    if (contents?.name !== name) return false
    const slices = new Slices()
    for (const copy of copies(database, schema, contents, weeks)) {
      database.write(() => copy.run({ scope, from: contents.base }))
      if (slices.isOver) await slices.turn()
    }
    return true
  } finally {
    // Statements of an open transaction may run again.
    database.flush()
    database.sqlite.prepare(`DETACH "${schema}"`).run()
  }
}

/** Returns the statements that copy the rows of an image, parents before children. */
function copies(
  database: Database,
  schema: string,
  { moves, tables }: ImageContents,
  weeks: number,
): SQLite.Statement[] {
  const { sqlite } = database
  const moveOf = movesBy(database, weeks)
  return Object.entries(tables).map(([table, revision]) => {
    const names = sqlite
      .prepare<[string], string>(`SELECT name FROM pragma_table_info(?) WHERE name <> 'workspace'`)
      .pluck()
      .all(table)
    const cells = names.map((name) => {
      // No other row of the database may have the same.
      if (name === revision) return 'next_revision()'
      const move = weeks === 0 ? undefined : moves[table]?.[name]
      return move === undefined ? `"${name}"` : moveOf(name, move)
    })
    const quoted = names.map((name) => `"${name}"`)
    // The plus sign makes SQLite read by rowid instead of sorting afterwards, so that revisions are in that order.
    return sqlite.prepare(
      `INSERT INTO main."${table}" ("workspace", ${quoted.join(', ')})
       SELECT :scope, ${cells.join(', ')} FROM "${schema}"."${table}" WHERE +"workspace" = :from ORDER BY rowid`,
    )
  })
}

/** Returns SQL that moves the dates of all rows by weeks: one statement for each table. */
export function movingScript(database: Database, moves: ImageContents['moves'], weeks: number): string {
  const moveOf = movesBy(database, weeks)
  const updates = Object.entries(moves).map(([table, columns]) => {
    const sets = Object.entries(columns).map(([name, move]) => `"${name}" = ${moveOf(name, move)}`)
    return `UPDATE "${table}" SET ${sets.join(', ')}`
  })
  return `BEGIN;\n${updates.join(';\n')};\nCOMMIT`
}

/** Returns a function that returns SQL of the moved value of a column. */
function movesBy({ sqlite }: Database, weeks: number): (name: string, move: Move) => string {
  const moveTexts = `moved_dates_${String(weeks)}`
  sqlite.function(moveTexts, { deterministic: true }, (text) =>
    text === null ? null : movedText(String(text), weeks),
  )
  const by = String(weeks * WEEK)
  return (name, move) =>
    move === 'text'
      ? `${moveTexts}("${name}")`
      : `iif("${name}" IN (${move.join(', ')}), "${name}", "${name}" + ${by})`
}

/** Moves a date, or all dates in JSON. */
const movedText = (text: string, weeks: number): string =>
  /^[[{]/.test(text) ? JSON.stringify(moved(JSON.parse(text), weeks)) : String(moved(text, weeks))
