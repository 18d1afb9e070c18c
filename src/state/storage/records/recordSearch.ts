/** Finds records of one table by id, by other keys, or by text in their titles. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { statement, type Database, type ScopedDatabase } from '../database/database.ts'
import { fold } from '@suite-sim/kit/text/collation'
import type { RecordSet } from './records.ts'

/** The columns that can be the title of a record, the best first. */
export const TITLES = [
  ...[
    'name',
    'title',
    'subject',
    'nombre',
    'nombreInterno',
    'description',
    'concept',
    'customerName',
    'content',
  ],
  ...[
    'email',
    'respondentEmail',
    'customerEmail',
    'interviewerEmail',
    'fileName',
    'code',
    'cufe',
    'uuid',
    'action',
  ],
]

/** The maximum number of records whose texts are compared. */
const MAX_SCANNED = 2000

interface Key {
  /** The property. */
  readonly name: string
  readonly column: SQLiteColumn
}

const known = new WeakMap<RecordSet, readonly Key[]>()

/** Returns the id and the other text columns whose values identify a record of the set. */
export function keysOf(set: RecordSet): readonly Key[] {
  const found = known.get(set)
  if (found) return found
  const { id, ...others } = getTableColumns(set.table as SQLiteTable)
  const unique = new Set(
    getTableConfig(set.table as SQLiteTable).indexes.flatMap(({ config }) => {
      const columns = config.columns.filter((column) => column instanceof SQLiteColumn)
      const names = columns.map(({ name }) => name)
      // A key may be unique only within a type, such as a tax number.
      const isKey = names.length === 2 || (names.length === 3 && names[2] === 'type')
      return config.unique && !config.where && isKey ? names : []
    }),
  )
  const isKey = ([name, { name: column, dataType }]: [string, SQLiteColumn]): boolean =>
    name !== 'workspace' && dataType === 'string' && unique.has(column)
  const keys = (Object.entries(others) as [string, SQLiteColumn][]).filter(isKey)
  const all = [...(id ? [['id', id] as const] : []), ...keys].map(([name, column]) => ({
    name,
    column: column as SQLiteColumn,
  }))
  known.set(set, all)
  return all
}

interface Statements {
  readonly byKeys: readonly ((scope: number, values: string, limit: number) => number[])[]
  readonly byStart: readonly ((scope: number, from: string, to: string, limit: number) => number[])[]
  readonly byText: (scope: number, text: string, limit: number) => number[]
  readonly newest: (scope: number, limit: number) => number[]
}

export class RecordSearch {
  readonly #statements: (database: Database) => Statements

  constructor(set: RecordSet) {
    this.#statements = statement((_orm, database) => prepare(database, set))
  }

  /** Returns the rowids of records with one of these ids or keys. */
  byKeys({ database, rowScope }: ScopedDatabase, values: readonly string[], limit: number): number[] {
    const { byKeys } = this.#statements(database)
    const text = JSON.stringify(values)
    return firstOf(limit, byKeys, (find) => find(rowScope, text, limit))
  }

  /**
   * Returns the rowids of records whose id or key starts with the text, then of those of the newest with the text in their
   * id or title; without a text, of the newest.
   */
  byText({ database, rowScope }: ScopedDatabase, text: string | undefined, limit: number): number[] {
    const { byStart, byText, newest } = this.#statements(database)
    if (text === undefined) return newest(rowScope, limit)
    const started = firstOf(limit, byStart, (find) => find(rowScope, text, `${text}\u{10FFFF}`, limit))
    return firstOf(limit, [() => started, byText], (find) => find(rowScope, text, limit))
  }
}

/** Returns the first different results of several searches. */
function firstOf<Find>(
  limit: number,
  searches: readonly Find[],
  run: (find: Find) => readonly number[],
): number[] {
  const found = new Set<number>()
  for (const search of searches) {
    if (found.size >= limit) break
    for (const place of run(search)) found.add(place)
  }
  return [...found].slice(0, limit)
}

function prepare({ sqlite }: Database, set: RecordSet): Statements {
  const name = `"${getTableName(set.table)}"`
  const columns = Object.entries(getTableColumns(set.table as SQLiteTable))
  const pluck = (text: string) => {
    const prepared = sqlite.prepare(text).pluck()
    return (...values: (number | string)[]): number[] => prepared.all(...values) as number[]
  }
  const keys = keysOf(set).map(({ column }) => `"${column.name}"`)
  const texts = columns
    .filter(
      ([property, column]) =>
        property === 'id' || (TITLES.includes(property) && column.dataType === 'string'),
    )
    .map(([, column]) => `"${column.name}"`)
  // Sorts rowids of the index of the workspace, and reads only the rows that it needs.
  const newest = `SELECT rowid FROM ${name} WHERE "workspace" = ? ORDER BY rowid DESC`
  const scan = sqlite.prepare<[number], { place: number; text: string }>(
    `SELECT rowid AS place, concat_ws(char(10), ${texts.join(', ')}) AS text FROM ${name}
      WHERE rowid IN (${newest} LIMIT ${String(MAX_SCANNED)}) ORDER BY rowid DESC`,
  )
  return {
    byKeys: keys.map((key) =>
      pluck(
        `SELECT rowid FROM ${name} WHERE "workspace" = ? AND ${key} IN (SELECT value FROM json_each(?)) LIMIT ?`,
      ),
    ),
    byStart: keys.map((key) =>
      pluck(
        `SELECT rowid FROM ${name} WHERE "workspace" = ? AND ${key} >= ? AND ${key} < ? ORDER BY ${key} LIMIT ?`,
      ),
    ),
    byText: (scope, text, limit) => {
      const folded = fold(text)
      const found = scan.all(scope).filter((row) => fold(row.text).includes(folded))
      return found.slice(0, limit).map(({ place }) => place)
    },
    newest: pluck(`${newest} LIMIT ?`),
  }
}
