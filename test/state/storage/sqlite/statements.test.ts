/** Statements are compiled on first use. This is visible only in errors. */
import SQLite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { cacheStatements } from '../../../../src/state/storage/sqlite/index.ts'

function connection(): SQLite.Database {
  const sqlite = new SQLite(':memory:')
  onTestFinished(() => {
    sqlite.close()
  })
  cacheStatements(sqlite)
  sqlite.exec('CREATE TABLE things (name TEXT, price INTEGER)')
  return sqlite
}

test('can be prepared before its table exists', () => {
  const sqlite = connection()
  const names = sqlite.prepare('SELECT name FROM later').pluck()
  sqlite.exec("CREATE TABLE later (name TEXT); INSERT INTO later VALUES ('x')")
  expect(names.all()).toEqual(['x'])
})

test('reports an SQL error on each use', () => {
  const wrong = connection().prepare('SELECT nonsense FROM nowhere')
  expect(() => wrong.all()).toThrow('no such table: nowhere')
  expect(() => wrong.all()).toThrow('no such table: nowhere')
})

test('supports every way to run a statement, on first and later uses', () => {
  const sqlite = connection()
  const insert = sqlite.prepare('INSERT INTO things VALUES (?, ?)')
  expect(insert.reader).toBe(false)
  expect(insert.run('a', 1).changes).toBe(1)
  expect(insert.run('b', 2).changes).toBe(1)
  const first = { name: 'a', price: 1 }
  const second = { name: 'b', price: 2 }
  const text = 'SELECT * FROM things ORDER BY'
  const [one, all, each] = ['name', 'price', 'name DESC'].map((order) => sqlite.prepare(`${text} ${order}`))
  const run = (): unknown[] => [one?.get(), all?.all(), [...(each?.iterate() ?? [])]]
  expect(run()).toEqual([first, [first, second], [second, first]])
  expect(run()).toEqual([first, [first, second], [second, first]])
})

test('keeps a result mode set before the first use, and can change it afterwards', () => {
  const things = connection().prepare('INSERT INTO things VALUES (?, ?) RETURNING *')
  expect(things.reader).toBe(true)
  expect(things.raw().get('a', 1)).toEqual(['a', 1])
  expect(things.get('b', 2)).toEqual(['b', 2])
  expect(things.raw(false).get('c', 3)).toEqual({ name: 'c', price: 3 })
  expect(things.pluck().get('d', 4)).toBe('d')
})

test('refuses a direct transaction of the connection, because its rollback would be unknown', () => {
  expect(() => connection().transaction(() => null)).toThrow('Database.write')
})
