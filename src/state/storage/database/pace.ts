/** The steps of long work: their size, and the ranges of rows that they take. */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'

/** The number of rows per step of some ms, adjusted by measurement, because rows vary in size. */
export class Pace {
  rows = 16

  /** Records the duration of a step with this many rows. */
  record(ms: number): void {
    if (ms < 4) this.rows = Math.min(this.rows * 2, 4096)
    else if (ms > 8) this.rows = Math.max(1, this.rows >> 1)
  }

  /** Runs a step and records its duration. */
  measure<T>(step: (rows: number) => T): T {
    const began = monotonicNow()
    const result = step(this.rows)
    this.record(monotonicNow() - began)
    return result
  }
}

/** The first and the last rowid; null without rows. */
export interface Bounds {
  readonly first: number | null
  readonly last: number | null
}

/** The rowids after `after`, up to and including `upTo`. */
export interface RowidRange {
  readonly after: number
  readonly upTo: number
}

/** Yields the rowid ranges from the first to the last, one per step. */
export function* rowidRanges({ first, last }: Bounds, pace: Pace): Generator<RowidRange, void> {
  if (first === null || last === null) return
  for (let after = first - 1; after < last;) {
    const upTo = Math.min(after + pace.rows, last)
    yield { after, upTo }
    after = upTo
  }
}
