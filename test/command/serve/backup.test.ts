/** `suite-sim backup` and `suite-sim restore`, with servers as processes. */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { DATA_FORMAT } from '../../../src/state/storage/database/database.ts'
import { build, run, scratchFolder, start } from '../../support/process.ts'

beforeAll(build)

const KEY = { authorization: 'Bearer demo-key' }
const SERVE = ['serve', '--port', '0', '--db', 'data/suite.sqlite']

async function setup() {
  const folder = scratchFolder()
  const place = { folder }
  const server = await start(SERVE, place)
  const create = async (url: string, name: string) => {
    const response = await fetch(`${url}/workspace/public/v1/products`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ name, type: 'physical' }),
    })
    expect(response.status).toBe(201)
  }
  const backup = (directory: string, url = server.url) => run(['backup', directory, '--url', url], place)
  const restore = (directory: string, ...args: string[]) => run(['restore', directory, ...args], place)
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
    await server.stop('SIGKILL')

    expect(await restore('b', '--db', 'restored/suite.sqlite')).toMatchObject({ code: 0, stderr: '' })
    const second = await start(['serve', '--port', '0', '--db', 'restored/suite.sqlite'], place)
    const names = (await namesAt(second.url)).filter((name) => /^n\d+$/.test(name))
    expect(names).toEqual(names.map((_name, index) => `n${String(index + 1).padStart(6, '0')}`))
    expect(names.length).toBeGreaterThanOrEqual(before)
    expect(names.length).toBeLessThanOrEqual(count)
  })
})

describe('a restore', () => {
  /** A backup of a stopped server. */
  async function backedUp() {
    const all = await setup()
    await all.create(all.server.url, 'kept')
    expect((await all.backup('b')).code).toBe(0)
    return all
  }

  test('replaces a database only with --force, together with its log', async () => {
    const { server, create, restore, place, folder } = await backedUp()
    await create(server.url, 'later')
    // Its log has what the file has not.
    await server.stop('SIGKILL')
    expect(await restore('b')).toMatchObject({
      code: 1,
      stderr: 'suite-sim: data/suite.sqlite exists; to replace it, add --force\n',
    })
    expect(await restore('b', '--force', '--json')).toMatchObject({ code: 0, stderr: '' })
    const second = await start(SERVE, place)
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
    const { folder, restore } = await backedUp()
    damage(folder)
    const { code, stderr } = await restore('b', '--db', 'new/suite.sqlite')
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(existsSync(join(folder, 'new/suite.sqlite'))).toBe(false)
  })

  test('to memory is a wrong use', async () => {
    const { restore } = await backedUp()
    expect(await restore('b', '--db', ':memory:')).toMatchObject({ code: 2 })
  })
})

/** A stored file of the backup in `b`. */
function aFile(folder: string): string {
  const root = join(folder, 'b/files/suite.sqlite')
  const [first = ''] = readdirSync(root)
  const [hash = ''] = readdirSync(join(root, first))
  return join(root, first, hash)
}
