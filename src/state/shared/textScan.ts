/**
 * Searches all texts of the rows of a table, newest first, in slices. It reads every row, because texts of any column
 * have no index, so each search has a budget.
 */
import { getTableName } from 'drizzle-orm'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { Slices } from '../model/slices.ts'
import { findFolded, fold } from '@suite-sim/kit/text/collation'
import type { Database } from '../storage/database/database.ts'
import type { WorkspaceTable } from '../storage/records/baseline.ts'
import { Pace } from '../storage/database/pace.ts'
import type { Scopes } from '../storage/records/scopes.ts'

/** The searched columns of a table, by their names in the database. */
export interface TextTable {
  readonly table: WorkspaceTable
  readonly id: string
  /** The first of these that a row has is its title. */
  readonly titles: readonly string[]
  readonly texts: readonly string[]
  /** The instant of a row; null if rows have none. */
  readonly at: string | null
}

export interface TextMatch {
  readonly id: string
  readonly title: string
  readonly at: number | null
  readonly excerpt: string
}

/** Characters that one search reads. */
const MAX_CHARACTERS = 64_000_000
/** The least cost of a row in characters, also of rows of other workspaces in between. */
const ROW_COST = 32

/** One search: what it looks for, and what it may still read. */
export class TextScan {
  readonly slices = new Slices()
  readonly text: string
  readonly #folded: string
  readonly #isCanceled: () => boolean
  #left: number

  constructor(text: string, isCanceled: () => boolean, budget = MAX_CHARACTERS) {
    this.text = text
    this.#folded = fold(text)
    this.#isCanceled = isCanceled
    this.#left = budget
  }

  /** True if the budget is used up or the client has disconnected. */
  get isOver(): boolean {
    return this.#left <= 0 || this.#isCanceled()
  }

  spend(characters: number): void {
    this.#left -= characters
  }

  /** Returns the surroundings of the first match, in one line; null without a match. */
  excerptOf(text: string): string | null {
    this.spend(text.length)
    const found = findFolded(text, this.#folded)
    if (!found) return null
    const from = Math.max(0, found[0] - BEFORE)
    const to = Math.min(text.length, found[1] + AFTER)
    const piece = text.slice(from, to).toWellFormed().replaceAll('\uFFFD', '').replaceAll(/\s+/g, ' ').trim()
    return `${from > 0 ? '\u2026' : ''}${piece}${to < text.length ? '\u2026' : ''}`
  }
}

const MAX_TITLE = 120

/** Characters of an excerpt around the match. */
const BEFORE = 40
const AFTER = 80

interface Row {
  readonly id: unknown
  readonly title: unknown
  readonly at: number | null
  readonly text: string
}

interface Found {
  readonly matches: TextMatch[]
  /** False if older rows were not read. */
  readonly isComplete: boolean
}

/**
 * Returns the newest matching rows of a row scope; the row whose id is the text comes first, however old it is. The caller
 * keeps the scope (`Scopes.whileReading`).
 */
export async function scanTexts(
  database: Database,
  scopes: Scopes,
  rowScope: number,
  source: TextTable,
  scan: TextScan,
  limit: number,
): Promise<Found> {
  const { first, last } = scopes.boundsOf(source.table, rowScope)
  const matches: TextMatch[] = []
  if (first === null || last === null) return { matches, isComplete: true }
  const rowsBetween = database.sqlite.prepare<[number, number, number], Row>(
    // The plus sign makes SQLite use the rowid instead of the index of the workspace.
    `${textOf(source)} WHERE rowid > ? AND rowid <= ? AND +"workspace" = ? ORDER BY rowid DESC`,
  )
  const lastUpTo = database.sqlite
    .prepare<[number], number>(`SELECT max(rowid) FROM "${getTableName(source.table)}" WHERE rowid <= ?`)
    .pluck()
  const named = database.sqlite
    .prepare<[number, string], Row>(`${textOf(source)} WHERE "workspace" = ? AND "${source.id}" = ?`)
    .get(rowScope, scan.text)
  const excerpt = named && scan.excerptOf(named.text)
  if (named && typeof excerpt === 'string') matches.push(matchOf(named, excerpt))
  const pace = new Pace()
  for (let upTo = last; upTo >= first;) {
    const began = monotonicNow()
    const rows = pace.rows
    const after = Math.max(upTo - rows, first - 1)
    scan.spend(rows * ROW_COST)
    for (const row of rowsBetween.all(after, upTo, rowScope)) {
      const excerpt = row.id === named?.id ? null : scan.excerptOf(row.text)
      if (excerpt === null) continue
      if (matches.length === limit) return { matches, isComplete: false }
      matches.push(matchOf(row, excerpt))
    }
    pace.record(monotonicNow() - began)
    // Each start of the server leaves a gap in the rowids of deliveries that would use up the whole budget.
    upTo = lastUpTo.get(after) ?? first - 1
    if (scan.isOver) return { matches, isComplete: upTo < first }
    if (scan.slices.isOver) await scan.slices.turn()
  }
  return { matches, isComplete: true }
}

const matchOf = ({ id, title, at }: Row, excerpt: string): TextMatch => ({
  id: String(id),
  title: String(title ?? id).slice(0, MAX_TITLE),
  at,
  excerpt,
})

function textOf({ table, id, titles, texts, at }: TextTable): string {
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
  return `SELECT "${id}" AS id, coalesce(${[...titles.map((name) => `nullif(trim("${name}"), '')`), 'NULL', 'NULL'].join(', ')}) AS title,
    ${at === null ? 'NULL' : `"${at}"`} AS at, concat_ws(char(10), ${quoted([id, ...texts])}) AS text
    FROM "${getTableName(table)}"`
}
