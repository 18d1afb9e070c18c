/**
 * Texts found by a part of them among very many rows: a full-text index (FTS5) of all runs of three characters, made and
 * brought up to date when a workspace with at least a thousand rows is searched (docs/decisions/0023).
 *
 * What it holds is found by revision: a row that changes gets another, and a copy, such as a reset makes, has the same
 * with the same text. So nothing that writes, copies or deletes rows has to know of it, and what it finds too much is held
 * against the rows themselves.
 */
import { getTableName, type SQL } from 'drizzle-orm'
import { SQLiteSyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { monotonicNow } from './clock.ts'
import { COLLATION, fold } from './collation.ts'
import { statement, type Database } from './database.ts'
import { largeWorkspaces, make } from './indexes.ts'
import { Slices } from './slices.ts'
import type { Workspace } from './workspace.ts'

/** Finds the values of a column in rows that hold a text, each once; those of the last rows first. */
export type TextSearch = (workspace: Workspace, text: string, limit: number) => Promise<string[]>

export interface Searched {
  /** Holds the text, folded (`folded` of searching.ts). */
  readonly key: SQLiteColumn
  /** What is answered with. */
  readonly of: SQLiteColumn
  /** Holds for every row that is looked into; without placeholders. */
  readonly where?: SQL
}

/** Of a long text the first so many runs are looked up; the rows that are found are held against all of it. */
const MAX_RUNS = 32

/** Rows that are looked through first: where the text is in more than a hundredth of them, no index is faster. */
const SAMPLE = 2000

/** Revisions that are taken from the index at a time. */
const CANDIDATES = 500

/** Made once, where the module is loaded; the table has a revision. */
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
    // The plus sign keeps SQLite from walking through the workspace instead of going to the places.
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
    const sought = fold(text)
    const { database, rowScope } = workspace
    const { ofSmall, amongPlaces, lastPlace, inSample, candidates, amongCandidates } = prepared(database)
    if (!isLarge(workspace)) return firstOf(ofSmall.all(sought, rowScope), limit)
    const slices = new Slices()
    const runs = runsOf(sought)
    const isRare = runs !== null && (inSample.get(sought) ?? 0) <= SAMPLE / 100
    if (!isRare || !(await indexed(database).catchUp(slices))) {
      return inWindows(slices, limit, {
        last: (upTo) => lastPlace.get(upTo) ?? null,
        look: (after, upTo) => amongPlaces.all(sought, after, upTo, rowScope),
      })
    }
    return throughCandidates(slices, limit, {
      next: (before) => candidates.all(runs, before),
      look: (revisions) => amongCandidates.all(sought, JSON.stringify(revisions), rowScope),
    })
  }
}

const firstOf = (values: readonly string[], limit: number): string[] => [...new Set(values)].slice(0, limit)

const nameOf = (table: SQLiteTable): string => `${getTableName(table)}_text`

/** What all texts that hold this one have in the index; null for one that is too short for that, or can't be looked up. */
export function runsOf(sought: string): string | null {
  const characters = Array.from(sought)
  if (characters.length < 3 || characters.includes('\0')) return null
  const runs = characters.slice(2).map((_, place) => characters.slice(place, place + 3).join(''))
  return [...new Set(runs)]
    .slice(0, MAX_RUNS)
    .map((run) => `"${run.replaceAll('"', '""')}"`)
    .join(' AND ')
}

interface Windows {
  /** The last number that rows have, up to this one; null where there is none. */
  readonly last: (upTo: number) => number | null
  /** What is found at the numbers beyond `after`, up to `upTo`. */
  readonly look: (after: number, upTo: number) => readonly string[]
}

/** Goes down from the last number, in windows that take some ms each. */
async function inWindows(slices: Slices, limit: number, { last, look }: Windows): Promise<string[]> {
  const values = new Set<string>()
  let width = 4096
  let upTo = last(Number.MAX_SAFE_INTEGER)
  while (upTo !== null && values.size < limit) {
    const began = monotonicNow()
    const after = Math.max(upTo - width, -1)
    for (const value of look(after, upTo)) values.add(value)
    const ms = monotonicNow() - began
    if (ms < 4) width *= 2
    else if (ms > 8) width = Math.max(64, Math.floor(width / 2))
    upTo = last(after)
    if (slices.isOver) await slices.turn()
  }
  return firstOf([...values], limit)
}

interface Candidates {
  /** The last revisions before this one that may hold the text. */
  readonly next: (before: number) => readonly number[]
  /** What is found among them. */
  readonly look: (revisions: readonly number[]) => readonly string[]
}

async function throughCandidates(
  slices: Slices,
  limit: number,
  { next, look }: Candidates,
): Promise<string[]> {
  const values = new Set<string>()
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const revisions = next(before)
    for (const value of look(revisions)) values.add(value)
    before = revisions.length === CANDIDATES && values.size < limit ? revisions.at(-1) : undefined
    if (slices.isOver) await slices.turn()
  }
  return firstOf([...values], limit)
}

/** The index of a table, and up to which revision its rows are in it. */
class TextIndex {
  readonly #database: Database
  readonly #table: string
  readonly #key: string
  #isMade = false

  constructor(database: Database, table: string, key: string) {
    this.#database = database
    this.#table = table
    this.#key = key
  }

  /** Brings it up to date; false where it can't be made now. */
  async catchUp(slices: Slices): Promise<boolean> {
    if (!this.#mustBeMade()) return false
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

  #mustBeMade(): boolean {
    if (this.#isMade) return true
    if (!this.#database.isBetweenWrites) return false
    const name = `"${this.#table}_text"`
    // The keys of another collation are others, though the revisions are the same.
    const isOther = this.#marker().collation !== COLLATION
    this.#isMade = make(
      this.#database,
      `${isOther ? `DROP TABLE IF EXISTS ${name};` : ''}
       CREATE INDEX IF NOT EXISTS "${this.#table}_by_revision" ON "${this.#table}" ("revision");
       CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5(
         "text", content='', detail='none', columnsize=0, tokenize='trigram case_sensitive 1')`,
    )
    return this.#isMade
  }

  /** Adds so many of the rows that are not in it yet; answers with how many revisions were looked at. */
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
    // The tokenizer ends at a NUL, and texts that are looked up have none.
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
    const kept = this.#database.sqlite
      .prepare<[string], string>('SELECT value FROM meta WHERE name = ?')
      .pluck()
      .get(this.#markerName)
    const [collation = 0, revision = 0] = kept?.split(' ').map(Number) ?? []
    return collation === COLLATION ? { collation, revision } : { collation, revision: 0 }
  }
}
