/** Backups through the control plane. `test/serve/backup.test.ts` restores them. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { controlApp, type SimCall } from '../app.ts'
import { scratchFolder } from '../../support/process.ts'

async function setup(db = join(scratchFolder(), 'suite.sqlite')) {
  const app = await controlApp({ db })
  const folder = scratchFolder()
  const backUp = (directory = join(folder, 'backup'), call: SimCall = {}) =>
    app.sim('POST', '/backup', { body: { directory }, ...call })
  return { ...app, db, folder, directory: join(folder, 'backup'), backUp }
}

/** The hashes of the stored files in a folder `files/<database>`. */
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.length === 2)
        .flatMap((name) => readdirSync(join(folder, name)))
        .sort()
    : []

test('has the database and its stored files, which a server can use', async () => {
  const { sim, call, backUp, directory } = await setup()
  const made = await sim('POST', '/workspaces', { body: { fixtures: 'demo' } })
  const { status, body } = await backUp()

  const stored = filesIn(join(directory, 'files', 'suite.sqlite'))
  const sizes = stored.map(
    (hash) => statSync(join(directory, 'files/suite.sqlite', hash.slice(0, 2), hash)).size,
  )
  const bytes = sizes.reduce((sum, size) => sum + size, statSync(join(directory, 'suite.sqlite')).size)
  expect({ status, body }).toEqual({ status: 200, body: { directory, bytes, files: stored.length } })
  expect(stored.length).toBeGreaterThan(0)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(statSync(join(directory, 'suite.sqlite')).mode & 0o777).toBe(0o600)
  expect(statSync(join(directory, 'files')).mode & 0o777).toBe(0o700)

  const second = await controlApp({ db: join(directory, 'suite.sqlite') })
  const products = (app: { call: typeof call }) =>
    app.call('GET', '/workspace/public/v1/products', (made.body as { key: string }).key)
  expect((await products(second)).body).toEqual((await products({ call })).body)
})

test('goes into a new or empty directory only, or replaces one that was cut off', async () => {
  const { backUp, folder } = await setup()
  const at = (name: string) => join(folder, name)
  mkdirSync(at('empty'))
  expect((await backUp(at('empty'))).status).toBe(200)
  const again = await backUp(at('empty'))
  expect([again.status, again.body.error.message]).toEqual([
    409,
    `${at('empty')} already has a backup. Choose another directory.`,
  ])
  mkdirSync(at('other'))
  writeFileSync(at('other/letter.txt'), 'Dear Ana')
  const other = await backUp(at('other'))
  expect([other.status, other.body.error.message]).toEqual([
    409,
    `${at('other')} is not empty: it has letter.txt.`,
  ])
  expect(readdirSync(at('other'))).toEqual(['letter.txt'])
  mkdirSync(at('cut/files'), { recursive: true })
  writeFileSync(at('cut/suite.sqlite.partial'), 'half')
  expect((await backUp(at('cut'))).status).toBe(200)
  expect(readdirSync(at('cut'))).toContain('suite.sqlite')
  expect(readdirSync(at('cut'))).not.toContain('suite.sqlite.partial')
})

test.each([
  ['a relative path', 'backups', 400, 'directory must be an absolute path'],
  ['an empty path', '', 400, 'directory'],
  ['a NUL byte', '/tmp/\0', 400, ''],
  ['a kernel folder', '/proc/backup', 409, 'The backup cannot be written to /proc/backup'],
  ['a file', '/etc/hosts', 409, '/etc/hosts is a file.'],
  ['a path below a file', '/etc/hosts/backup', 409, 'a part of the path is a file'],
])('refuses %s', async (_case, directory, status, message) => {
  const { backUp } = await setup()
  const refused = await backUp(directory)
  expect(refused.status).toBe(status)
  expect(refused.body.error.message).toContain(message)
})

test('is refused in the folder of the stored files', async () => {
  const { backUp, db } = await setup()
  const refused = await backUp(join(db, '../files/suite.sqlite/zz'))
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    expect.stringContaining('in the folder of the stored files'),
  ])
})

test('is refused if a stored file is missing, whose name it says', async () => {
  const { backUp, sim, db, directory } = await setup()
  await sim('POST', '/workspaces', { body: { fixtures: 'demo' } })
  const [hash = ''] = filesIn(join(db, '../files/suite.sqlite'))
  rmSync(join(db, '../files/suite.sqlite', hash.slice(0, 2), hash))
  const refused = await backUp()
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    `The backup cannot be written to ${directory}: the stored file ${hash} is missing.`,
  ])
  expect(existsSync(directory)).toBe(false)
})

test('can be read by the user of the server only', async () => {
  const { backUp, directory } = await setup()
  mkdirSync(directory)
  await backUp()
  expect(statSync(join(directory, 'suite.sqlite')).mode & 0o777).toBe(0o600)
})

test('runs once at a time', async () => {
  const { backUp, folder } = await setup()
  const answers = await Promise.all(['a', 'b'].map((name) => backUp(join(folder, name))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await backUp(join(folder, 'c'))).status).toBe(200)
})

test.each([
  ['x-forwarded-for', '203.0.113.7'],
  ['forwarded', 'for=203.0.113.7'],
  ['via', '1.1 proxy'],
  ['x-real-ip', '203.0.113.7'],
])('is for the machine of the server only: a call with %s is refused', async (name, value) => {
  const { backUp, directory } = await setup()
  const refused = await backUp(directory, { headers: { [name]: value } })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
  expect(existsSync(directory)).toBe(false)
})

test.each([
  ['127.0.0.1', 200],
  ['::1', 200],
  ['::ffff:127.0.0.1', 200],
  ['10.0.0.7', 403],
  ['::ffff:10.0.0.7', 403],
])('from the address %s it has the status %d', async (remoteAddress, status) => {
  const { fastify, directory } = await setup()
  const response = await fastify.inject({
    method: 'POST',
    url: '/_sim/backup',
    payload: { directory },
    remoteAddress,
  })
  expect(response.statusCode).toBe(status)
})

test('of a server in memory is refused with another way', async () => {
  const { backUp } = await setup(':memory:')
  const refused = await backUp()
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('snapshots')])
})

test('is a database that SQLite finds intact', async () => {
  const { backUp, directory } = await setup()
  await backUp()
  const sqlite = new SQLite(join(directory, 'suite.sqlite'))
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  sqlite.close()
})
