/**
 * Returns the free pages of the database file to the disk after deletions. Otherwise SQLite only reuses them, and the
 * file never shrinks. The file itself shrinks at the next checkpoint of the write-ahead log.
 */
import type SQLite from 'better-sqlite3'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { Pace } from './pace.ts'
import { bytesOfPages, numberOf } from './pages.ts'

/** The value of `PRAGMA auto_vacuum` with which a file can release pages. */
const INCREMENTAL = 2

/** Files of older versions up to this size are converted when they are opened, which takes up to a second. */
const MAX_CONVERTED_BYTES = 64 * 1024 * 1024

/** Pages are released from so many free bytes and such a share of the file, so that a steady load reuses them. */
const MIN_FREE_BYTES = 8 * 1024 * 1024
const MIN_FREE_SHARE = 1 / 4

/** The share of the file that stays free for the next records. */
const KEPT_SHARE = 1 / 16

/** Makes a new file able to release pages. Must run before anything else is written to it. */
export function prepareToReleasePages(sqlite: SQLite.Database): void {
  if (numberOf(sqlite, 'page_count') === 0) sqlite.pragma('auto_vacuum = INCREMENTAL')
}

/** Makes a small file of an older version able to release pages, by writing it anew. Rows keep their rowids. */
export function convertSmallFile(sqlite: SQLite.Database): void {
  if (numberOf(sqlite, 'auto_vacuum') === INCREMENTAL) return
  if (bytesOfPages(sqlite, 'page_count') > MAX_CONVERTED_BYTES) return
  try {
    sqlite.pragma('auto_vacuum = INCREMENTAL')
    sqlite.exec('VACUUM')
  } catch {
    // On a full disk or a damaged page, the file stays as it is. Other checks report both.
  }
}

/** The part of a database that this needs. */
interface ReleasingDatabase {
  readonly sqlite: SQLite.Database
  /** Commits the open transaction. */
  flush(): void
}

export class FreePages {
  readonly #database: ReleasingDatabase
  readonly #pace = new Pace()
  #isReleasing = false

  constructor(database: ReleasingDatabase) {
    this.#database = database
  }

  /** Releases some free pages, for some ms. Returns whether it must be called again. Not inside a `write`. */
  release(): boolean {
    const { sqlite } = this.#database
    const free = numberOf(sqlite, 'freelist_count')
    const all = numberOf(sqlite, 'page_count')
    if (!this.#isReleasing) this.#isReleasing = mustStart(sqlite, free, all)
    if (!this.#isReleasing) return false
    const surplus = Math.floor(free - (all - free) * KEPT_SHARE)
    if (surplus > 0) {
      const began = monotonicNow()
      // A script, because a single step of this statement releases one page.
      sqlite.exec(`PRAGMA incremental_vacuum(${String(Math.min(surplus, this.#pace.rows))})`)
      this.#pace.record(monotonicNow() - began)
      if (numberOf(sqlite, 'freelist_count') < free) return true
    }
    this.#isReleasing = false
    // Passive, so that it never waits for a reader. Not possible inside a transaction.
    this.#database.flush()
    sqlite.pragma('wal_checkpoint(PASSIVE)')
    return false
  }
}

const mustStart = (sqlite: SQLite.Database, free: number, all: number): boolean =>
  free >= all * MIN_FREE_SHARE &&
  bytesOfPages(sqlite, 'freelist_count') >= MIN_FREE_BYTES &&
  numberOf(sqlite, 'auto_vacuum') === INCREMENTAL
