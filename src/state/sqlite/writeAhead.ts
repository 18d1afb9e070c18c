/**
 * Bringing the write-ahead log to the disk ahead of time. Every 8000 pages SQLite copies the log back into the file,
 * and first waits until all of the log is on the disk: some 30 ms in which nobody is answered. So the log is brought
 * there bit by bit, by another thread, and little of it is left to wait for.
 *
 * A courtesy only: nothing relies on it, and SQLite makes sure by itself.
 */
import { close, fdatasync, openSync } from 'node:fs'
import type SQLite from 'better-sqlite3'

/** Rows that change between two times that the log is brought to the disk: some 500 pages of the log. */
const ROWS_BETWEEN = 256

export class WriteAheadLog {
  readonly #file: number
  readonly #rowsChanged: SQLite.Statement<[], number>
  #broughtUpTo = 0
  #busy = false
  #closed = false

  /** `file` is the path of the log, which has to be there. */
  constructor(sqlite: SQLite.Database, file: string) {
    this.#file = openSync(file, 'r+')
    this.#rowsChanged = sqlite.prepare<[], number>('SELECT total_changes()').pluck()
  }

  /** To be told of each commit. */
  committed(): void {
    if (this.#busy) return
    const changed = this.#rowsChanged.get() ?? 0
    if (changed - this.#broughtUpTo < ROWS_BETWEEN) return
    this.#broughtUpTo = changed
    this.#busy = true
    fdatasync(this.#file, () => {
      this.#busy = false
      if (this.#closed) this.#release()
    })
  }

  /** Before the connection is closed. */
  close(): void {
    this.#closed = true
    if (!this.#busy) this.#release()
  }

  #release(): void {
    close(this.#file)
  }
}
