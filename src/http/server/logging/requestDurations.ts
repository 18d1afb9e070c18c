/**
 * The durations of all requests since the start, as histograms by area and status class. Recording takes a fraction of a
 * microsecond, because it happens for each request; the metrics read the counts on a scrape.
 */

/** The upper bounds of the buckets, in seconds. Calls that wait for events take up to minutes. */
export const DURATION_BOUNDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const

/** The classes by the first digit of a status; the first one is of requests whose connection ended without a response. */
const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

interface Counts {
  /** Requests for each bucket, not cumulative; the last one is beyond all bounds. */
  readonly buckets: number[]
  sum: number
}

export interface Durations {
  readonly area: string
  readonly statusClass: string
  /** Requests for each bound, cumulative. */
  readonly cumulative: readonly number[]
  readonly count: number
  /** In seconds. */
  readonly sum: number
}

export class RequestDurations {
  readonly #areas = new Map<string, (Counts | undefined)[]>()

  /** Counts a request to an area. `status` is 0 without a response. */
  record(area: string, status: number, ms: number): void {
    let classes = this.#areas.get(area)
    if (!classes) this.#areas.set(area, (classes = []))
    const counts = (classes[Math.trunc(status / 100)] ??= {
      buckets: Array.from({ length: DURATION_BOUNDS.length + 1 }, () => 0),
      sum: 0,
    })
    const seconds = ms / 1000
    let index = 0
    while (index < DURATION_BOUNDS.length && seconds > (DURATION_BOUNDS[index] ?? 0)) index++
    counts.buckets[index] = (counts.buckets[index] ?? 0) + 1
    counts.sum += seconds
  }

  /** Yields the histograms. */
  *all(): Generator<Durations> {
    for (const [area, classes] of this.#areas) {
      for (const [index, counts] of classes.entries()) {
        if (!counts) continue
        let count = 0
        const totals = counts.buckets.map((inBucket) => (count += inBucket))
        const statusClass = STATUS_CLASSES[index] ?? 'none'
        yield { area, statusClass, cumulative: totals.slice(0, -1), count, sum: counts.sum }
      }
    }
  }
}
