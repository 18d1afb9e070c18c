/** The database file shrinks after workspaces are deleted. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MIGRATIONS } from '../../../../src/assets.ts'
import { Database } from '../../../../src/state/storage/database/database.ts'
import { FreePages } from '../../../../src/state/storage/database/freePages.ts'
import { bytesOfPages } from '../../../../src/state/storage/database/pages.ts'
import { freshApp } from '../../../support/app.ts'
import { formOf } from '../../../support/forms.ts'
import { scratchFolder } from '../../../support/process.ts'

/** Together larger than the free space that a file keeps. */
const WORKSPACES = 8

const PICTURE = formOf({
  file: {
    filename: 'a.svg',
    content: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    type: 'image/svg+xml',
  },
})

const storedFilesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'files', 'suite.sqlite'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  )

test('the file is small again after workspaces with files are deleted, and calls go on meanwhile', async () => {
  const folder = scratchFolder()
  const file = join(folder, 'suite.sqlite')
  const { app, call, at, workspace } = await freshApp({ db: file })
  const { sqlite } = workspace.database
  const checkpoint = (): number => {
    workspace.database.flush()
    sqlite.pragma('wal_checkpoint(PASSIVE)')
    return statSync(file).size
  }
  const before = checkpoint()

  const created: string[] = []
  for (let n = 0; n < WORKSPACES; n++) {
    // With another time zone than that of the fixture, whose baseline and files the server keeps.
    const wanted = { fixtures: 'demo', timezone: 'Asia/Tokyo' }
    const { body } = await call('POST', '/_sim/workspaces', { body: wanted })
    const { workspace: of, key } = body as { workspace: { id: string }; key: string }
    created.push(of.id)
    expect((await call('POST', '/grid/v1/media', { ...PICTURE, key })).status).toBe(201)
  }
  const full = checkpoint()
  expect(full).toBeGreaterThan(before + 10_000_000)
  expect(storedFilesIn(folder)).not.toEqual([])

  for (const id of created) expect((await call('DELETE', `/_sim/workspaces/${id}`)).status).toBe(204)
  let writes = 0
  while (statSync(file).size > full / 3) {
    const { status } = await at('catalog')('POST', '/products', { body: { name: 'Desk', type: 'physical' } })
    expect(status).toBe(201)
    writes++
  }

  expect(writes).toBeGreaterThan(1)
  await vi.waitFor(() => {
    expect(storedFilesIn(folder)).toEqual([])
  })
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(
    app.records.count(workspace, app.records.sets.find(({ name }) => name === 'products') as never),
  ).toBe(writes)
}, 300_000)

/** A file with rows, and the row ids of each table. */
function rowidsOf(sqlite: SQLite.Database): Record<string, unknown[]> {
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all() as string[]
  return Object.fromEntries(
    tables.map((table) => [
      table,
      sqlite.prepare(`SELECT rowid FROM "${table}" ORDER BY rowid`).pluck().all(),
    ]),
  )
}

test('a small file of an older version can shrink after it is opened, and keeps the row ids', async () => {
  const file = join(scratchFolder(), 'suite.sqlite')
  const { app, call, workspace } = await freshApp({ db: file })
  await call('POST', '/_sim/workspaces', { body: { fixtures: 'small' } })
  await call('DELETE', `/_sim/workspaces/${workspace.id}`)
  await app.close()
  const old = new SQLite(file)
  old.pragma('auto_vacuum = NONE')
  old.exec('VACUUM')
  expect(old.pragma('auto_vacuum', { simple: true })).toBe(0)
  const before = rowidsOf(old)
  old.close()

  const database = new Database(file, MIGRATIONS)
  expect(database.sqlite.pragma('auto_vacuum', { simple: true })).toBe(2)
  expect(rowidsOf(database.sqlite)).toEqual(before)
  expect(database.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
})

const FREE = 3000

/** A database with that many free pages of 4 KiB, and about the other number in use. */
function withFreePages(free: number, used: number): Database {
  const database = new Database(':memory:', MIGRATIONS)
  const { sqlite } = database
  sqlite.exec('CREATE TABLE filling (n INTEGER PRIMARY KEY, text TEXT)')
  const insert = sqlite.prepare('INSERT INTO filling VALUES (?, ?)')
  database.write(() => {
    for (let n = 0; n < free + used; n++) insert.run(n, 'x'.repeat(4000))
  })
  database.flush()
  database.write(() => sqlite.prepare('DELETE FROM filling WHERE n < ?').run(free))
  database.flush()
  return database
}

const freeIn = ({ sqlite }: Database): number => Number(sqlite.pragma('freelist_count', { simple: true }))

test('a steady load keeps its free pages: some MB, or a small share of the file', () => {
  for (const [free, used] of [
    [1900, 100],
    [FREE, 3 * FREE + 500],
  ] as const) {
    const database = withFreePages(free, used)
    const before = freeIn(database)
    expect(new FreePages(database).release()).toBe(false)
    expect(freeIn(database)).toBe(before)
    database.close()
  }
})

test('many free pages are released in several steps, except a reserve', () => {
  const database = withFreePages(FREE, FREE)
  const pages = new FreePages(database)
  let steps = 0
  while (pages.release()) steps++
  expect(steps).toBeGreaterThan(3)
  expect(freeIn(database)).toBeGreaterThan(FREE / 32)
  expect(freeIn(database)).toBeLessThan(FREE / 8)
  database.close()
})

test('a file that cannot release pages is left as it is', () => {
  const database = withFreePages(FREE, 10)
  database.sqlite.pragma('auto_vacuum = NONE')
  database.sqlite.exec('VACUUM')
  database.write(() => database.sqlite.prepare('DELETE FROM filling').run())
  database.flush()
  expect(new FreePages(database).release()).toBe(false)
  database.close()
})

test('the bytes of pages follow from the size of a page', () => {
  const sqlite = new SQLite(':memory:')
  onTestFinished(() => {
    sqlite.close()
  })
  sqlite.pragma('page_size = 8192')
  sqlite.exec('CREATE TABLE texts (text TEXT); CREATE TABLE others (text TEXT)')
  expect([bytesOfPages(sqlite, 'page_count'), bytesOfPages(sqlite, 'freelist_count')]).toEqual([3 * 8192, 0])
  sqlite.exec('DROP TABLE others')
  expect([bytesOfPages(sqlite, 'page_count'), bytesOfPages(sqlite, 'freelist_count')]).toEqual([
    3 * 8192,
    8192,
  ])
})
