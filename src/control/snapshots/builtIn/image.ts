/**
 * The image of the demo: a database of the build with its records and history, in two row scopes without a workspace. A
 * new database starts with a copy.
 */
import { sql } from 'drizzle-orm'
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

/** Returns SQL that moves the dates of all rows by weeks: one statement for each table. */
export function movingScript({ sqlite }: Database, moves: ImageContents['moves'], weeks: number): string {
  sqlite.function('moved_dates', { deterministic: true }, (text) =>
    text === null ? null : movedText(String(text), weeks),
  )
  const by = String(weeks * WEEK)
  const updates = Object.entries(moves).map(([table, columns]) => {
    const sets = Object.entries(columns).map(([name, move]) => {
      const column = `"${name}"`
      const value =
        move === 'text'
          ? `moved_dates(${column})`
          : `iif(${column} IN (${move.join(', ')}), ${column}, ${column} + ${by})`
      return `${column} = ${value}`
    })
    return `UPDATE "${table}" SET ${sets.join(', ')}`
  })
  return `BEGIN;\n${updates.join(';\n')};\nCOMMIT`
}

/** Moves a date, or all dates in JSON. */
const movedText = (text: string, weeks: number): string =>
  /^[[{]/.test(text) ? JSON.stringify(moved(JSON.parse(text), weeks)) : String(moved(text, weeks))
