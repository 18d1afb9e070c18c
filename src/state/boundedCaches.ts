/** What is remembered of a database so that it need not be found out again; bounded, whatever is asked. */
import { LRUCache } from 'lru-cache'
import type { Database } from './database.ts'

/** Callers ask with texts of any length, so the room that a key takes has to count as well. */
export interface Bounds<Key, Kept> {
  /** What the sizes of all that is kept may add up to. */
  readonly maxSize: number
  readonly sizeCalculation: (kept: Kept, key: Key) => number
}

/** One memory for each database: of what is kept, that which was not asked for longest goes first. */
export function boundedCaches<Key extends string, Kept extends object | true>(
  bounds: Bounds<Key, Kept>,
): (database: Database) => LRUCache<Key, Kept> {
  const make = (): LRUCache<Key, Kept> => new LRUCache(bounds)
  return (database) => database.own(make)
}
