/** The stored timeline of a workspace: pieces of JSON, the oldest first, and the counts. */
import { eq, lte, and, sql } from 'drizzle-orm'
import { statement, type ScopedDatabase } from '../storage/database/database.ts'
import { writer } from '../storage/database/prepared.ts'
import { inserter } from '../storage/queries/rows.ts'
import type { CallRecord, Step } from './timelineShapes.ts'
import { coverage, journal } from '../storage/tables.ts'
import type { Totals } from './totals.ts'

/** A stored piece. */
export interface Piece {
  /** The last number assigned when it was written. */
  readonly last: number
  /** The highest number in it. */
  readonly highest: number
  /** Characters. */
  readonly size: number
}

interface Stored {
  readonly pieces: Piece[]
  readonly calls: readonly CallRecord[]
  readonly steps: readonly Step[]
  readonly totals: Readonly<Record<string, number>>
}

const ofWorkspace = eq(journal.workspace, sql.placeholder('workspace'))

const readPieces = statement((orm) =>
  orm
    .select()
    .from(journal)
    .where(ofWorkspace)
    .orderBy(sql`rowid`)
    .prepare(),
)

const readCoverage = statement((orm) =>
  orm
    .select()
    .from(coverage)
    .where(eq(coverage.workspace, sql.placeholder('workspace')))
    .prepare(),
)

const insertPiece = inserter(journal)

const deletePieces = writer((orm) =>
  orm.delete(journal).where(and(ofWorkspace, lte(journal.highest, sql.placeholder('highest')))),
)

const upsertCoverage = writer((orm) =>
  orm
    .insert(coverage)
    .values({ workspace: sql`${sql.placeholder('workspace')}`, text: sql`${sql.placeholder('text')}` })
    .onConflictDoUpdate({ target: coverage.workspace, set: { text: sql`excluded.text` } }),
)

export function readStored({ database, rowScope }: ScopedDatabase): Stored {
  const rows = readPieces(database).all({ workspace: rowScope })
  const texts = rows.map(({ text }) => JSON.parse(text) as { calls: CallRecord[]; steps: Step[] })
  const storedCounts = readCoverage(database).get({ workspace: rowScope })
  return {
    pieces: rows.map(({ last, highest, text }) => ({ last, highest, size: text.length })),
    calls: texts.flatMap(({ calls }) => calls),
    steps: texts.flatMap(({ steps }) => steps),
    totals: storedCounts ? (JSON.parse(storedCounts.text) as Record<string, number>) : {},
  }
}

/** Only inside a `write`, like the functions below. */
export function storePiece(
  { database, rowScope }: ScopedDatabase,
  { last, highest }: Omit<Piece, 'size'>,
  text: string,
): void {
  insertPiece(database, { workspace: rowScope, last, highest, text })
}

export function storeCoverage({ database, rowScope }: ScopedDatabase, totals: Totals): void {
  upsertCoverage(database, { workspace: rowScope, text: JSON.stringify(totals) })
}

/** Deletes the pieces without entries after a number. */
export function trimPieces({ database, rowScope }: ScopedDatabase, highest: number): void {
  deletePieces(database, { workspace: rowScope, highest: Math.min(highest, Number.MAX_SAFE_INTEGER) })
}
