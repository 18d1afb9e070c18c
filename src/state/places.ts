/**
 * Where the pages of a numbered list ended, so that a page far back begins at the nearest of them: to skip fifty thousand
 * rows takes a hundred times as long as to read a page. They are known for as long as nothing of the list has changed.
 */
import type { Database } from './database.ts'
import { boundedCaches } from './boundedCaches.ts'
import type { Basis, Observed } from './versions.ts'

/** The sort key of a row, and the row's place in the order of insertion. */
export type Position = readonly [key: string | number, row: number]

/** The position of the row before `offset`; null at the beginning of the list. */
export interface Place {
  readonly offset: number
  readonly position: Position | null
}

/** So many rows are skipped without a place to begin at: it takes less than to read a page of them. */
export const STRIDE = 200

const BEGINNING: Place = { offset: 0, position: null }

interface Known {
  readonly basis: Basis
  /** By their offsets; a stride or more from each to the next. */
  readonly places: Place[]
}

export interface Places {
  /** The last known place at or before the offset, in the list that the key stands for. */
  nearest(database: Database, key: string, offset: number): Place
  /** Keeps where a page ended that was read just now. */
  keep(database: Database, key: string, ended: Observed<Place>): void
}

export function cachedPlaces(): Places {
  const memory = boundedCaches<string, Known>({
    maxSize: 2_000_000,
    sizeCalculation: ({ places }, key) => 200 + key.length + 200 * places.length,
  })
  const knownIn = (database: Database, key: string): Known | undefined => {
    const known = memory(database).get(key)
    return known && database.versions.holds(known.basis) ? known : undefined
  }
  return {
    nearest(database, key, offset) {
      const known = offset < STRIDE ? undefined : knownIn(database, key)
      return known?.places[indexAfter(known.places, offset) - 1] ?? BEGINNING
    },
    keep(database, key, { value: place, basis }) {
      if (place.offset < STRIDE) return
      const known = knownIn(database, key) ?? { basis, places: [] }
      const index = indexAfter(known.places, place.offset)
      const [before, after] = [known.places[index - 1] ?? BEGINNING, known.places[index]]
      if (place.offset - before.offset < STRIDE || (after && after.offset - place.offset < STRIDE)) return
      known.places.splice(index, 0, place)
      // Set anew, for it takes more room now.
      memory(database).set(key, known)
    },
  }
}

/** How many of the places are at the offset or before it. */
function indexAfter(places: readonly Place[], offset: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const place = places[middle]
    if (place && place.offset <= offset) low = middle + 1
    else high = middle
  }
  return low
}
