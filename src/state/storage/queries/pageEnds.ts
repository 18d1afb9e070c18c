/**
 * The positions where pages of numbered lists ended, so that a later page starts at the nearest one: skipping fifty
 * thousand rows takes a hundred times as long as reading a page. They are valid until the workspace is written.
 */
import { boundedCaches } from './boundedCaches.ts'
import type { VersionedDatabase } from '../database/database.ts'

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
  /** The version of the workspace at that time. */
  readonly version: number
  /** Sorted by offset, at least a stride apart. */
  readonly places: PageEnd[]
}

export interface PageEnds {
  /** Returns the last cached place at or before the offset in the list of this key. */
  nearest(workspace: VersionedDatabase, key: string, offset: number): PageEnd
  /** Caches the end of a page that was just read. */
  keep(workspace: VersionedDatabase, key: string, place: PageEnd): void
}

export function cachedPageEnds(): PageEnds {
  const cache = boundedCaches<string, CachedPlaces>({
    maxSize: 2_000_000,
    sizeCalculation: ({ places }, key) => 200 + key.length + 200 * places.length,
  })
  const placesOf = ({ database, version }: VersionedDatabase, key: string): CachedPlaces => {
    const cached = cache(database).get(key)
    return cached?.version === version ? cached : { version, places: [] }
  }
  return {
    nearest(workspace, key, offset) {
      if (offset < STRIDE) return START
      const { places } = placesOf(workspace, key)
      return places[indexAfter(places, offset) - 1] ?? START
    },
    keep(workspace, key, place) {
      if (place.offset < STRIDE) return
      const cached = placesOf(workspace, key)
      const index = indexAfter(cached.places, place.offset)
      const [before, after] = [cached.places[index - 1] ?? START, cached.places[index]]
      if (place.offset - before.offset < STRIDE || (after && after.offset - place.offset < STRIDE)) return
      cached.places.splice(index, 0, place)
      // Set again, because its size has changed.
      cache(workspace.database).set(key, cached)
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
