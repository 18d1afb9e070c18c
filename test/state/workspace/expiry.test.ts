import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Database } from '../../../src/state/storage/database/database.ts'
import { Expiry } from '../../../src/state/limits/expiry.ts'
import { isTtl } from '../../../src/state/limits/lifetime.ts'
import { Registry } from '../../../src/state/workspace/registry.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../src/state/storage/migrations', import.meta.url))
const MINUTE = 60_000
const HOUR = 60 * MINUTE

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server with a ttl clock: its registry, and the names of the workspaces that were deleted. */
function server(file = ':memory:') {
  const database = new Database(file, MIGRATIONS)
  const workspaces = new Registry(database)
  const deleted: string[] = []
  const failures: unknown[] = []
  let isBroken = false
  const expiry = new Expiry(
    workspaces,
    (workspace) => {
      if (isBroken) throw new Error('broken')
      deleted.push(workspace.name)
      workspaces.remove(workspace)
    },
    (error) => failures.push(error),
  )
  expiry.start()
  const crash = (): void => {
    const now = Date.now()
    // This also sets the time back to the start of the test.
    vi.clearAllTimers()
    vi.setSystemTime(now)
    database.close()
  }
  onTestFinished(() => {
    if (database.open) database.close()
  })
  return {
    database,
    workspaces,
    deleted,
    failures,
    expiry,
    crash,
    stop() {
      expiry.stop()
      database.close()
    },
    make: (name: string, ttl: string | null) => workspaces.create({ name, ttl }, (workspace) => workspace),
    get: (name: string) => {
      const found = workspaces
        .tenantIds()
        .map((tenantId) => workspaces.byTenantId(tenantId))
        .find((workspace) => workspace?.name === name)
      if (!found) throw new Error(`${name} is deleted`)
      return found
    },
    breakRemoval(broken: boolean) {
      isBroken = broken
    },
  }
}

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'expiry-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return join(folder, 'suite.sqlite')
}

describe('a ttl', () => {
  test.each([
    ['PT1M', true],
    ['PT60S', true],
    ['PT59S', false],
    ['PT59.999S', false],
    ['PT0.5H', true],
    ['P7D', true],
    ['P1M', true],
    ['P1Y', true],
    ['P12M', true],
    ['P365D', true],
    ['P366D', false],
    ['P1YT1S', false],
    ['P0D', false],
    ['-P1D', false],
    ['7 days', false],
    ['P', false],
    ['', false],
  ])('%j is within the bounds: %s', (text, isValid) => {
    expect(isTtl(text)).toBe(isValid)
  })
})

describe('a workspace with a ttl', () => {
  test('is deleted when nobody has called it for that time, and others stay', () => {
    const { make, deleted } = server()
    make('short', 'PT1M')
    make('long', 'PT3H')
    make('kept', null)
    vi.advanceTimersByTime(MINUTE - 1)
    expect(deleted).toEqual([])
    vi.advanceTimersByTime(2)
    expect(deleted).toEqual(['short'])
    vi.advanceTimersByTime(3 * HOUR - MINUTE - 2)
    expect(deleted).toEqual(['short'])
    vi.advanceTimersByTime(1)
    expect(deleted).toEqual(['short', 'long'])
    vi.advanceTimersByTime(1000 * HOUR)
    expect(deleted).toEqual(['short', 'long'])
  })

  test('lives on with each call', () => {
    const { make, deleted } = server()
    const workspace = make('used', 'PT10M')
    for (let count = 0; count < 10; count++) {
      vi.advanceTimersByTime(9 * MINUTE)
      workspace.lifetime.touch()
    }
    expect(deleted).toEqual([])
    vi.advanceTimersByTime(10 * MINUTE - 1)
    expect(deleted).toEqual([])
    vi.advanceTimersByTime(1)
    expect(deleted).toEqual(['used'])
  })

  test('lives while a stream is open, and its ttl after that', () => {
    const { make, deleted } = server()
    const workspace = make('open', 'PT10M')
    const [first, second] = [workspace.lifetime.hold(), workspace.lifetime.hold()]
    vi.advanceTimersByTime(10 * HOUR)
    first()
    vi.advanceTimersByTime(10 * HOUR)
    expect(deleted).toEqual([])
    second()
    vi.advanceTimersByTime(10 * MINUTE - 1)
    expect(deleted).toEqual([])
    vi.advanceTimersByTime(1)
    expect(deleted).toEqual(['open'])
  })

  test('lives on if the ttl is removed, and follows a new one', () => {
    const { make, deleted } = server()
    const workspace = make('changed', 'PT10M')
    vi.advanceTimersByTime(5 * MINUTE)
    workspace.manage({ ttl: null })
    vi.advanceTimersByTime(10 * HOUR)
    expect(deleted).toEqual([])
    workspace.manage({ ttl: 'PT2M' })
    vi.advanceTimersByTime(2 * MINUTE - 1)
    expect(deleted).toEqual([])
    vi.advanceTimersByTime(1)
    expect(deleted).toEqual(['changed'])
  })

  test('is deleted in batches if very many are due at once', () => {
    const { make, deleted } = server()
    for (let count = 0; count < 25; count++) make('many', 'PT1M')
    vi.advanceTimersByTime(MINUTE)
    expect(deleted).toHaveLength(10)
    vi.advanceTimersByTime(100)
    expect(deleted).toHaveLength(20)
    vi.advanceTimersByTime(100)
    expect(deleted).toHaveLength(25)
  })

  test('is deleted later if that fails at first', () => {
    const { make, deleted, failures, breakRemoval } = server()
    make('stuck', 'PT1M')
    breakRemoval(true)
    vi.advanceTimersByTime(MINUTE + 1)
    expect([deleted, failures.length]).toEqual([[], 1])
    breakRemoval(false)
    vi.advanceTimersByTime(MINUTE)
    expect([deleted, failures.length]).toEqual([['stuck'], 1])
  })
})

describe('over a restart', () => {
  test('the time in which the server is down does not count', () => {
    const db = file()
    const first = server(db)
    first.make('down', 'PT10M')
    vi.advanceTimersByTime(4 * MINUTE)
    first.stop()
    vi.advanceTimersByTime(1000 * HOUR)
    const { deleted } = server(db)
    vi.advanceTimersByTime(6 * MINUTE - 1)
    expect(deleted).toEqual([])
    vi.advanceTimersByTime(1)
    expect(deleted).toEqual(['down'])
  })

  test.each([
    ['PT10M', 9 * MINUTE + 30_000],
    ['PT1M', 59_000],
    ['P1D', 23 * HOUR],
  ])('a workspace with %s that was used just before a crash lives at least as long again', (ttl, usedAt) => {
    const db = file()
    const first = server(db)
    const workspace = first.make('crashed', ttl)
    const other = first.make('other', 'P7D')
    vi.advanceTimersByTime(usedAt - 10_000)
    other.lifetime.touch()
    vi.advanceTimersByTime(10_000)
    workspace.lifetime.touch()
    vi.advanceTimersByTime(0)
    first.crash()
    vi.advanceTimersByTime(1000 * HOUR)
    const { deleted } = server(db)
    const ms = { PT10M: 10 * MINUTE, PT1M: MINUTE, P1D: 24 * HOUR }[ttl] ?? 0
    vi.advanceTimersByTime(ms - 1)
    expect(deleted).toEqual([])
    vi.advanceTimersByTime(2 * MINUTE + 1)
    expect(deleted).toEqual(['crashed'])
  })

  test.each([
    ['creation', (first: ReturnType<typeof server>) => first.make('first', 'PT10M')],
    [
      'change',
      (first: ReturnType<typeof server>) => {
        first.make('first', null).manage({ ttl: 'PT10M' })
      },
    ],
  ])('a crash right after the %s that sets the first ttl does not shorten or extend it', (_name, setTtl) => {
    const db = file()
    // Leaves an old time of an earlier ttl, in a run of a long time ago.
    const earlier = server(db)
    earlier.make('earlier', 'PT1M')
    vi.advanceTimersByTime(2 * MINUTE)
    earlier.stop()
    for (const isFresh of [true, false]) {
      const path = isFresh ? file() : db
      vi.advanceTimersByTime(1000 * HOUR)
      const first = server(path)
      setTtl(first)
      first.crash()
      vi.advanceTimersByTime(1000 * HOUR)
      const { deleted } = server(path)
      vi.advanceTimersByTime(10 * MINUTE - 1)
      expect(deleted).toEqual([])
      vi.advanceTimersByTime(2 * MINUTE + 1)
      expect(deleted).toEqual(['first'])
    }
  })

  test('a second start does not count the time of the first one again', () => {
    const db = file()
    const first = server(db)
    first.make('twice', 'PT10M')
    vi.advanceTimersByTime(MINUTE)
    first.stop()
    for (let count = 0; count < 3; count++) {
      vi.advanceTimersByTime(HOUR)
      const again = server(db)
      vi.advanceTimersByTime(2 * MINUTE)
      expect(again.deleted).toEqual([])
      again.stop()
    }
    const { deleted } = server(db)
    vi.advanceTimersByTime(3 * MINUTE)
    expect(deleted).toEqual(['twice'])
  })
})

test('uses are written at most once a minute', () => {
  const { make, database } = server()
  const workspace = make('busy', 'P1D')
  vi.advanceTimersByTime(MINUTE)
  const write = vi.spyOn(database, 'write')
  for (let count = 0; count < 600; count++) {
    vi.advanceTimersByTime(1000)
    workspace.lifetime.touch()
  }
  expect(write.mock.calls.length).toBeGreaterThanOrEqual(9)
  expect(write.mock.calls.length).toBeLessThanOrEqual(11)
})

test('without a ttl, a server writes nothing and sets no timer', () => {
  const { make, database, expiry } = server()
  const workspace = make('plain', null)
  const write = vi.spyOn(database, 'write')
  workspace.lifetime.touch()
  workspace.lifetime.hold()()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(1000 * HOUR)
  expiry.stop()
  expect(write).not.toHaveBeenCalled()
})
