/**
 * Every table that belongs to workspaces is known to those who take, put back and remove all that a workspace holds: a
 * table that is not is left behind by a reset and missing from a snapshot.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as foundation from '../../src/state/tables.ts'
import { freshApp } from '../support/app.ts'
import { INTERFACES } from '../support/subject.ts'
import { webhookRecords, webhookTraces } from '../../src/webhooks/records.ts'

const SOURCES = new URL('../../src/', import.meta.url)

/** Every file that declares tables, wherever it is. */
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

/** What interfaces and webhooks say of their tables. */
const RECORDS = [...INTERFACES.flatMap(({ records }) => records), ...webhookRecords].map(({ table }) => table)
const TRACES = [...INTERFACES.flatMap(({ traces = [] }) => traces), ...webhookTraces]

/** Those of the workspaces themselves, which `Workspaces` and `Records` look after. */
const FOUNDATION = Object.values(foundation).filter((value) => is(value, SQLiteTable))

test('every table that holds something of a workspace is a record set, a trace, or one of the foundation', async () => {
  const known = [...RECORDS, ...TRACES, ...ofWorkspaces(FOUNDATION)]
  expect(names(ofWorkspaces(await declared()))).toEqual(names(known))
  expect(new Set(names(known)).size).toBe(known.length)
})

test('only the foundation has tables that belong to no workspace', async () => {
  const others = (await declared()).filter((table) => !('workspace' in getTableColumns(table)))
  expect(names(others)).toEqual(names(FOUNDATION.filter((table) => others.includes(table))))
})

test('no table is declared twice: drizzle keeps the columns of the definition that was used first', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const texts = sources.map((file) => readFileSync(new URL(file, SOURCES), 'utf8'))
  const found = texts.flatMap((text) => [...text.matchAll(/\bsqliteTable\(\s*(?:'(\w+)')?/g)])
  const declaredNames = found.map(([, name]) => name)
  expect(declaredNames.length).toBeGreaterThan(50)
  // A name that is computed could not be compared.
  expect(declaredNames).not.toContain(undefined)
  expect(declaredNames.toSorted()).toEqual([...new Set(declaredNames)].toSorted())
})

test('the database has the tables that are declared, and no other', async () => {
  const { app } = await freshApp()
  const kept = app.workspaces.database.sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[]
  const ofMigrations = kept.filter((name) => name.startsWith('__'))
  expect(ofMigrations.length).toBeLessThanOrEqual(1)
  expect(kept.filter((name) => !ofMigrations.includes(name)).toSorted()).toEqual(names(await declared()))
})

test.each(INTERFACES.map(({ name, records }) => [name, records] as const))(
  'all records of %s stand in its own section of a snapshot, each under a name of its own',
  (name, records) => {
    expect(new Set(records.map(({ section }) => section)).size).toBeLessThanOrEqual(1)
    for (const { section } of records) expect(section).toBe(name)
    expect(new Set(records.map((set) => set.name)).size).toBe(records.length)
  },
)

test('the migrations make the columns that tables.ts declares', async () => {
  const { sqlite } = (await freshApp()).app.workspaces.database
  for (const table of await declared()) {
    const made = sqlite.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(getTableName(table))
    const wanted = Object.values(getTableColumns(table)).map(({ name }) => name)
    expect(made.sort(), `${getTableName(table)} has no migration: run npm run generate`).toEqual(
      wanted.sort(),
    )
  }
})
