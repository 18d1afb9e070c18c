/** The size of the steps of long work. */
import { monotonicNow } from '../../model/clock.ts'

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
