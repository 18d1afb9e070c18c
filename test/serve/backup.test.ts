/** `suite-sim backup` and `suite-sim restore`. Servers that are killed are processes. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATA_FORMAT } from '../../src/state/storage/database/database.ts'
import { runHere, serveHere } from '../support/commandLine.ts'
import { build, run, scratchFolder, start } from '../support/process.ts'

beforeAll(build)

const KEY = { authorization: 'Bearer demo-key' }
const SERVE = ['serve', '--port', '0', '--db', 'data/suite.sqlite']

/** A server; its commands are processes if it is one. */
async function setup(begin: typeof serveHere | typeof start = serveHere) {
  const folder = scratchFolder()
  const place = { folder }
  const server = await begin(SERVE, place)
  const execute = begin === start ? run : runHere
  const create = async (url: string, name: string) => {
    const response = await fetch(`${url}/workspace/public/v1/products`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ name, type: 'physical' }),
    })
    expect(response.status).toBe(201)
  }
  const backup = (directory: string, url = server.url) => execute(['backup', directory, '--url', url], place)
  const restore = (directory: string, ...args: string[]) => execute(['restore', directory, ...args], place)
  return { folder, place, server, create, backup, restore }
}

/** The names of the products, in the order of their creation. */
async function namesAt(url: string): Promise<string[]> {
  const response = await fetch(`${url}/_sim/workspaces/demo/snapshot`)
  const { catalog } = (await response.json()) as { catalog: { products: { name: string }[] } }
  return catalog.products.map(({ name }) => name)
}

describe('a backup of a server that writes', () => {
  test('is of one instant: it has all that was answered before, and nothing without what came earlier', async () => {
    const { server, create, backup, restore, place } = await setup()
    let [count, isOver] = [0, false]
    const writer = (async () => {
      while (!isOver) await create(server.url, `n${String(++count).padStart(6, '0')}`)
    })()
    while (count < 20) await create(server.url, `other ${String(count)}`)
    const before = count - 1
    const made = await backup('b')
    isOver = true
    await writer
    expect(made).toMatchObject({ code: 0, stderr: '' })
    await server.stop('SIGTERM')

    expect(await restore('b', '--db', 'restored/suite.sqlite')).toMatchObject({ code: 0, stderr: '' })
    const second = await serveHere(['serve', '--port', '0', '--db', 'restored/suite.sqlite'], place)
    const names = (await namesAt(second.url)).filter((name) => /^n\d+$/.test(name))
    expect(names).toEqual(names.map((_name, index) => `n${String(index + 1).padStart(6, '0')}`))
    expect(names.length).toBeGreaterThanOrEqual(before)
    expect(names.length).toBeLessThanOrEqual(count)
  })
})

describe('a server', () => {
  test('is refused if its user may not write the lock file', async () => {
    const { server, folder } = await setup()
    await server.stop('SIGTERM')
    chmodSync(join(folder, 'data/suite.sqlite-lock'), 0o444)
    const { code, stderr } = await run(SERVE, { folder, bound: true })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/may not write .*suite\.sqlite-lock/)])
  })
})

describe('a restore', () => {
  /** A backup of a running server. */
  async function backedUp(begin?: typeof start) {
    const all = await setup(begin)
    await all.create(all.server.url, 'kept')
    expect((await all.backup('b')).code).toBe(0)
    return all
  }

  test('replaces a database only with --force, together with its log', async () => {
    const { server, create, restore, place, folder } = await backedUp(start)
    await create(server.url, 'later')
    // Its log has what the file has not.
    await server.stop('SIGKILL')
    expect(await restore('b')).toMatchObject({
      code: 1,
      stderr: 'suite-sim: data/suite.sqlite exists; to replace it, add --force\n',
    })
    expect(await restore('b', '--force', '--json')).toMatchObject({ code: 0, stderr: '' })
    const second = await serveHere(SERVE, place)
    const names = await namesAt(second.url)
    expect([names.includes('kept'), names.includes('later')]).toEqual([true, false])
    await second.stop('SIGTERM')
    expect(readdirSync(join(folder, 'data'))).toEqual(['files', 'suite.sqlite', 'suite.sqlite-lock'])
  })

  test('is refused while a server uses the database', async () => {
    const { server, restore } = await backedUp()
    expect(await restore('b', '--force')).toMatchObject({
      code: 1,
      stderr: `suite-sim: cannot use data/suite.sqlite: another process is using it: a suite simulator runs at ${server.url}\n`,
    })
  })

  const ENTIRE = 'b/suite.sqlite'

  let kept = ''
  /** The folder of a backup, copied for a test that damages it. */
  async function copied(): Promise<string> {
    if (kept === '') {
      kept = mkdtempSync(join(tmpdir(), 'suite-sim-backup-'))
      const { folder } = await backedUp()
      cpSync(join(folder, 'b'), join(kept, 'b'), { recursive: true })
    }
    const folder = scratchFolder()
    cpSync(kept, folder, { recursive: true })
    return folder
  }

  afterAll(() => {
    if (kept !== '') rmSync(kept, { recursive: true })
  })

  test.each([
    [
      'without a backup',
      (at: string) => {
        rmSync(join(at, ENTIRE))
      },
      'there is no backup in b',
    ],
    [
      'of a backup that was cut off',
      (at: string) => {
        rmSync(join(at, ENTIRE))
        writeFileSync(join(at, `${ENTIRE}.partial`), '')
      },
      'there is no complete backup in b',
    ],
    [
      'of a damaged database',
      (at: string) => {
        const bytes = readFileSync(join(at, ENTIRE))
        writeFileSync(join(at, ENTIRE), bytes.fill(7, 100, bytes.length - 100))
      },
      'cannot use b/suite.sqlite: ',
    ],
    [
      'of a newer format',
      (at: string) => {
        const sqlite = new SQLite(join(at, ENTIRE))
        sqlite.pragma(`user_version = ${String(DATA_FORMAT + 1)}`)
        sqlite.close()
      },
      'cannot use b/suite.sqlite: a newer version of suite-sim wrote it',
    ],
    [
      'without a stored file',
      (at: string) => {
        rmSync(aFile(at))
      },
      'the backup is damaged: the stored file',
    ],
    [
      'with a changed file',
      (at: string) => {
        appendFileSync(aFile(at), 'x')
      },
      'has changed',
    ],
  ])('%s is refused and writes nothing', async (_case, damage, message) => {
    const folder = await copied()
    damage(folder)
    const { code, stderr } = await runHere(['restore', 'b', '--db', 'new/suite.sqlite'], { folder })
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })

  test('is refused while a server of version 0.1 uses the database, which locks the file itself', async () => {
    const { server, folder, place } = await backedUp()
    await server.stop('SIGTERM')
    const old = new SQLite(join(folder, 'data/suite.sqlite'))
    old.pragma('locking_mode = EXCLUSIVE')
    old.exec('BEGIN EXCLUSIVE; COMMIT')
    // Locks of files are those of a process.
    const refused = await run(['restore', 'b', '--force'], place)
    old.close()
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('another process is using it'),
    ])
  })

  test('is refused while another program reads the database', async () => {
    const { server, create, restore, folder } = await backedUp(start)
    await create(server.url, 'later')
    await server.stop('SIGKILL')
    const reader = new SQLite(join(folder, 'data/suite.sqlite'), { readonly: true })
    reader.exec('BEGIN; SELECT 1 FROM meta')
    const refused = await restore('b', '--force')
    reader.close()
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/cannot (?:replace|use) .*data\/suite.sqlite/),
    ])
    const again = await serveHere(SERVE, { folder })
    expect(await namesAt(again.url)).toContain('later')
  })

  test('replaces the database that a link names, and the link stays', async () => {
    const { server, restore, folder, place } = await backedUp()
    await server.stop('SIGTERM')
    symlinkSync(join(folder, 'data/suite.sqlite'), join(folder, 'link.sqlite'))
    expect(await restore('b', '--db', 'link.sqlite', '--force')).toMatchObject({ code: 0, stderr: '' })
    expect(lstatSync(join(folder, 'link.sqlite')).isSymbolicLink()).toBe(true)
    const second = await serveHere(SERVE, place)
    expect(await namesAt(second.url)).toContain('kept')
  })

  test('replaces a damaged database', async () => {
    const { server, restore, folder, place } = await backedUp()
    await server.stop('SIGTERM')
    writeFileSync(join(folder, 'data/suite.sqlite'), 'This is no database. '.repeat(1000))
    expect(await restore('b', '--force')).toMatchObject({ code: 0, stderr: '' })
    const second = await serveHere(SERVE, place)
    expect(await namesAt(second.url)).toContain('kept')
  })

  test('to memory is a wrong use', async () => {
    const folder = await copied()
    expect(await runHere(['restore', 'b', '--db', ':memory:'], { folder })).toMatchObject({ code: 2 })
  })
})

/** A stored file of the backup in `b`. */
function aFile(folder: string): string {
  const root = join(folder, 'b/files/suite.sqlite')
  const [first = ''] = readdirSync(root)
  const [hash = ''] = readdirSync(join(root, first))
  return join(root, first, hash)
}
