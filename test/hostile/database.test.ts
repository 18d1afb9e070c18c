/** Unusable database files, at start and while the server runs. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkIntegrity } from '../../src/state/storage/database/integrity.ts'
import { databaseHealthOf } from '../../src/state/storage/database/databaseHealth.ts'
import { freshApp } from '../support/app.ts'
import { runHere } from '../support/commandLine.ts'
import { build, run, scratchFolder, start, type Place, type Server } from '../support/process.ts'

beforeAll(build)

const here = (): Place => ({ folder: scratchFolder() })
const ARGS = ['--port', '0', '--db', 'suite.sqlite']
const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

/** What a server left that has run and stopped. */
let left: string | null = null

afterAll(() => {
  if (left !== null) rmSync(left, { recursive: true, force: true })
})

/** A copy of the file of a server that has run and stopped. */
async function used({ folder }: Place): Promise<string> {
  if (left === null) {
    left = mkdtempSync(join(tmpdir(), 'suite-sim-used-'))
    const server = await start(ARGS, { folder: left })
    expect(await server.stop('SIGTERM')).toBe(0)
  }
  cpSync(left, folder, { recursive: true })
  return join(folder, 'suite.sqlite')
}

/** Overwrites pages of the file with garbage. */
function breakPages(file: string, pages: readonly number[]): void {
  const bytes = readFileSync(file)
  const pageSize = bytes.readUInt16BE(16)
  for (const page of pages) bytes.fill(0xa5, (page - 1) * pageSize, page * pageSize)
  writeFileSync(file, bytes)
}

/** The first page of a table. */
function rootOf(file: string, table: string): number {
  const database = new SQLite(file, { readonly: true })
  const row = database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table)
  database.close()
  return (row as { rootpage: number }).rootpage
}

const says = (why: string) => ({ code: 1, stdout: '', stderr: `suite-sim: cannot use ${why}\n` })
const DAMAGED = 'suite.sqlite: the file is damaged; restore a copy of it, or choose another file with --db'

describe('prints one line at start and leaves nothing on the disk', () => {
  test('for a truncated file', async () => {
    const place = here()
    const file = await used(place)
    truncateSync(file, Math.floor(readFileSync(file).length / 2))
    const before = readFileSync(file)
    expect(await run(ARGS, place)).toEqual(says(DAMAGED))
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(place.folder)).toEqual(['files', 'suite.sqlite', 'suite.sqlite-lock'])
  })

  test.each(['sqlite_master', 'meta', 'workspaces'])(
    'for a broken page of the table %s, which every start reads',
    async (table) => {
      const place = here()
      const file = await used(place)
      // The schema table starts on the first page after the file header, and continues on others.
      breakPages(file, table === 'sqlite_master' ? [2, 3, 4] : [rootOf(file, table)])
      const { code, stdout, stderr } = await runHere(ARGS, place)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(`suite-sim: cannot use ${DAMAGED}\n`)
    },
  )

  test.each<[what: string, db: string, why: string]>([
    ['a folder', 'folder', 'there is a folder at that path'],
    ['below a file', 'file/suite.sqlite', 'a part of the path is a file'],
    ['below a file in new folders', 'file/a/b/suite.sqlite', 'a part of the path is a file'],
    ['in a folder of the kernel', '/proc/nowhere/suite.sqlite', 'ENOENT'],
    ['below a name that is too long', `a/b/${'c'.repeat(300)}/suite.sqlite`, 'ENAMETOOLONG'],
  ])('for a path that cannot be a file: %s', async (_what, db, why) => {
    const place = here()
    mkdirSync(join(place.folder, 'folder'))
    writeFileSync(join(place.folder, 'file'), '')
    const { code, stdout, stderr } = await runHere(['--port', '0', '--db', db], place)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^suite-sim: cannot use .+\n$/)
    expect(stderr).toContain(why)
    expect(readdirSync(place.folder).sort()).toEqual(['file', 'folder'])
    expect(readdirSync(join(place.folder, 'folder'))).toEqual([])
  })

  test.each<[what: string, modes: Readonly<Record<string, number>>, db: string, why: RegExp]>([
    [
      'a file that is read-only',
      { 'suite.sqlite': 0o444 },
      'suite.sqlite',
      /this user \(\d+:\d+\) cannot write the file/,
    ],
    ['a file that is not readable', { 'suite.sqlite': 0 }, 'suite.sqlite', /this user may not read the file/],
    [
      'a folder that is read-only',
      { '.': 0o555 },
      'suite.sqlite',
      /this user \(\d+:\d+\) cannot write the folder \S+/,
    ],
    [
      'a new file in a read-only folder',
      { '.': 0o555 },
      'new.sqlite',
      /this user \(\d+:\d+\) cannot write the folder \S+/,
    ],
    [
      'a new folder in a read-only folder',
      { '.': 0o555 },
      'new/new.sqlite',
      /this user lacks the permission/,
    ],
  ])('for a path without permissions: %s', async (_what, modes, db, why) => {
    const place = here()
    await used(place)
    const set = (changed: Readonly<Record<string, number>>): void => {
      for (const [name, mode] of Object.entries(changed)) chmodSync(join(place.folder, name), mode)
    }
    set(modes)
    try {
      const { code, stdout, stderr } = await run(['--port', '0', '--db', db], { ...place, bound: true })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^suite-sim: cannot use \S+: .+\n$/)
      expect(stderr).toMatch(why)
    } finally {
      set({ '.': 0o755, 'suite.sqlite': 0o644 })
    }
    expect(readdirSync(place.folder)).toEqual(['files', 'suite.sqlite', 'suite.sqlite-lock'])
  })

  test('for a folder in place of the write-ahead log', async () => {
    const place = here()
    await used(place)
    mkdirSync(join(place.folder, 'suite.sqlite-wal', 'x'), { recursive: true })
    const { code, stderr } = await runHere(ARGS, place)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^suite-sim: cannot use suite\.sqlite: .+\n$/)
  })
})

test('treats an empty file as a new database', async () => {
  const place = here()
  writeFileSync(join(place.folder, 'suite.sqlite'), '')
  const server = await start(ARGS, place)
  expect((await fetch(`${server.url}/workspace/public/v1/products`, { headers })).status).toBe(200)
})

/** Repeats the request until the response matches. */
async function eventually<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isIt(answer)) return answer
    await setTimeout(50)
  }
}

const add = ({ url }: Server, description: string): Promise<Response> =>
  fetch(`${url}/workspace/public/v1/products`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Desk', type: 'physical', description }),
  })

describe('while the server runs', () => {
  test('returns 503 for reads of a broken page; health reports it, and other calls work', async () => {
    const place = here()
    const file = await used(place)
    breakPages(file, [rootOf(file, 'crm_contacts')])
    const server = await start(ARGS, place)
    const contacts = await fetch(`${server.url}/crm/v1/contacts`, { headers })
    expect(contacts.status).toBe(503)
    expect(await contacts.text()).toContain('The database file is damaged; nothing was changed.')
    const health = await fetch(`${server.url}/_sim/health`)
    expect([health.status, await health.json()]).toEqual([
      503,
      {
        error: {
          code: 'unavailable',
          message: expect.stringMatching(/^The database cannot be used: the file is damaged/) as string,
        },
      },
    ])
    expect((await fetch(`${server.url}/workspace/public/v1/products`, { headers })).status).toBe(200)
    expect(server.lines.join('\n')).toContain('SQLITE_CORRUPT')
    expect(await server.stop('SIGTERM')).toBe(0)
  })

  test.each([
    ['a table', 'crm_contacts'],
    ['an index', 'crm_contacts_created'],
  ])('finds damage in %s without a call that reads it', async (_what, name) => {
    const place = here()
    const file = await used(place)
    breakPages(file, [rootOf(file, name)])
    const server = await start(ARGS, place)
    const health = await eventually(
      () => fetch(`${server.url}/_sim/health`),
      ({ status }) => status === 503,
    )
    expect(await health.text()).toContain('The database cannot be used: the file is damaged')
    expect(server.lines.join('\n')).toContain('the database file is damaged')
    expect((await fetch(`${server.url}/_sim/health/live`)).status).toBe(200)
  })

  test.each(['counters', 'coverage', 'journal', 'emails_to', 'events_workspace'])(
    'returns errors in the envelope of each interface for damage in %s',
    async (name) => {
      const place = here()
      const file = await used(place)
      breakPages(file, [rootOf(file, name)])
      const server = await start(ARGS, place)
      const calls: readonly [method: string, path: string, body?: object][] = [
        ['POST', '/_sim/workspaces', {}],
        ['POST', '/_sim/workspaces', { fixtures: 'demo' }],
        ['POST', '/_sim/workspaces/demo/clone', {}],
        ['GET', '/_sim/workspaces/demo/snapshot'],
        ['GET', '/crm/v1/deals'],
        ['POST', '/workspace/public/v1/products', { name: 'Desk', type: 'physical' }],
        ['POST', '/_sim/workspaces/demo/reset', {}],
        ['DELETE', '/_sim/workspaces/demo'],
        ['POST', '/_sim/reset', {}],
      ]
      const bodies: string[] = []
      for (const [method, path, body] of calls) {
        const answer = await fetch(server.url + path, {
          method,
          ...(body
            ? { headers, body: JSON.stringify(body) }
            : { headers: { authorization: headers.authorization } }),
        })
        const text = await answer.text()
        if (answer.status >= 500) bodies.push(text)
      }
      expect(bodies.length).toBeGreaterThan(0)
      for (const body of bodies) expect(JSON.parse(body)).not.toHaveProperty('statusCode')
    },
  )

  test('finds damage in the middle of a large table', async () => {
    const place = here()
    const file = await used(place)
    const database = new SQLite(file)
    database.exec(`
      CREATE TEMP TABLE numbers AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9000) SELECT x FROM n;
      INSERT INTO counters ("workspace", "kind", "last") SELECT 900000 + x, 'large', x FROM temp.numbers`)
    const pages = database
      .prepare("SELECT pageno FROM dbstat WHERE name = 'counters' AND pagetype = 'leaf' ORDER BY path")
      .pluck()
      .all() as number[]
    database.close()
    breakPages(file, [pages[Math.floor(pages.length / 2)] ?? 0])
    const server = await start(ARGS, place)
    const health = await eventually(
      () => fetch(`${server.url}/_sim/health`),
      ({ status }) => status === 503,
    )
    expect(await health.text()).toContain('The database cannot be used: the file is damaged')
  })

  test('finds no damage in an intact file', async () => {
    const place = here()
    await used(place)
    const database = await freshApp({ db: join(place.folder, 'suite.sqlite') })
    await checkIntegrity(database.app.workspaces.database)
    expect(databaseHealthOf(database.app.workspaces.database).currentError()).toBeNull()
  })

  test('returns 503 if less than 1 MB of disk space is left', async () => {
    const place = here()
    const bytes = join(place.folder, 'free')
    writeFileSync(bytes, String(1024 * 1024))
    const preload = join(place.folder, 'disk.cjs')
    writeFileSync(
      preload,
      `const fs = require('node:fs')
       const { statfsSync } = fs
       fs.statfsSync = (path) => ({ ...statfsSync(path), bsize: 1, bavail: Number(fs.readFileSync(${JSON.stringify(bytes)}, 'utf8')) })`,
    )
    const server = await start(ARGS, { ...place, variables: { NODE_OPTIONS: `--require=${preload}` } })
    expect((await fetch(`${server.url}/_sim/health`)).status).toBe(200)
    writeFileSync(bytes, String(1024 * 1024 - 1))
    const health = await fetch(`${server.url}/_sim/health`)
    expect(health.status).toBe(503)
    expect(await health.text()).toContain('The database cannot be used: the disk is full.')
    writeFileSync(bytes, String(1024 * 1024))
    expect((await fetch(`${server.url}/_sim/health`)).status).toBe(200)
  })

  test('returns 503 on a full disk, changes nothing, and recovers', async () => {
    const place = here()
    const server = await start(ARGS, place)
    const limitFiles = (bytes: string): void => {
      const { status, stderr } = spawnSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`])
      expect(status, String(stderr)).toBe(0)
    }
    // Runs due jobs of the demo data first.
    expect((await add(server, 'before')).status).toBe(201)
    limitFiles('1')
    const refused = await add(server, 'not kept')
    expect(refused.status).toBe(503)
    const health = await fetch(`${server.url}/_sim/health`)
    expect(health.status).toBe(503)
    expect(await health.text()).toMatch(/The database cannot be used: the disk (?:is full|fails)\./)
    expect((await fetch(`${server.url}/workspace/public/v1/products`, { headers })).status).toBe(200)
    limitFiles('unlimited')
    expect((await fetch(`${server.url}/_sim/health`)).status).toBe(200)
    expect((await add(server, 'kept')).status).toBe(201)
    expect(await server.stop('SIGTERM')).toBe(0)
  })
})
