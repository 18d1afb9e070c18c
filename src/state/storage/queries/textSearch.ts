/**
 * Searches texts in very many rows with a trigram index (FTS5), created and updated when a workspace with at least a
 * thousand rows is searched (docs/decisions/0023). The index contains revisions, which change with the text, so
 * writes need not update it. Matches are checked against the rows.
 */
import { getTableName, type SQL } from 'drizzle-orm'
import { SQLiteSyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { COLLATION, fold } from '@suite-sim/kit/text/collation'
import { statement, type Database, type ScopedDatabase } from '../database/database.ts'
import { largeWorkspaces, createIndex } from './indexes.ts'
import { Slices } from '../../model/slices.ts'

/** Finds the distinct values of a column in rows that contain a text; those of the newest rows first. */
export type TextSearch = (workspace: ScopedDatabase, text: string, limit: number) => Promise<string[]>

export interface Searched {
  /** The column with the text, as `folded` stores it. */
  readonly key: SQLiteColumn
  /** The column of the returned values. */
  readonly of: SQLiteColumn
  /** A condition of the searched rows, without placeholders. */
  readonly where?: SQL
}

/** The number of trigrams that are looked up. Rows are checked against the whole text. */
const MAX_RUNS = 32

/** Rows of a sample. If more than a hundredth of them match, an index is not faster. */
const SAMPLE = 2000

/** Revisions that are read from the index at a time. */
const CANDIDATES = 500

/** Prepares a search, once per module. The table must have a revision. */
export function textSearch(
  table: SQLiteTable & { readonly revision: SQLiteColumn },
  { key, of, where }: Searched,
): TextSearch {
  const rows = `"${getTableName(table)}"`
  const condition = where ? ` AND (${new SQLiteSyncDialect().sqlToQuery(where).sql})` : ''
  const found = `SELECT "${of.name}" FROM ${rows} WHERE instr("${key.name}", ?) > 0${condition}`
  const isLarge = largeWorkspaces(table)
  const indexed = statement((_orm, database) => new TextIndex(database, getTableName(table), key.name))
  const prepared = statement((_orm, { sqlite }) => ({
    ofSmall: sqlite
      .prepare<[string, number], string>(`${found} AND "workspace" = ? ORDER BY rowid DESC`)
      .pluck(),
    // The plus sign makes SQLite use the rowid instead of the index of the workspace.
    amongPlaces: sqlite
      .prepare<[string, number, number, number], string>(
        `${found} AND rowid > ? AND rowid <= ? AND +"workspace" = ? ORDER BY rowid DESC`,
      )
      .pluck(),
    lastPlace: sqlite
      .prepare<[number], number | null>(`SELECT max(rowid) FROM ${rows} WHERE rowid <= ?`)
      .pluck(),
    inSample: sqlite
      .prepare<[string], number>(
        `SELECT count(*) FROM (SELECT "${key.name}" AS text FROM ${rows} ORDER BY rowid DESC LIMIT ${String(SAMPLE)})
         WHERE instr(text, ?) > 0`,
      )
      .pluck(),
    candidates: sqlite
      .prepare<[string, number], number>(
        `SELECT rowid FROM "${nameOf(table)}" WHERE "${nameOf(table)}" MATCH ? AND rowid < ?
         ORDER BY rowid DESC LIMIT ${String(CANDIDATES)}`,
      )
      .pluck(),
    amongCandidates: sqlite
      .prepare<[string, string, number], string>(
        `${found} AND "revision" IN (SELECT value FROM json_each(?)) AND +"workspace" = ? ORDER BY "revision" DESC`,
      )
      .pluck(),
  }))

  return async (workspace, text, limit) => {
    const foldedText = fold(text)
    const { database, rowScope } = workspace
    const { ofSmall, amongPlaces, lastPlace, inSample, candidates, amongCandidates } = prepared(database)
    if (!isLarge(workspace)) return firstOf(ofSmall.all(foldedText, rowScope), limit)
    const slices = new Slices()
    const runs = runsOf(foldedText)
    const isRare = runs !== null && (inSample.get(foldedText) ?? 0) <= SAMPLE / 100
    if (!isRare || !(await indexed(database).catchUp(slices))) {
      return searchWindows(slices, limit, {
        last: (upTo) => lastPlace.get(upTo) ?? null,
        find: (after, upTo) => amongPlaces.all(foldedText, after, upTo, rowScope),
      })
    }
    return searchCandidates(slices, limit, {
      next: (before) => candidates.all(runs, before),
      find: (revisions) => amongCandidates.all(foldedText, JSON.stringify(revisions), rowScope),
    })
  }
}

const firstOf = (values: readonly string[], limit: number): string[] => [...new Set(values)].slice(0, limit)

const nameOf = (table: SQLiteTable): string => `${getTableName(table)}_text`

/** Returns the FTS5 query for the trigrams of a text; null if it is too short or can't be looked up. */
export function runsOf(foldedText: string): string | null {
  const characters = Array.from(foldedText)
  if (characters.length < 3 || characters.includes('\0')) return null
  const runs = characters.slice(2).map((_, position) => characters.slice(position, position + 3).join(''))
  return [...new Set(runs)]
    .slice(0, MAX_RUNS)
    .map((run) => `"${run.replaceAll('"', '""')}"`)
    .join(' AND ')
}

interface Windows {
  /** Returns the last rowid up to this one; null if none exists. */
  readonly last: (upTo: number) => number | null
  /** Returns the matches with rowids after `after`, up to `upTo`. */
  readonly find: (after: number, upTo: number) => readonly string[]
}

/** Searches from the last rowid down, in windows of some ms. */
async function searchWindows(slices: Slices, limit: number, { last, find }: Windows): Promise<string[]> {
  const values = new Set<string>()
  let width = 4096
  let upTo = last(Number.MAX_SAFE_INTEGER)
  while (upTo !== null && values.size < limit) {
    const began = monotonicNow()
    const after = Math.max(upTo - width, -1)
    for (const value of find(after, upTo)) values.add(value)
    const ms = monotonicNow() - began
    if (ms < 4) width *= 2
    else if (ms > 8) width = Math.max(64, Math.floor(width / 2))
    upTo = last(after)
    if (slices.isOver) await slices.turn()
  }
  return firstOf([...values], limit)
}

interface Candidates {
  /** Returns the last revisions before this one that may contain the text. */
  readonly next: (before: number) => readonly number[]
  /** Returns the matches among these revisions. */
  readonly find: (revisions: readonly number[]) => readonly string[]
}

async function searchCandidates(
  slices: Slices,
  limit: number,
  { next, find }: Candidates,
): Promise<string[]> {
  const values = new Set<string>()
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const revisions = next(before)
    for (const value of find(revisions)) values.add(value)
    before = revisions.length === CANDIDATES && values.size < limit ? revisions.at(-1) : undefined
    if (slices.isOver) await slices.turn()
  }
  return firstOf([...values], limit)
}

/** The index of a table, and the last revision in it. */
class TextIndex {
  readonly #database: Database
  readonly #table: string
  readonly #key: string
  #isCreated = false

  constructor(database: Database, table: string, key: string) {
    this.#database = database
    this.#table = table
    this.#key = key
  }

  /** Updates the index. Returns false if it can't be created now. */
  async catchUp(slices: Slices): Promise<boolean> {
    if (!this.#ensureCreated()) return false
    let rows = 64
    for (;;) {
      const began = monotonicNow()
      if (this.#database.write(() => this.#addNext(rows)) === 0) return true
      const ms = monotonicNow() - began
      if (ms < 4) rows = Math.min(rows * 2, 4096)
      else if (ms > 8) rows = Math.max(1, rows >> 1)
      if (slices.isOver) await slices.turn()
    }
  }

  #ensureCreated(): boolean {
    if (this.#isCreated) return true
    if (!this.#database.isBetweenWrites) return false
    const name = `"${this.#table}_text"`
    // Another collation has other keys for the same revisions.
    const isOther = this.#marker().collation !== COLLATION
    this.#isCreated = createIndex(
      this.#database,
      `${isOther ? `DROP TABLE IF EXISTS ${name};` : ''}
       CREATE INDEX IF NOT EXISTS "${this.#table}_by_revision" ON "${this.#table}" ("revision");
       CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5(
         "text", content='', detail='none', columnsize=0, tokenize='trigram case_sensitive 1')`,
    )
    return this.#isCreated
  }

  /** Adds up to `rows` missing rows. Returns how many revisions were read. */
  #addNext(rows: number): number {
    const { sqlite } = this.#database
    const { revision: done } = this.#marker()
    const [upTo, count] = sqlite
      .prepare<[number, number], readonly [number | null, number]>(
        `SELECT max("revision"), count(*) FROM (SELECT "revision" FROM "${this.#table}"
         WHERE "revision" > ? ORDER BY "revision" LIMIT (? + 0))`,
      )
      .raw()
      .get(done, rows) ?? [null, 0]
    if (upTo === null) return 0
    // The tokenizer stops at a NUL, and search texts have none.
    sqlite
      .prepare(
        `INSERT INTO "${this.#table}_text" (rowid, "text") SELECT "revision", replace(min("${this.#key}"), char(0), ' ')
         FROM "${this.#table}" WHERE "revision" > ? AND "revision" <= ? AND "${this.#key}" <> '' GROUP BY "revision"`,
      )
      .run(done, upTo)
    sqlite
      .prepare(
        'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      )
      .run(this.#markerName, `${String(COLLATION)} ${String(upTo)}`)
    return count
  }

  get #markerName(): string {
    return `${this.#table}_text`
  }

  #marker(): { readonly collation: number; readonly revision: number } {
    const stored = this.#database.sqlite
      .prepare<[string], string>('SELECT value FROM meta WHERE name = ?')
      .pluck()
      .get(this.#markerName)
    const [collation = 0, revision = 0] = stored?.split(' ').map(Number) ?? []
    return collation === COLLATION ? { collation, revision } : { collation, revision: 0 }
  }
}
