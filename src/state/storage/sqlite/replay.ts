/**
 * The statements of the open transaction, so that one write can be undone alone: rollback, then replay of the others.
 *
 * A savepoint copies every page before its first change, which took a quarter of the time of a create
 * (docs/decisions/0001), and undone writes are rare.
 */

import type SQLite from 'better-sqlite3'

/** The most recorded statements; a longer write is not replayed. */
const MAX_RUNS = 1000

interface Run {
  readonly statement: (...values: unknown[]) => unknown
  readonly values: unknown[]
}

export class Replay {
  readonly #runs: Run[] = []
  #isOn = false
  #isFull = false

  /** The number of recorded statements: a position for `backTo`. */
  get length(): number {
    return this.#runs.length
  }

  /** True if statements ran without being recorded. The recorded ones are still valid. */
  get isLimitReached(): boolean {
    return this.#isFull
  }

  /** Must be called when a transaction begins. */
  begin(): void {
    this.backTo(0)
    this.#isOn = true
  }

  /** Must be called when the transaction ends. */
  end(): void {
    this.backTo(0)
    this.#isOn = false
  }

  /**
   * Must be called after each statement that has written. `statement` must give the same result for the same values,
   * except revisions that it draws.
   */
  ran(statement: (...values: unknown[]) => unknown, values: unknown[]): void {
    if (!this.#isOn) return
    if (this.#runs.length < MAX_RUNS) this.#runs.push({ statement, values })
    else this.#isFull = true
  }

  /** Drops the statements after a position, because they were undone. */
  backTo(length: number): void {
    this.#runs.length = length
    this.#isFull = false
  }

  /** Replays the recorded statements in a new transaction. */
  repeat(): void {
    for (const { statement, values } of this.#runs) statement(...values)
  }
}

const WRITES_ROWS = /^\s*(?:insert|update|delete|replace|with)\b/i

/** Makes a statement that writes rows record each run. Returns other statements unchanged. */
export function recorded(statement: SQLite.Statement, text: string, replay: Replay): SQLite.Statement {
  if (statement.readonly || !WRITES_ROWS.test(text)) return statement
  const recording =
    <Result>(method: (...values: unknown[]) => Result) =>
    (...values: unknown[]): Result => {
      const result = method(...values)
      replay.ran(method, values)
      return result
    }
  statement.run = recording(statement.run.bind(statement))
  statement.get = recording(statement.get.bind(statement))
  statement.all = recording(statement.all.bind(statement))
  // A real iterator would write at its first step, after it was recorded.
  statement.iterate = (...values) => statement.all(...values)[Symbol.iterator]()
  return statement
}
