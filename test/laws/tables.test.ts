/**
 * Every workspace table is registered with reset, snapshot and removal. An unregistered table would survive a reset
 * and be missing from snapshots.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as foundation from '../../src/state/storage/tables.ts'
import { freshApp } from '../support/app.ts'
import { INTERFACES } from '../support/subject.ts'
import { webhookRecords, webhookTraces } from '../../src/webhooks/records.ts'

const SOURCES = new URL('../../src/', import.meta.url)

/** Every file that declares tables. */
const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(^|\/)tables\.ts$/.test(file),
)

async function declared(): Promise<SQLiteTable[]> {
  const modules = await Promise.all(
    FILES.map((file) => import(new URL(file, SOURCES).href) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) => Object.values(module).filter((value) => is(value, SQLiteTable)))
}

const names = (tables: readonly SQLiteTable[]): string[] => tables.map(getTableName).toSorted()

const ofWorkspaces = (tables: readonly SQLiteTable[]): SQLiteTable[] =>
  tables.filter((table) => 'workspace' in getTableColumns(table))

/** The tables that interfaces and webhooks declare. */
const RECORDS = [...INTERFACES.flatMap(({ records }) => records), ...webhookRecords].map(({ table }) => table)
const TRACES = [...INTERFACES.flatMap(({ traces = [] }) => traces), ...webhookTraces]

/** The tables of `Registry` and `Records` themselves. */
const FOUNDATION = Object.values(foundation).filter((value) => is(value, SQLiteTable))

test('registers every table of a workspace as a record set, a trace or a foundation table', async () => {
  const known = [...RECORDS, ...TRACES, ...ofWorkspaces(FOUNDATION)]
  expect(names(ofWorkspaces(await declared()))).toEqual(names(known))
  expect(new Set(names(known)).size).toBe(known.length)
})

test('has tables without a workspace only in the foundation', async () => {
  const others = (await declared()).filter((table) => !('workspace' in getTableColumns(table)))
  const known = new Set(names(FOUNDATION))
  expect(names(others).filter((name) => !known.has(name))).toEqual([])
})

test('declares each table once, because drizzle uses the columns of the first definition', () => {
  // columns.ts makes the tables that others name.
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && file !== 'state/storage/columns.ts',
  )
  const texts = sources.map((file) => readFileSync(new URL(file, SOURCES), 'utf8'))
  const found = texts.flatMap((text) => [
    ...text.matchAll(/(?:\bsqliteTable|= table(?:WithKey)?)\(\s*(?:'(\w+)')?/g),
  ])
  const declaredNames = found.map(([, name]) => name)
  expect(declaredNames.length).toBeGreaterThan(50)
  // A computed name could not be compared.
  expect(declaredNames).not.toContain(undefined)
  expect(declaredNames.toSorted()).toEqual([...new Set(declaredNames)].toSorted())
})

test('has exactly the declared tables in the database', async () => {
  const { app } = await freshApp()
  const databaseTables = app.workspaces.database.sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[]
  const ofMigrations = databaseTables.filter((name) => name.startsWith('__'))
  expect(ofMigrations.length).toBeLessThanOrEqual(1)
  expect(databaseTables.filter((name) => !ofMigrations.includes(name)).toSorted()).toEqual(
    names(await declared()),
  )
})

test.each(INTERFACES.map(({ name, records }) => [name, records] as const))(
  'gives all records of %s unique names in one section of a snapshot',
  (name, records) => {
    expect(new Set(records.map(({ section }) => section)).size).toBeLessThanOrEqual(1)
    for (const { section } of records) expect(section).toBe(name)
    expect(new Set(records.map((set) => set.name)).size).toBe(records.length)
  },
)

test('creates the columns of tables.ts with the migrations', async () => {
  const { sqlite } = (await freshApp()).app.workspaces.database
  for (const table of await declared()) {
    const made = sqlite.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(getTableName(table))
    const declaredColumns = Object.values(getTableColumns(table)).map(({ name }) => name)
    expect(made.sort(), `${getTableName(table)} has no migration: run npm run generate`).toEqual(
      declaredColumns.sort(),
    )
  }
})
