/**
 * Files written under a previous collation: their keys are computed again before the first request. The file is that
 * of kept-file.test.ts, whose keys have no case but all accents.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import SQLite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../../support/process.ts'
import { controlApp } from '../app.ts'

const KEY = 'demo-key'

const copied = (): string => {
  const file = join(scratchFolder(), 'suite.sqlite')
  writeFileSync(file, gunzipSync(readFileSync(join(ROOT, 'test/fixtures/four-migrations.sqlite.gz'))))
  return file
}

/** Changes the file while no app has it open. */
function inFile<Answer>(file: string, act: (sqlite: SQLite.Database) => Answer): Answer {
  const sqlite = new SQLite(file)
  try {
    return act(sqlite)
  } finally {
    sqlite.close()
  }
}

const keysIn = (file: string): unknown[] =>
  inFile(file, (sqlite) =>
    sqlite.prepare('SELECT workspace, id, name_key, search_key FROM crm_contacts ORDER BY rowid').all(),
  )

const revisionsIn = (file: string): unknown[] =>
  inFile(file, (sqlite) => sqlite.prepare('SELECT workspace, id, revision FROM crm_contacts').all())

/** The columns of contacts, one of them replaced by an expression. */
const columnsBut = (sqlite: SQLite.Database, name: string, expression: string): string =>
  (sqlite.pragma('table_info(crm_contacts)') as { name: string }[])
    .map((column) => (column.name === name ? expression : column.name))
    .join(', ')

async function opened(file: string) {
  const app = await controlApp({ db: file })
  const contacts = async (query: string): Promise<string[]> => {
    const { body } = await app.call('GET', `/crm/v1/contacts?${query}`, KEY)
    return (body as { data: { name: string }[] }).data.map(({ name }) => name)
  }
  return { ...app, app, contacts }
}

/** Returns the key columns of a file with their tables: those of `keys` are no derived ones. */
const keyColumns = (sqlite: SQLite.Database): { table: string; column: string; type: string }[] =>
  sqlite
    .prepare<[], { table: string; column: string; type: string }>(
      `SELECT t.name AS "table", c.name AS "column", c.type FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.name GLOB '*[a-z]_key*'`,
    )
    .all()

const allKeysIn = (file: string): unknown[] =>
  inFile(file, (sqlite) =>
    keyColumns(sqlite).map(({ table, column }) => [
      table,
      column,
      sqlite.prepare(`SELECT ${column} FROM ${table} ORDER BY rowid`).pluck().all(),
    ]),
  )

/** Checks that searches ignore accents and find the digits of a phone number. */
async function isRenewed({ contacts }: Awaited<ReturnType<typeof opened>>): Promise<void> {
  expect(await contacts('search=nunez')).toEqual(['Javier Núñez'])
  expect(await contacts('search=MONICA%20v')).toEqual(['Mónica Vargas'])
  expect(await contacts('search=%2B507%2060000104')).toEqual(['Felipe Arias'])
}

describe('a file whose keys have accents', () => {
  test('is searched and sorted without accents as soon as it is opened', async () => {
    const file = copied()
    inFile(file, (sqlite) =>
      sqlite.exec("UPDATE crm_contacts SET name = 'Émile', name_key = 'émile' WHERE name = 'Gabriela Ruiz'"),
    )
    const app = await opened(file)

    await isRenewed(app)
    expect((await app.contacts('sort_by=name&sort_dir=asc')).slice(2, 5)).toEqual([
      'Elena Prado',
      'Émile',
      'Felipe Arias',
    ])
  })

  test('stays so after a reset', async () => {
    const app = await opened(copied())
    const { body } = await app.call('GET', '/crm/v1/contacts?search=nunez', KEY)
    const [{ id }] = (body as { data: [{ id: string }] }).data
    await app.call('DELETE', `/crm/v1/contacts/${id}`, KEY)
    expect(await app.contacts('search=nunez')).toEqual([])

    expect((await app.sim('POST', '/workspaces/demo/reset')).status).toBe(204)

    await isRenewed(app)
  })

  test('gets its new keys once', async () => {
    const file = copied()
    await (await opened(file)).app.close()
    inFile(file, (sqlite) => sqlite.exec("UPDATE crm_contacts SET search_key = 'kept' WHERE name LIKE 'J%'"))
    const before = keysIn(file)

    const again = await opened(file)

    expect(await again.contacts('search=kept')).toEqual(['Javier Núñez'])
    await again.app.close()
    expect(keysIn(file)).toEqual(before)
  })

  test('gets all new keys or none, and the missing ones when it is opened again', async () => {
    const file = copied()
    // Links come after contacts.
    inFile(file, (sqlite) =>
      sqlite.exec(
        "CREATE TRIGGER stopping BEFORE UPDATE ON integration_links BEGIN SELECT RAISE(ABORT, 'stopped'); END",
      ),
    )
    const before = keysIn(file)

    await expect(opened(file)).rejects.toThrow('stopped')

    expect(keysIn(file)).toEqual(before)
    inFile(file, (sqlite) => sqlite.exec('DROP TRIGGER stopping'))
    await isRenewed(await opened(file))
  })

  test('gets new keys for many rows without new revisions', async () => {
    const file = copied()
    inFile(file, (sqlite) =>
      sqlite.exec(`
        CREATE TEMP TABLE many AS SELECT * FROM crm_contacts WHERE name LIKE 'J%' AND workspace > 0;
        UPDATE many SET name = 'Ñandú', name_key = 'ñandú', search_key = 'ñandú';
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500)
        INSERT INTO crm_contacts SELECT ${columnsBut(sqlite, 'id', "'con_many_' || n")} FROM many, numbers;
      `),
    )
    const revisions = revisionsIn(file)

    const { app, call } = await opened(file)

    const { body } = await call('GET', '/crm/v1/contacts?search=nandu&per_page=1', KEY)
    expect(body).toMatchObject({ meta: { total_count: 2500 } })
    await app.close()
    expect(revisionsIn(file)).toEqual(revisions)
  })
})

describe('a file of the last minor version', () => {
  const kept = (): string => {
    const file = join(scratchFolder(), 'suite.sqlite')
    const { database } = JSON.parse(
      gunzipSync(readFileSync(join(ROOT, 'test/fixtures/versions/0.2.json.gz'))).toString(),
    ) as { database: string }
    writeFileSync(file, Buffer.from(database, 'base64'))
    return file
  }

  test('gets all its keys anew, also those without folded texts', async () => {
    const file = kept()
    await (await opened(file)).app.close()
    const before = allKeysIn(file)
    expect(before.length).toBeGreaterThan(30)
    inFile(file, (sqlite) => {
      for (const { table, column, type } of keyColumns(sqlite)) {
        const other = type === 'TEXT' ? `${column} || ' of before ' || rowid` : `${column} + rowid`
        sqlite.exec(`UPDATE ${table} SET ${column} = ${other}`)
      }
      sqlite.exec("UPDATE meta SET value = '1' WHERE name = 'collation'")
    })
    expect(allKeysIn(file)).not.toEqual(before)

    await (await opened(file)).app.close()

    expect(allKeysIn(file)).toEqual(before)
  })

  test('sorts its invoices by pesos, and finds e-mail addresses in any Unicode form', async () => {
    const file = kept()
    const address = 'rené@studio.example'
    inFile(file, (sqlite) => {
      sqlite.exec(
        "UPDATE tax_invoices SET moneda = 'USD', tipo_cambio = '20', total = '9000.00', total_key = 9000 WHERE folio = 3",
      )
      sqlite
        .prepare(
          'UPDATE crm_contacts SET email = @sent, email_key = @sent WHERE id = (SELECT min(id) FROM crm_contacts)',
        )
        .run({ sent: address.normalize('NFD') })
    })

    const { call } = await opened(file)

    const invoices = await call('GET', '/einvoicing/v1/invoices?sort_by=total&type=I', KEY)
    expect((invoices.body as { data: { folio: number }[] }).data.slice(0, 2)).toMatchObject([
      { folio: 3 },
      { folio: 2 },
    ])
    const { status } = await call('POST', '/crm/v1/contacts', KEY, { name: 'René', email: address })
    expect(status).toBe(409)
  })
})
