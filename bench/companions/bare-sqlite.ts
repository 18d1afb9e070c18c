/**
 * Bare better-sqlite3 on a copy of a simulator database: the same tables, indexes, rows and settings, without
 * other work.
 */
import SQLite, { type Database } from 'better-sqlite3'
import { answerQuestions } from '../answering.ts'
import { median } from '../rounds.ts'
import { SETTINGS } from '../sqlite.ts'

export type SqliteQuestion =
  | { readonly open: string }
  /** Inserts products for so many seconds, each in its own transaction; returns inserts per second. */
  | { readonly insertFor: number }
  /** Creates so many workspaces with user and key; returns ms per workspace. */
  | { readonly makeWorkspaces: number }
  /** Restores the products of this workspace so many times; returns the median in ms. */
  | { readonly resets: number; readonly workspace: string }

type Row = Record<string, unknown>

let database: Database | null = null
let last = 1_000_000_000

answerQuestions<SqliteQuestion, number>((question) => {
  if ('open' in question) return open(question.open)
  if (!database) throw new Error('no database is open')
  if ('insertFor' in question) return insertProducts(database, question.insertFor)
  if ('makeWorkspaces' in question) return makeWorkspaces(database, question.makeWorkspaces)
  return reset(database, question.workspace, question.resets)
})

function open(file: string): number {
  database?.close()
  database = new SQLite(file)
  for (const setting of SETTINGS) database.pragma(setting)
  return 0
}

function insertProducts(sqlite: Database, seconds: number): number {
  const insert = inserterOf(sqlite, 'catalog_products')
  const began = performance.now()
  let count = 0
  for (; performance.now() - began < seconds * 1000; count++) {
    insert({ id: `bare-${String(++last)}`, revision: last })
  }
  return (count * 1000) / (performance.now() - began)
}

function makeWorkspaces(sqlite: Database, count: number): number {
  const insert = {
    workspace: inserterOf(sqlite, 'workspaces'),
    user: inserterOf(sqlite, 'users'),
    key: inserterOf(sqlite, 'keys'),
  }
  const make = sqlite.transaction(() => {
    const id = String(++last)
    insert.workspace({ number: last, id, scope: -last, control_token: id })
    insert.user({ workspace: last, id })
    insert.key({ workspace: last, key: id })
  })
  return msEach(count, make)
}

function reset(sqlite: Database, id: string, count: number): number {
  const { scope, base } = sqlite.prepare('SELECT scope, base FROM workspaces WHERE id = ?').get(id) as {
    scope: number
    base: number
  }
  const others = Object.keys(exampleOf(sqlite, 'catalog_products'))
    .filter((name) => name !== 'workspace')
    .map((name) => `"${name}"`)
    .join(', ')
  const empty = sqlite.prepare('DELETE FROM catalog_products WHERE workspace = ?')
  const refill = sqlite.prepare(
    `INSERT INTO catalog_products (workspace, ${others}) SELECT ?, ${others} FROM catalog_products WHERE workspace = ?`,
  )
  const putBack = sqlite.transaction(() => {
    empty.run(scope)
    const { changes } = refill.run(scope, base)
    if (changes === 0) throw new Error('no rows to restore')
  })
  return median(Array.from({ length: count }, () => msEach(1, putBack)))
}

function msEach(count: number, action: () => void): number {
  const began = performance.now()
  for (let done = 0; done < count; done++) action()
  return (performance.now() - began) / count
}

/** Inserts copies of an existing row, with some other values. */
function inserterOf(sqlite: Database, table: string): (own: Row) => void {
  const example = exampleOf(sqlite, table)
  const names = Object.keys(example)
  const insert = sqlite.prepare(
    `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
  )
  return (own) => void insert.run({ ...example, ...own })
}

function exampleOf(sqlite: Database, table: string): Row {
  const row = sqlite.prepare(`SELECT * FROM ${table} ORDER BY rowid DESC LIMIT 1`).get()
  if (row === undefined) throw new Error(`${table} has no row to copy`)
  return row as Row
}
