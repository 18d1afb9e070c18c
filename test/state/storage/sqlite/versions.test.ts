/** The tables that statements read and write, and which cached reads they invalidate. */
import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cacheStatements } from '../../../../src/state/storage/sqlite/index.ts'
import type { Basis, Observed } from '../../../../src/state/storage/sqlite/versions.ts'
import { freshState } from '../../../support/state.ts'

/** Authors with books, which have pages, and films without references. */
function library() {
  const sqlite = new SQLite(':memory:')
  const { versions } = cacheStatements(sqlite)
  onTestFinished(() => {
    sqlite.close()
  })
  sqlite.exec(`
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE "Books" (id INTEGER PRIMARY KEY, author REFERENCES authors (id) ON DELETE CASCADE, title TEXT);
    CREATE TABLE book_pages (book REFERENCES "Books" (id) ON DELETE SET NULL, text TEXT);
    CREATE TABLE films (id INTEGER PRIMARY KEY, author REFERENCES authors (id));
    CREATE TABLE places (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE streets (place REFERENCES places (id) ON UPDATE CASCADE);
    INSERT INTO authors VALUES (1, 'Ana');
  `)
  const reads = (text: string): string[] => namesOf(versions.readBy(text))
  const writes = (text: string): string[] | null => {
    const tables = versions.writtenBy(text)
    return tables && namesOf(tables)
  }
  return { sqlite, versions, reads, writes }
}

const namesOf = (tables: Basis['tables']): string[] => tables.map(({ name }) => name).sort()

describe('a statement reads its tables', () => {
  test.each([
    ['bare', 'SELECT name FROM authors', ['authors']],
    ['in quotes', 'select "name" from "authors"', ['authors']],
    ['in back quotes and brackets', 'select 1 from `films`, [authors]', ['authors', 'films']],
    ['in other cases', 'SELECT title FROM BOOKS', ['books']],
    ['with their database', 'SELECT 1 FROM main.films', ['films']],
    ['in joins', 'SELECT 1 FROM Books b JOIN authors a ON a.id = b.author', ['authors', 'books']],
    ['in subqueries', 'SELECT (SELECT count(*) FROM films) FROM authors', ['authors', 'films']],
    ['in common table expressions', 'WITH all_of AS (SELECT * FROM films) SELECT * FROM all_of', ['films']],
    [
      'without spaces between',
      'SELECT*FROM"films"WHERE(id)IN(SELECT"id"FROM"authors")',
      ['authors', 'films'],
    ],
    ['and not those with similar names', 'SELECT 1 FROM book_pages', ['book_pages']],
    ['and those that it only seems to name', "SELECT 'films' FROM authors", ['authors', 'films']],
    ['and any table if it names none', 'SELECT total_changes()', ['*']],
  ])('%s', (_how, text, tables) => {
    expect(library().reads(text)).toEqual(tables)
  })
})

describe('a statement writes', () => {
  test.each([
    ['the table that it inserts into', 'INSERT INTO films VALUES (1, 1)', ['*', 'films']],
    [
      'the table that it inserts from as well',
      'INSERT INTO films SELECT id, id FROM authors',
      ['*', 'authors', 'films'],
    ],
    ['the table that it updates, without dependent tables', 'UPDATE authors SET name = 1', ['*', 'authors']],
    ['the tables to which an update cascades', 'UPDATE places SET id = 2', ['*', 'places', 'streets']],
    [
      'the tables to which a deletion cascades at any depth',
      'DELETE FROM authors WHERE id = 1',
      ['*', 'authors', 'book_pages', 'books'],
    ],
    [
      'the same tables when rows are replaced',
      'REPLACE INTO books VALUES (1, 1, 1)',
      ['*', 'book_pages', 'books'],
    ],
    ['unknown tables if it names none', 'INSERT INTO nothing VALUES (1)', null],
  ])('%s', (_what, text, tables) => {
    expect(library().writes(text)).toEqual(tables)
  })
})

test.each([
  ['a view', 'CREATE VIEW names AS SELECT name FROM authors'],
  ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON films BEGIN DELETE FROM authors; END'],
  ['a conflict clause', 'CREATE TABLE single (id INTEGER UNIQUE ON CONFLICT REPLACE)'],
])('treats the tables of every statement as unknown with %s', (_what, made) => {
  const { sqlite, reads, writes } = library()
  sqlite.exec(made)
  expect(reads('SELECT 1 FROM films')).toEqual(['*'])
  expect(writes('INSERT INTO films VALUES (1, 1)')).toBeNull()
})

test('has no such objects in the simulator, and only one-word table names', () => {
  const { versions } = freshState().database
  expect(namesOf(versions.readBy('SELECT 1 FROM catalog_products'))).toEqual(['catalog_products'])
})

describe('cached read', () => {
  const counted = ({ sqlite, versions }: ReturnType<typeof library>): Observed<unknown> =>
    versions.observe(() => sqlite.prepare('SELECT count(*) FROM authors').pluck().get())

  test.each([
    ['a row is added', "INSERT INTO authors VALUES (2, 'Eva')"],
    ['a row is added with RETURNING', "INSERT INTO authors VALUES (2, 'Eva') RETURNING id"],
    ['a row is changed', "UPDATE authors SET name = 'Eva'"],
    ['a row is removed', 'DELETE FROM authors'],
    ['a row is replaced', "INSERT OR REPLACE INTO authors VALUES (1, 'Eva')"],
    [
      'rows are added by a statement with another beginning',
      'WITH one AS (SELECT 9) INSERT INTO authors SELECT *, 1 FROM one',
    ],
    ['a table is created', 'CREATE TABLE later (id)'],
    ['the table is altered', 'ALTER TABLE authors ADD COLUMN born'],
  ])('is invalid when %s', (_what, text) => {
    for (const way of ['run', 'get', 'all', 'iterate', 'exec'] as const) {
      const place = library()
      const { basis } = counted(place)
      expect(place.versions.holds(basis)).toBe(true)
      const statement = place.sqlite.prepare(text)
      if (way === 'exec') place.sqlite.exec(text)
      else if (!statement.reader) statement.run()
      else if (way === 'iterate') expect([...statement.iterate()]).toHaveLength(1)
      else if (way !== 'run') statement[way]()
      else continue
      expect(place.versions.holds(basis), way).toBe(false)
    }
  })

  test('is invalid after a failed write, because its extent is unknown', () => {
    const place = library()
    const { basis } = counted(place)
    expect(() => place.sqlite.prepare("INSERT INTO authors VALUES (2, 'Ana')").run()).toThrow('UNIQUE')
    expect(place.versions.holds(basis)).toBe(false)
  })

  test.each(['ROLLBACK', 'ROLLBACK TO begun'])('is invalid after %s', (undo) => {
    const place = library()
    place.sqlite.prepare('SAVEPOINT begun').run()
    const { basis } = counted(place)
    place.sqlite.prepare(undo).run()
    expect(place.versions.holds(basis)).toBe(false)
  })

  test('stays valid when other tables are written, and when a transaction begins and ends', () => {
    const place = library()
    const { basis } = counted(place)
    for (const text of [
      'BEGIN IMMEDIATE',
      'SAVEPOINT one',
      'INSERT INTO films VALUES (1, 1)',
      'RELEASE one',
      'COMMIT',
    ]) {
      place.sqlite.prepare(text).run()
    }
    place.sqlite.prepare('SELECT * FROM authors').all()
    expect(place.versions.holds(basis)).toBe(true)
  })

  test('is invalid after any write if it names no table', () => {
    const { sqlite, versions } = library()
    const { basis } = versions.observe(() => sqlite.prepare('SELECT total_changes()').get())
    expect(versions.holds(basis)).toBe(true)
    sqlite.prepare('INSERT INTO films VALUES (1, 1)').run()
    expect(versions.holds(basis)).toBe(false)
  })

  test('is never valid if the table was written during the read', () => {
    const place = library()
    const { basis } = place.versions.observe(() => {
      counted(place)
      place.sqlite.prepare("UPDATE authors SET name = 'Eva'").run()
    })
    expect(place.versions.holds(basis)).toBe(false)
  })

  test('includes nested reads: when it runs, when it is valid, and when it fails', () => {
    const place = library()
    const { versions, sqlite } = place
    const inner = counted(place)
    const readAnew = versions.observe(() => counted(place))
    const held = versions.observe(() => versions.holds(inner.basis))
    const failed = versions.observe(() => {
      expect(() =>
        versions.observe(() => {
          counted(place)
          throw new Error('refused')
        }),
      ).toThrow('refused')
    })
    const after = versions.observe(() => sqlite.prepare('SELECT 1 FROM films').all())
    for (const { basis } of [readAnew, held, failed]) expect(namesOf(basis.tables)).toEqual(['authors'])
    expect(namesOf(after.basis.tables)).toEqual(['films'])
  })
})

test('refuses a direct transaction of the connection, because its rollback would be unknown', () => {
  const { sqlite } = library()
  expect(() => sqlite.transaction(() => null)).toThrow('Database.write')
})

describe('any writes and rollbacks', () => {
  const row = fc.record({ table: fc.constantFrom('authors', 'films'), id: fc.nat({ max: 5 }) })
  const write = fc.oneof(
    row.map(({ table, id }) => `INSERT OR IGNORE INTO ${table} (id) VALUES (${String(id)})`),
    row.map(({ table, id }) => `UPDATE OR IGNORE ${table} SET id = id + 1 WHERE id = ${String(id)}`),
    row.map(({ table, id }) => `DELETE FROM ${table} WHERE id = ${String(id)}`),
    row.map(({ id }) => `INSERT OR IGNORE INTO books VALUES (${String(id)}, ${String(id)}, NULL)`),
    fc.constantFrom('SAVEPOINT one', 'SAVEPOINT one', 'RELEASE one', 'ROLLBACK TO one'),
  )
  const questions = [
    'SELECT group_concat(id) FROM authors',
    'SELECT group_concat(id) FROM films',
    'SELECT count(*) FROM books JOIN authors ON authors.id = author',
  ]

  test('keep cached reads equal to new reads', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
        const { sqlite, versions } = library()
        const known = new Map<string, Observed<unknown>>()
        for (const text of writes) {
          try {
            sqlite.prepare(text).run()
          } catch {
            // An unknown savepoint or a film that refers to the author: nothing was written.
          }
          for (const question of questions) {
            const read = () => sqlite.prepare(question).pluck().get()
            const cached = known.get(question)
            if (cached && versions.holds(cached.basis)) expect(cached.value).toEqual(read())
            else known.set(question, versions.observe(read))
          }
        }
      }),
    )
  })
})
