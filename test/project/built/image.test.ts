/** New databases of the built program start with what the build prepared; sources insert and migrate. Both are equal. */
import { chmodSync, copyFileSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import SQLite from 'better-sqlite3'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, type App } from '../../../src/app.ts'
import { WEEK, WRITTEN_FOR } from '../../../src/control/snapshots/builtIn/demoDates.ts'
import { build, ROOT, scratchFolder, start } from '../../support/process.ts'

const IMAGE = join(ROOT, 'dist/demo.sqlite')
const SCHEMA = join(ROOT, 'dist/state/storage/migrations/schema.sql')

type Row = Readonly<Record<string, unknown>>

let built: { readonly buildApp: typeof buildApp }
const open: App[] = []

beforeAll(async () => {
  build()
  built = (await import(pathToFileURL(join(ROOT, 'dist/app.js')).href)) as typeof built
})

afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

async function opened(from: typeof built, options: Parameters<typeof buildApp>[0]): Promise<App> {
  const app = await from.buildApp(options)
  open.push(app)
  return app
}

/**
 * All rows of a workspace, by table: the current rows before those of the baseline, whichever were written first. Revisions
 * are shown as the order of their rows.
 */
function rowsOf({ workspaces }: App, id = 'demo'): Record<string, Row[]> {
  const { sqlite } = workspaces.database
  const { rowScope, baselineScope } = workspaces.get(id)
  return Object.fromEntries(
    namesOf(sqlite, 'table').flatMap((name) => {
      // Their rows have the time of the start, or the number of the workspace.
      if (['workspaces', 'keys', 'meta', '__drizzle_migrations', 'users', 'counters'].includes(name))
        return []
      const hasScope = namesOfColumns(sqlite, name).includes('workspace')
      const shown = [rowScope, baselineScope].flatMap((scope, side) => {
        const all = `SELECT * FROM "${name}"`
        const rows = hasScope
          ? sqlite.prepare(`${all} WHERE workspace = ? ORDER BY rowid`).all(scope)
          : sqlite.prepare(`${all} ORDER BY rowid`).all()
        return withRanks(rows as Row[]).map((row) => (hasScope ? { ...row, workspace: side } : row))
      })
      return [[name, shown]]
    }),
  )
}

/** The rows of the baseline, and those of no workspace. */
const baselineIn = (tables: Readonly<Record<string, readonly Row[]>>): Record<string, Row[]> =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.filter(({ workspace }) => workspace !== 0)]),
  )

function withRanks(rows: readonly Row[]): Row[] {
  const revisions = ['revision', 'sequence'].filter((column) => rows[0] && column in rows[0])
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(revisions.map((column) => [column, rankOf(rows, column, row)])),
  }))
}

const rankOf = (rows: readonly Row[], column: string, row: Row): number =>
  rows.filter((each) => Number(each[column]) < Number(row[column])).length

const namesOfColumns = (sqlite: SQLite.Database, table: string): unknown[] =>
  sqlite.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table)

const namesOf = (sqlite: SQLite.Database, type: string): string[] =>
  sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all(type) as string[]

async function madeIn({ fastify }: App, payload: object): Promise<string> {
  const made = await fastify.inject({ method: 'POST', url: '/_sim/workspaces', payload })
  return made.json<{ workspace: { id: string } }>().workspace.id
}

const attachedTo = ({ workspaces }: App): unknown[] =>
  (workspaces.database.sqlite.pragma('database_list') as { name: string }[]).map(({ name }) => name)

const schemaOf = ({ workspaces }: App): unknown[] =>
  workspaces.database.sqlite
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name')
    .all()

describe('image of the demo', () => {
  test.each([0, 1, 60])('has the same rows as the files of the demo, %i weeks later', async (weeks) => {
    const options = { fixtures: 'demo', demoDate: WRITTEN_FOR + weeks * WEEK }
    const expected = rowsOf(await opened({ buildApp }, options))
    expect(expected['crm_contacts']).toHaveLength(240)
    expect(rowsOf(await opened(built, options))).toEqual(expected)
    const file = join(scratchFolder(), 'new.sqlite')
    expect(rowsOf(await opened(built, { ...options, db: file }))).toEqual(expected)
  })

  test.each([0, 60])(
    'fills a workspace of another server with the same rows, %i weeks later',
    async (weeks) => {
      const expected = rowsOf(
        await opened({ buildApp }, { fixtures: 'demo', demoDate: WRITTEN_FOR + weeks * WEEK }),
      )
      for (const db of [':memory:', join(scratchFolder(), 'none.sqlite')]) {
        const app = await opened(built, { db, demoDate: WRITTEN_FOR + weeks * WEEK })
        // Its revisions and scopes are other numbers than those of the image.
        await madeIn(app, { fixtures: 'none' })
        const id = await madeIn(app, { fixtures: 'demo' })
        const rows = rowsOf(app, id)
        expect(baselineIn(rows)).toEqual(baselineIn(expected))
        // In the week of the fixture, jobs that fall due change the current rows at any time.
        if (weeks > 0) expect(rows).toEqual(expected)
        expect(attachedTo(app)).toEqual(['main'])
      }
    },
  )

  test('is a file of its own with no secret, no key and no workspace', () => {
    expect(readdirSync(join(ROOT, 'dist')).filter((name) => name.startsWith('demo.'))).toEqual([
      'demo.sqlite',
    ])
    const sqlite = new SQLite(IMAGE, { readonly: true })
    const filled = namesOf(sqlite, 'table').filter(
      (name) =>
        sqlite
          .prepare(`SELECT 1 FROM "${name}" WHERE NOT EXISTS
        (SELECT 1 FROM pragma_table_info('${name}') WHERE name = 'workspace') LIMIT 1`)
          .get() !== undefined,
    )
    expect(filled).toEqual(['__drizzle_migrations', 'discarded_scopes', 'meta'])
    expect(sqlite.prepare('SELECT name FROM meta ORDER BY name').pluck().all()).toEqual([
      'collation',
      'image',
      'openings',
    ])
    for (const table of ['workspaces', 'keys', 'users', 'counters', 'journal', 'events']) {
      expect(sqlite.prepare(`SELECT count(*) FROM "${table}"`).pluck().get(), table).toBe(0)
    }
    sqlite.close()
  })

  test('starts databases that share no secret, and leaves no trace of itself', async () => {
    const [one, other] = [
      await opened(built, { fixtures: 'demo' }),
      await opened(built, { fixtures: 'demo' }),
    ]
    const metaOf = ({ workspaces }: App) =>
      Object.fromEntries(workspaces.database.sqlite.prepare('SELECT name, value FROM meta').raw().all() as [])
    expect(Object.keys(metaOf(one)).sort()).toEqual(['collation', 'openings', 'secret'])
    expect(metaOf(one)['secret']).not.toBe(metaOf(other)['secret'])
    expect(one.workspaces.database.sqlite.prepare('SELECT * FROM discarded_scopes').all()).toEqual([])
  })

  test('works from a read-only package, and gives new files the mode of a database', async () => {
    const folder = scratchFolder()
    const { mode } = statSync(IMAGE)
    chmodSync(IMAGE, 0o444)
    try {
      const app = await opened(built, { fixtures: 'demo', db: join(folder, 'new.sqlite') })
      expect(statSync(join(folder, 'new.sqlite')).mode & 0o777).toBe(0o600)
      expect(app.demoKey).toBe('demo-key')
    } finally {
      chmodSync(IMAGE, mode)
    }
  })

  test('leaves nothing behind on a full disk', async () => {
    const folder = scratchFolder()
    const db = join(folder, 'new.sqlite')
    symlinkSync('/dev/full', `${db}-image`)
    await expect(built.buildApp({ fixtures: 'demo', db })).rejects.toThrow(/new\.sqlite: .*full/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('is not used for another fixture, nor for a file that exists', async () => {
    const file = join(scratchFolder(), 'none.sqlite')
    const none = await opened(built, { fixtures: 'none', db: file })
    expect(none.workspaces.database.sqlite.prepare('SELECT count(*) FROM crm_contacts').pluck().get()).toBe(0)
    await none.close()
    open.splice(0)
    const later = await opened(built, { fixtures: 'demo', db: file })
    expect(rowsOf(later)['crm_contacts']).toHaveLength(240)
    const small = await opened(built, { fixtures: 'small' })
    expect(rowsOf(small)['crm_contacts']).toHaveLength(24)
  })

  test('leads to the demo at the next start if the first one ended in between', async () => {
    const file = join(scratchFolder(), 'killed.sqlite')
    // What a start leaves behind that is killed before it creates the workspace.
    copyFileSync(IMAGE, file)
    const { url } = await start(['serve', '--port', '0', '--db', file], { folder: dirname(file) })
    const response = await fetch(`${url}/crm/v1/contacts`, { headers: { authorization: 'Bearer demo-key' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ meta: { total_count: 120 } })
  })
})

test('the script of all tables does what all migrations do', async () => {
  expect(statSync(SCHEMA).size).toBeGreaterThan(10_000)
  const [migrated, fromScript] = [await opened({ buildApp }, {}), await opened(built, {})]
  expect(schemaOf(fromScript)).toEqual(schemaOf(migrated))
  const appliedTo = ({ workspaces }: App) =>
    workspaces.database.sqlite.prepare('SELECT * FROM __drizzle_migrations').all()
  expect(appliedTo(fromScript)).toEqual(appliedTo(migrated))
})
