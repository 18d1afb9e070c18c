/** Caches of data derived from a database, with a limit on their size. */
import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'

/** The limits of a cache. Sizes include the keys, because clients can send keys of any length. */
export interface Bounds<Key, Value> {
  /** The limit on the sum of all sizes. */
  readonly maxSize: number
  readonly sizeCalculation: (value: Value, key: Key) => number
}

/** Returns a function that gives each database its own LRU cache. */
export function boundedCaches<Key extends string, Value extends object | true>(
  bounds: Bounds<Key, Value>,
): (database: Database) => LRUCache<Key, Value> {
  const create = (): LRUCache<Key, Value> => new LRUCache(bounds)
  return (database) => database.own(create)
}
