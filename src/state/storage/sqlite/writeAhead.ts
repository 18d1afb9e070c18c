/**
 * Syncs the write-ahead log early, in another thread. Every 8000 pages, a checkpoint waits until the log is on the
 * disk, which blocks the server for about 30 ms; little is then left. Only an optimization: SQLite ensures durability
 * itself.
 */
import { close, fdatasync, openSync } from 'node:fs'
import type SQLite from 'better-sqlite3'

/** Changed rows between two syncs: about 500 pages of the log. */
const ROWS_BETWEEN_SYNCS = 256

export class WriteAheadLog {
  readonly #file: number
  readonly #rowsChanged: SQLite.Statement<[], number>
  #syncedUpTo = 0
  #busy = false
  #closed = false

  /** `file` is the path of the log, which must exist. */
  constructor(sqlite: SQLite.Database, file: string) {
    this.#file = openSync(file, 'r+')
    this.#rowsChanged = sqlite.prepare<[], number>('SELECT total_changes()').pluck()
  }

  /** Must be called after each commit. */
  committed(): void {
    if (this.#busy) return
    const changed = this.#rowsChanged.get() ?? 0
    if (changed - this.#syncedUpTo < ROWS_BETWEEN_SYNCS) return
    this.#syncedUpTo = changed
    this.#busy = true
    fdatasync(this.#file, () => {
      this.#busy = false
      if (this.#closed) this.#release()
    })
  }

  /** Must be called before the connection is closed. */
  close(): void {
    this.#closed = true
    if (!this.#busy) this.#release()
  }

  #release(): void {
    close(this.#file)
  }
}
