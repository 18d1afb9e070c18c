/**
 * What the open transaction has written so far, statement by statement, so that one write can be undone without the
 * others: everything is rolled back, and what came before it is written again.
 *
 * A savepoint would do the same, but SQLite then copies every page before its first change in each savepoint, which
 * costs more than the writes themselves; and of all writes few are undone after they have changed something. Of the time
 * that a create with its event and delivery spent in SQLite before the commit, savepoints took more than a quarter
 * (docs/decisions/0001).
 */

/** Statements that are remembered; a write that runs more of them is too long to be written again. */
const MAX_RUNS = 1000

interface Run {
  readonly statement: (...values: unknown[]) => unknown
  readonly values: unknown[]
}

export class Replay {
  readonly #runs: Run[] = []
  #isOn = false
  #isFull = false

  /** How many statements have been remembered: a place to go back to. */
  get length(): number {
    return this.#runs.length
  }

  /** Whether statements have been run that are not remembered. What was remembered before still holds. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** To be called when a transaction begins. */
  begin(): void {
    this.backTo(0)
    this.#isOn = true
  }

  /** To be called when the transaction is over. */
  end(): void {
    this.backTo(0)
    this.#isOn = false
  }

  /**
   * To be called after each statement that has written. `statement` must do the same again for the same values, but for
   * revisions that it draws itself: later ones are as good.
   */
  ran(statement: (...values: unknown[]) => unknown, values: unknown[]): void {
    if (!this.#isOn) return
    if (this.#runs.length < MAX_RUNS) this.#runs.push({ statement, values })
    else this.#isFull = true
  }

  /** Forgets what came after a place, because it was undone. */
  backTo(length: number): void {
    this.#runs.length = length
    this.#isFull = false
  }

  /** Runs again what is remembered, in a transaction that has just begun. */
  repeat(): void {
    for (const { statement, values } of this.#runs) statement(...values)
  }
}
