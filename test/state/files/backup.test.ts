/** Backups while stored files are deleted. test/control/server/backup.test.ts has the call. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp } from '../../../src/state/files/backup.ts'
import { copyDatabase } from '../../../src/state/files/databaseCopy.ts'
import { controlApp } from '../../control/app.ts'
import { scratchFolder } from '../../support/process.ts'

/** The hashes of the stored files in a folder `files/<database>`. */
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.length === 2)
        .flatMap((name) => readdirSync(join(folder, name)))
        .sort()
    : []

test('has the files that are deleted while it runs, and they are deleted afterwards', async () => {
  const db = join(scratchFolder(), 'suite.sqlite')
  const directory = join(scratchFolder(), 'backup')
  const { workspaces, sim } = await controlApp({ db })
  const { body } = await sim('POST', '/workspaces', {
    // With another time zone than that of the fixture, whose files the server keeps.
    body: { fixtures: 'demo', timezone: 'Asia/Tokyo' },
  })
  const stored = filesIn(join(db, '../files/suite.sqlite'))
  expect(stored.length).toBeGreaterThan(0)
  const made = await backUp(workspaces.database, directory, async (copying) => {
    const hashes = await copyDatabase(copying)
    const { id } = (body as { workspace: { id: string } }).workspace
    expect((await sim('DELETE', `/workspaces/${id}`)).status).toBe(204)
    const rows = workspaces.database.sqlite.prepare('SELECT count(*) FROM stored_files').pluck()
    await expect.poll(() => rows.get()).toBe(0)
    expect(filesIn(join(db, '../files/suite.sqlite'))).toEqual(stored)
    return hashes
  })
  expect(made.files).toBe(stored.length)
  expect(filesIn(join(directory, 'files/suite.sqlite'))).toEqual(stored)
  await expect.poll(() => filesIn(join(db, '../files/suite.sqlite'))).toEqual([])
})
