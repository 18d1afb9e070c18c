/**
 * The positions where pages of numbered lists ended, so that a later page starts at the nearest one: skipping fifty
 * thousand rows takes a hundred times as long as reading a page. They are valid until the list changes.
 */
import type { Database } from '../database/database.ts'
import { boundedCaches } from './boundedCaches.ts'
import type { Basis, Observed } from '../sqlite/index.ts'

/** The sort key and the rowid of a row. */
export type Position = readonly [key: string | number, row: number]

/** The position of the row before `offset`; null at the start of the list. */
export interface PageEnd {
  readonly offset: number
  readonly position: Position | null
}

/** Rows that are skipped without a cached position; this takes less time than reading a page. */
export const STRIDE = 200

const START: PageEnd = { offset: 0, position: null }

interface CachedPlaces {
  readonly basis: Basis
  /** Sorted by offset, at least a stride apart. */
  readonly places: PageEnd[]
}

export interface PageEnds {
  /** Returns the last cached place at or before the offset in the list of this key. */
  nearest(database: Database, key: string, offset: number): PageEnd
  /** Caches the end of a page that was just read. */
  keep(database: Database, key: string, ended: Observed<PageEnd>): void
}

export function cachedPageEnds(): PageEnds {
  const cache = boundedCaches<string, CachedPlaces>({
    maxSize: 2_000_000,
    sizeCalculation: ({ places }, key) => 200 + key.length + 200 * places.length,
  })
  const cachedFor = (database: Database, key: string): CachedPlaces | undefined => {
    const cached = cache(database).get(key)
    return cached && database.versions.holds(cached.basis) ? cached : undefined
  }
  return {
    nearest(database, key, offset) {
      const cached = offset < STRIDE ? undefined : cachedFor(database, key)
      return cached?.places[indexAfter(cached.places, offset) - 1] ?? START
    },
    keep(database, key, { value: place, basis }) {
      if (place.offset < STRIDE) return
      const cached = cachedFor(database, key) ?? { basis, places: [] }
      const index = indexAfter(cached.places, place.offset)
      const [before, after] = [cached.places[index - 1] ?? START, cached.places[index]]
      if (place.offset - before.offset < STRIDE || (after && after.offset - place.offset < STRIDE)) return
      cached.places.splice(index, 0, place)
      // Set again, because its size has changed.
      cache(database).set(key, cached)
    },
  }
}

/** Returns how many places are at or before the offset. */
function indexAfter(places: readonly PageEnd[], offset: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const place = places[middle]
    if (place && place.offset <= offset) low = middle + 1
    else high = middle
  }
  return low
}
