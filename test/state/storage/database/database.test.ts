/** The database file: opening, refusing, migrating, and committed writes. Some of this has no effect in responses. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate as drizzleMigrate } from 'drizzle-orm/better-sqlite3/migrator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FileStore } from '../../../../src/state/files/fileStore.ts'
import { DATA_FORMAT, Database, formatOf } from '../../../../src/state/storage/database/database.ts'
import { DatabaseFileError } from '../../../../src/state/storage/database/databaseFileError.ts'
import { refuse } from '../../../../src/state/model/refusal.ts'
import { keys, meta } from '../../../../src/state/storage/tables.ts'
import { freshCatalog, type ProductBody } from '../../../support/catalog.ts'
import { scratchFolder } from '../../../support/process.ts'
import { runs } from '../../../support/extent.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../../src/state/storage/migrations', import.meta.url))

const scratchFile = (): string => join(scratchFolder(), 'suite.sqlite')

/** Opens a database and closes it after the test. */
function open(file = ':memory:', migrations = MIGRATIONS): Database {
  const database = new Database(file, migrations)
  onTestFinished(() => {
    database.close()
  })
  return database
}

function problemOf(action: () => unknown): DatabaseFileError {
  try {
    action()
  } catch (error) {
    if (error instanceof DatabaseFileError) return error
    throw error
  }
  throw new Error('there was no problem')
}

const put = (database: Database, name: string, value = ''): void => {
  database.orm.insert(meta).values({ name, value }).run()
}

/** The names in the meta table, without the counters of the database. */
const names = (database: Database): string[] =>
  database.orm
    .select({ name: meta.name })
    .from(meta)
    .orderBy(meta.name)
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== 'openings')

describe('opening', () => {
  test('creates the file and its folders, and keeps written data', () => {
    const file = join(scratchFolder(), 'a', 'b', 'suite.sqlite')

    const first = open(file)
    first.write(() => {
      put(first, 'kept')
    })
    first.close()
    const second = open(file)

    expect([first.isNew, second.isNew]).toEqual([true, false])
    expect(names(second)).toEqual(['kept'])
  })

  test('keeps the file, its log and the stored files from other users, whatever the umask is', () => {
    const umask = process.umask(0o022)
    onTestFinished(() => void process.umask(umask))
    const file = scratchFile()
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
    const filesOf = () => ['', '-wal', '-shm'].map((suffix) => modeOf(file + suffix))
    const database = open(file)
    new FileStore(file).keep(Buffer.from('kept'))
    const store = join(file, '../files/suite.sqlite')
    expect([filesOf(), modeOf(store)]).toEqual([['600', '600', '600'], '700'])
    database.close()
    // As older versions have created them.
    chmodSync(file, 0o644)
    chmodSync(store, 0o755)
    open(file).close()
    new FileStore(file).keep(Buffer.from('more'))
    expect([modeOf(file), modeOf(store)]).toEqual(['600', '700'])
    // A group that an operator has allowed.
    chmodSync(file, 0o640)
    open(file)
    expect(filesOf()).toEqual(['640', '640', '640'])
  })

  test('cuts the log after a change that was larger than it', () => {
    const file = scratchFile()
    const database = open(file)
    const logSize = () => statSync(`${file}-wal`).size
    database.write(() => {
      for (let count = 0; count < 40; count++) put(database, `large ${String(count)}`, 'x'.repeat(1_048_576))
    })
    database.flush()
    expect(logSize()).toBeGreaterThan(40_000_000)
    database.write(() => {
      put(database, 'small')
    })
    database.flush()
    expect(logSize()).toBeLessThanOrEqual(4_194_304)
  })

  test('treats an empty file as a new database', () => {
    const file = scratchFile()
    writeFileSync(file, '')

    expect(names(open(file))).toEqual([])
  })

  test('refuses a file that another connection of this process has open', () => {
    const file = scratchFile()
    const first = open(file)
    first.write(() => {
      put(first, 'kept')
    })

    expect(problemOf(() => open(file)).message).toBe(`cannot use ${file}: another process is using it`)
    expect(names(first)).toEqual(['kept'])
  })

  test('refuses a file that another process has open, and opens it after that process was killed', async () => {
    const file = scratchFile()
    open(file).close()
    const holder = spawn(process.execPath, [
      '--eval',
      `const sqlite = new (require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))}))(${JSON.stringify(file)})
       sqlite.pragma('locking_mode = EXCLUSIVE')
       sqlite.exec("BEGIN EXCLUSIVE; INSERT INTO meta VALUES ('held', ''); COMMIT; BEGIN; INSERT INTO meta VALUES ('open', '')")
       process.stdout.write('held')
       setInterval(() => {}, 1000)`,
    ])
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')

    const opened = problemOf(() => new Database(file, MIGRATIONS, null, 10))
    expect(opened.message).toBe(`cannot use ${file}: another process is using it`)

    const exit = once(holder, 'exit')
    holder.kill('SIGKILL')
    await exit
    // Committed data is there, uncommitted data is not.
    expect(names(open(file))).toEqual(['held'])
  })

  test('refuses a file of a newer version and leaves it unchanged', () => {
    const file = scratchFile()
    const database = open(file)
    database.sqlite
      .prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of-tomorrow', 99999999999999)")
      .run()
    database.close()
    const before = readFileSync(file)

    expect(problemOf(() => open(file)).message).toBe(
      `cannot use ${file}: a newer version of suite-sim wrote it; upgrade, or choose another file with --db`,
    )
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('refuses a file with a later format, whatever else has changed, and leaves it unchanged', () => {
    const file = scratchFile()
    const stamp = (format: number): void => {
      const sqlite = new SQLite(file)
      sqlite.pragma(`user_version = ${String(format)}`)
      sqlite.close()
    }
    open(file).close()
    stamp(DATA_FORMAT + 1)
    const before = readFileSync(file)

    expect(problemOf(() => open(file)).message).toContain('a newer version of suite-sim wrote it')
    expect(readFileSync(file).equals(before)).toBe(true)

    // Version 0.1 stated no format.
    stamp(0)
    const opened = open(file)
    expect(formatOf(opened.sqlite)).toBe(DATA_FORMAT)
  })

  test('has another format than the file before each migration', () => {
    const journal = readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8')
    const { entries } = JSON.parse(journal) as { entries: unknown[] }
    // With a new migration, change both numbers.
    expect({ format: DATA_FORMAT, migrations: entries.length }).toEqual({ format: 5, migrations: 27 })
  })

  test('lets other programs read the file, and refuses a second server under another path', () => {
    const file = scratchFile()
    const database = open(file)
    database.write(() => {
      put(database, 'kept')
    })
    database.flush()
    const reader = new SQLite(file, { readonly: true })
    expect(reader.prepare("SELECT name FROM meta WHERE name = 'kept'").pluck().all()).toEqual(['kept'])
    reader.close()
    const link = join(scratchFolder(), 'link.sqlite')
    symlinkSync(file, link)

    expect(problemOf(() => open(link)).message).toBe(`cannot use ${link}: another process is using it`)
    database.close()
    expect(names(open(link))).toEqual(['kept'])
  })

  test('locks a database that a link names before it exists', () => {
    const [file, link] = [scratchFile(), join(scratchFolder(), 'link.sqlite')]
    symlinkSync(file, link)
    open(link)

    for (const path of [file, link]) expect(problemOf(() => open(path)).message).toContain('another process')
  })

  test('follows no links in a circle', () => {
    const folder = scratchFolder()
    const [one, two] = [join(folder, 'one.sqlite'), join(folder, 'two.sqlite')]
    symlinkSync(one, two)
    symlinkSync(two, one)

    expect(problemOf(() => open(one)).message).toMatch(/^cannot use /)
  })

  test('refuses the database of another program and leaves it unchanged', () => {
    const file = scratchFile()
    const foreign = new SQLite(file)
    foreign.exec("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('one')")
    foreign.close()
    const before = readFileSync(file)

    expect(problemOf(() => open(file)).message).toBe(
      `cannot use ${file}: it is a database of another program`,
    )
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  test('refuses a file that is not a database and leaves it unchanged', () => {
    const file = scratchFile()
    const text = 'This is a letter and no database. '.repeat(200)
    writeFileSync(file, text)

    expect(problemOf(() => open(file)).message).toBe(`cannot use ${file}: it is not a SQLite database`)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('refuses a folder and a path below a file', () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'file'), '')

    for (const file of [folder, join(folder, 'file', 'suite.sqlite')]) {
      expect(problemOf(() => open(file)).message).toMatch(/^cannot use .+: .+$/)
    }
  })

  test('removes a file that it created but could not complete', () => {
    const folder = scratchFolder()

    expect(problemOf(() => open(join(folder, 'suite.sqlite'), join(folder, 'nowhere'))).message).toMatch(
      /^cannot use /,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('migrating', () => {
  /** The migrations of another version: one more with this SQL, dated this much after the last. */
  function laterMigrations(sql: string, { tag = 'later', after = 1, of = MIGRATIONS } = {}): string {
    const folder = join(scratchFolder(), 'migrations')
    mkdirSync(folder)
    cpSync(of, folder, { recursive: true })
    const journalFile = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as {
      entries: { idx: number; when: number; tag: string; version: string; breakpoints: boolean }[]
    }
    const last = journal.entries.at(-1)
    if (!last) throw new Error('there is no migration')
    journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + after, tag })
    writeFileSync(journalFile, JSON.stringify(journal))
    writeFileSync(join(folder, `${tag}.sql`), sql)
    return folder
  }

  /** Tables that a migration created in addition to those of this version. */
  const tablesOf = ({ sqlite }: Database): unknown[] =>
    sqlite.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'made_%' ORDER BY name").pluck().all()

  const oldFile = (): string => {
    const file = scratchFile()
    const database = open(file)
    database.write(() => {
      put(database, 'old')
    })
    database.close()
    return file
  }

  test('updates an older file and keeps its data', () => {
    const file = oldFile()

    const migrated = open(file, laterMigrations('CREATE TABLE later (name text NOT NULL);'))

    migrated.sqlite.exec("INSERT INTO later VALUES ('x')")
    expect(names(migrated)).toEqual(['old'])
  })

  test('runs once', () => {
    const file = oldFile()
    const migrations = laterMigrations('CREATE TABLE later (name text NOT NULL);')

    open(file, migrations).close()

    expect(names(open(file, migrations))).toEqual(['old'])
  })

  test('makes the older version refuse the file', () => {
    const file = oldFile()
    open(file, laterMigrations('CREATE TABLE later (name text NOT NULL);')).close()

    expect(problemOf(() => open(file)).message).toContain('a newer version of suite-sim wrote it')
  })

  test('runs an older migration from a parallel branch', () => {
    const one = laterMigrations('CREATE TABLE made_one (name text);', { tag: 'one', after: 10 })
    const both = laterMigrations('CREATE TABLE made_two (name text);', { tag: 'two', after: -5, of: one })
    const file = oldFile()
    open(file, one).close()

    const first = open(file, both)
    expect(tablesOf(first)).toEqual(['made_one', 'made_two'])
    first.close()

    const second = open(file, both)
    expect([tablesOf(second), names(second)]).toEqual([['made_one', 'made_two'], ['old']])
  })

  test('makes versions that compare only times refuse the file, whenever the migrations were written', () => {
    const newest = (database: Database): unknown =>
      database.sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get()
    const file = oldFile()
    const before = newest(open())

    const after = newest(open(file, laterMigrations('CREATE TABLE made_later (name text);', { after: -5 })))

    expect(after).toBeGreaterThan(before as number)
  })

  test('makes a version with a different migration in its place refuse the file', () => {
    const file = oldFile()
    open(file, laterMigrations('CREATE TABLE made_one (name text);', { tag: 'one', after: 1 })).close()

    const other = laterMigrations('CREATE TABLE made_two (name text);', { tag: 'two', after: 2 })

    expect(problemOf(() => open(file, other)).message).toContain('a newer version of suite-sim wrote it')
  })

  test('recognizes migrations done before names were recorded, with any line endings', () => {
    const file = oldFile()
    const before = new SQLite(file)
    before.exec("UPDATE __drizzle_migrations SET id = NULL, hash = 'of other ends of lines'")
    before.close()

    const database = open(file, laterMigrations('CREATE TABLE made_later (name text);'))

    expect([tablesOf(database), names(database)]).toEqual([['made_later'], ['old']])
  })

  test('leaves the same tables and entries as drizzle', () => {
    const ours = open()
    const theirs = new SQLite(':memory:')
    onTestFinished(() => {
      theirs.close()
    })
    drizzleMigrate(drizzle(theirs), { migrationsFolder: MIGRATIONS })

    for (const text of [
      'SELECT hash, created_at FROM __drizzle_migrations',
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name <> '__drizzle_migrations' ORDER BY name",
      'SELECT name, type, pk, "notnull" FROM pragma_table_info(\'__drizzle_migrations\')',
    ]) {
      expect(ours.sqlite.prepare(text).all()).toEqual(theirs.prepare(text).all())
    }
  })

  test('leaves the file to the older version if it fails halfway', () => {
    const file = oldFile()
    const migrations = laterMigrations(
      'CREATE TABLE later (name text NOT NULL);\n--> statement-breakpoint\nINSERT INTO nowhere VALUES (1);',
    )

    expect(problemOf(() => open(file, migrations)).message).toMatch(/^cannot use /)

    const database = open(file)
    expect(names(database)).toEqual(['old'])
    expect(() => database.sqlite.prepare('SELECT * FROM later').all()).toThrow('no such table')
  })
})

test('ignores hires that were undone before the migration in later figures', () => {
  const file = scratchFile()
  open(file).close()
  const before = new SQLite(file)
  before.pragma('foreign_keys = OFF')
  const add = before.prepare(`INSERT INTO recruiting_applications
    (workspace, id, revision, vacancy_id, candidate_id, stage, furthest, hired_at, match_score, applied_at, created_at,
      updated_at, name, email, skills, name_key, experience_key, skill_key, city_key, country_key)
    VALUES (1, ?, 1, 'vac', hex(randomblob(8)), ?, ?, ?, 50, 0, 0, 0, 'Ana', 'ana@example.com', '[]', 'ana', 0, '', '', '')`)
  add.run('hired', 'hired', 5, 7)
  add.run('taken back', 'rejected', 5, 7)
  add.run('offered', 'offer', 4, null)
  // The migration alone: those after it have run when the file was created.
  before.exec(readFileSync(join(MIGRATIONS, '0019_hires_that_were_taken_back.sql'), 'utf8'))
  before.close()

  const rows = open(file).sqlite.prepare(
    'SELECT id, furthest, hired_at FROM recruiting_applications ORDER BY id',
  )
  expect(rows.raw().all()).toEqual([
    ['hired', 5, 7],
    ['offered', 4, null],
    ['taken back', 4, null],
  ])
})

describe('write', () => {
  test('returns the result of its function', () => {
    expect(open().write(() => 42)).toBe(42)
  })

  test('rolls back and rethrows when it throws', () => {
    const database = open()

    expect(() =>
      database.write(() => {
        put(database, 'a')
        refuse('conflict', 'No.')
      }),
    ).toThrow('No.')
    expect(names(database)).toEqual([])
  })

  test('rolls back only itself among writes of the same turn', async () => {
    const database = open()

    database.write(() => {
      put(database, 'before')
    })
    expect(() =>
      database.write(() => {
        put(database, 'refused')
        refuse('conflict', 'No.')
      }),
    ).toThrow('No.')
    database.write(() => {
      put(database, 'after')
    })
    await database.committed()

    expect(names(database)).toEqual(['after', 'before'])
  })

  test('rolls back only the inner write if its error is caught', () => {
    const database = open()

    database.write(() => {
      put(database, 'outer')
      try {
        database.write(() => {
          put(database, 'inner')
          database.write(() => {
            put(database, 'innermost')
          })
          refuse('conflict', 'No.')
        })
      } catch {
        put(database, 'caught')
      }
      database.write(() => {
        put(database, 'second')
      })
    })

    expect(names(database)).toEqual(['caught', 'outer', 'second'])
  })

  test('rolls back inner writes when it fails', () => {
    const database = open()

    expect(() =>
      database.write(() => {
        database.write(() => {
          put(database, 'inner')
        })
        refuse('conflict', 'No.')
      }),
    ).toThrow('No.')
    expect(names(database)).toEqual([])
  })
})

describe('script', () => {
  test('is refused inside a write', () => {
    const database = open()

    expect(() => {
      database.write(() => {
        database.sqlite.exec("INSERT INTO meta VALUES ('inside', '')")
      })
    }).toThrow('must not run a script')
    expect(names(database)).toEqual([])
  })

  test('remains when a later write of the same turn is rolled back', () => {
    const database = open()
    database.write(() => {
      put(database, 'before')
    })
    database.sqlite.exec("INSERT INTO meta VALUES ('script', '')")

    expect(() =>
      database.write(() => {
        put(database, 'refused')
        refuse('conflict', 'No.')
      }),
    ).toThrow('No.')
    expect(names(database)).toEqual(['before', 'script'])
  })
})

describe('failed writes', () => {
  /** The steps of a write: put a row, or run a nested write. */
  type Step = 'put' | Plan
  interface Plan {
    readonly steps: readonly Step[]
    readonly fails: boolean
  }
  const plans = (maxSteps: number) =>
    fc.letrec<{ plan: Plan; step: Step }>((tie) => ({
      plan: fc.record({
        steps: fc.array(tie('step'), { maxLength: maxSteps }),
        fails: fc.boolean(),
      }),
      step: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constant('put'), tie('plan')),
    })).plan

  /** Runs a plan and returns the names that must remain. */
  function carryOut(database: Database, plan: Plan, next: () => string): string[] {
    const left: string[] = []
    try {
      database.write(() => {
        for (const step of plan.steps) {
          if (step === 'put') {
            left.push(next())
            put(database, left.at(-1) ?? '')
          } else left.push(...carryOut(database, step, next))
        }
        if (plan.fails) refuse('conflict', 'No.')
      })
      return left
    } catch {
      return []
    }
  }

  const counter = () => {
    let last = 0
    return () => String(++last).padStart(6, '0')
  }

  test('keep earlier and later writes, in any order and nesting', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plans(6), { maxLength: 6 }), async (turn) => {
        const database = open()
        const next = counter()

        const left = turn.flatMap((plan) => carryOut(database, plan, next))
        expect(names(database)).toEqual(left)
        await database.committed()

        expect(names(database)).toEqual(left)
        database.close()
      }),
      { numRuns: runs(200) },
    )
  })

  test('keep them also among very many statements', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plans(6), { maxLength: 6 }), fc.boolean(), async (inside, fails) => {
        const database = open()
        const next = counter()
        const many = Array.from({ length: 1500 }, (): Step => 'put')

        const left = [
          { steps: ['put'], fails: false } as const,
          { steps: [...many, ...inside], fails },
          { steps: ['put'], fails: true } as const,
          ...inside,
        ].flatMap((plan) => carryOut(database, plan, next))
        await database.committed()

        expect(names(database)).toEqual(left)
        database.close()
      }),
      { numRuns: runs(10) },
    )
  })

  test('leave the same data in the file', () => {
    const file = scratchFile()
    const database = open(file)
    const next = counter()
    const failing: Plan = { steps: ['put', { steps: ['put'], fails: false }], fails: true }
    const left = [{ steps: ['put', failing, 'put'], fails: false } as const, failing].flatMap((plan) =>
      carryOut(database, plan, next),
    )
    database.close()

    expect(left).toHaveLength(2)
    expect(names(open(file))).toEqual(left)
  })

  test('undo drizzle writes with a result and statements that change many rows', () => {
    const database = open()
    database.write(() => {
      put(database, 'a')
      put(database, 'b')
      expect(
        database.orm.update(meta).set({ value: 'changed' }).returning({ name: meta.name }).all(),
      ).toHaveLength(3)
    })
    expect(() =>
      database.write(() => {
        database.orm.delete(meta).run()
        refuse('conflict', 'No.')
      }),
    ).toThrow('No.')

    const values = database.orm.select({ value: meta.value }).from(meta).all()
    expect(values).toEqual(Array.from({ length: 3 }, () => ({ value: 'changed' })))
  })
})

describe('commit', () => {
  test('covers all writes of a turn, at its end', async () => {
    const database = open()

    database.write(() => {
      put(database, 'a')
    })
    database.write(() => {
      put(database, 'b')
    })
    expect(database.sqlite.inTransaction).toBe(true)
    await database.committed()

    expect(database.sqlite.inTransaction).toBe(false)
    expect(names(database)).toEqual(['a', 'b'])
  })

  test('calls all waiting callbacks in order, and immediately if nothing is pending', async () => {
    const database = open()
    const called: string[] = []
    database.whenCommitted(() => called.push('nothing open'))
    expect(called).toEqual(['nothing open'])

    database.write(() => {
      put(database, 'a')
    })
    database.whenCommitted((error) => called.push(`first ${String(error)}`))
    database.whenCommitted((error) => called.push(`second ${String(error)}`))
    expect(called).toHaveLength(1)
    await database.committed()

    expect(called).toEqual(['nothing open', 'first null', 'second null'])
  })

  test('does not wait for the end of a turn with a thousand writes', () => {
    const database = open()
    const write = (number: number) => {
      database.write(() => {
        put(database, String(number))
      })
    }

    for (let number = 1; number < 1000; number++) write(number)
    expect(database.sqlite.inTransaction).toBe(true)
    write(1000)

    expect(database.sqlite.inTransaction).toBe(false)
    expect(names(database)).toHaveLength(1000)
  })

  test('happens immediately with flush, except inside a write', () => {
    const database = open()

    database.write(() => {
      put(database, 'a')
      database.flush()
      expect(database.sqlite.inTransaction).toBe(true)
    })
    database.flush()

    expect(database.sqlite.inTransaction).toBe(false)
  })

  test('happens on close', () => {
    const file = scratchFile()
    const database = open(file)
    database.write(() => {
      put(database, 'last')
    })
    database.close()
    database.close()

    expect(database.open).toBe(false)
    expect(names(open(file))).toEqual(['last'])
  })

  /** A foreign key to an unknown workspace, which SQLite detects only at the commit. */
  const breakCommit = (database: Database): void => {
    database.write(() => {
      database.sqlite.pragma('defer_foreign_keys = ON')
      database.orm
        .insert(keys)
        .values({ key: 'k', workspace: 9, user: 'u', scopes: [], interfaces: [], createdAt: 0 })
        .run()
    })
  }

  test('notifies all waiting callbacks when it fails, undoes the whole turn, and leaves the next turn alone', async () => {
    const database = open()
    let lost = 0
    database.onLost(() => lost++)
    database.write(() => {
      put(database, 'before')
    })
    const first = database.committed()
    breakCommit(database)
    const second = database.committed()

    await expect(first).rejects.toThrow('FOREIGN KEY')
    await expect(second).rejects.toThrow('FOREIGN KEY')
    expect(lost).toBe(1)
    expect(names(database)).toEqual([])

    database.write(() => {
      put(database, 'next')
    })
    await database.committed()
    expect(names(database)).toEqual(['next'])
  })

  test('returns an error to the caller when it fails, and nothing has changed', async () => {
    const { call, fresh, addProduct, listProducts } = await freshCatalog()
    const { database } = fresh.app.workspaces
    const product = await addProduct()
    const before = fresh.dump()
    let breaks = true
    fresh.app.workspaces.events.follow(() => {
      if (breaks) breakCommit(database)
    })

    const answers = await Promise.all([
      call('POST', '/products', { body: { name: 'Desk', type: 'physical' } }),
      call('PUT', `/products/${product.id}`, { body: { name: 'Desk' } }),
      call('DELETE', `/products/${product.id}`),
    ])

    for (const answer of answers) {
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual({
        error: { code: 'internal_error', message: 'The simulator failed; see its log.' },
      })
    }
    expect(fresh.dump()).toEqual(before)
    expect((await listProducts()).data).toEqual([product])

    breaks = false
    expect((await call('DELETE', `/products/${product.id}`)).status).toBe(200)
  })
})

describe('full disk', () => {
  const fill = (database: Database): void => {
    database.sqlite.pragma(
      `max_page_count = ${String(database.sqlite.pragma('page_count', { simple: true }))}`,
    )
  }
  const empty = (database: Database): void => {
    database.sqlite.pragma('max_page_count = 1000000')
  }
  const LARGE = 'x'.repeat(65_536)

  test('returns 503 in the format of the interface, changes nothing, and recovers when there is space', async () => {
    const { call, fresh, addProduct, listProducts } = await freshCatalog()
    const product = await addProduct()
    const { database } = fresh.app.workspaces
    const before = fresh.dump()
    fill(database)

    const answer = await call('POST', '/products', {
      body: { name: 'Desk', type: 'physical', description: LARGE },
    })

    expect(answer.status).toBe(503)
    expect(answer.body).toEqual({
      error: { code: 'unavailable', message: 'The change could not be saved; nothing was changed.' },
    })
    expect(fresh.dump()).toEqual(before)
    expect((await listProducts()).data).toEqual([product])

    empty(database)
    expect((await addProduct({ description: LARGE })).description).toBe(LARGE)
  })

  test('revokes no response: of simultaneous calls, those with 201 are stored', async () => {
    const { call, fresh, listProducts } = await freshCatalog()
    const { database } = fresh.app.workspaces
    await database.committed()
    fill(database)

    const answers = await Promise.all(
      ['small', LARGE, 'small', LARGE, 'small'].map((description) =>
        call('POST', '/products', { body: { name: 'Desk', type: 'physical', description } }),
      ),
    )
    empty(database)

    const made = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => (body as { data: ProductBody }).data)
    expect(answers.filter(({ status }) => status !== 201).map(({ status }) => status)).toContain(503)
    expect(new Set((await listProducts()).data.map(({ id }) => id))).toEqual(
      new Set(made.map(({ id }) => id)),
    )
  })
})

describe('revisions', () => {
  test('are never reused, not after a rollback or a restart', () => {
    const file = scratchFile()
    const drawn: number[] = []
    for (let opening = 0; opening < 3; opening++) {
      const database = open(file)
      drawn.push(database.nextRevision())
      expect(() =>
        database.write(() => {
          drawn.push(database.nextRevision())
          refuse('conflict', 'No.')
        }),
      ).toThrow('No.')
      drawn.push(database.nextRevision())
      database.close()
    }

    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b))
    expect(new Set(drawn).size).toBe(9)
    expect(drawn.every(Number.isSafeInteger)).toBe(true)
  })
})

test('keeps all writes when the file is closed between them', () => {
  const file = scratchFile()
  const first = open(file)
  for (let turn = 0; turn < 20; turn++) {
    first.write(() => {
      for (let count = 0; count < 100; count++) put(first, `fact ${String(turn)} ${String(count)}`)
    })
    first.flush()
  }
  first.close()

  const second = open(file)

  const facts = second.sqlite.prepare("SELECT count(*) AS count FROM meta WHERE name LIKE 'fact %'").get()
  expect(facts).toEqual({ count: 2000 })
})
