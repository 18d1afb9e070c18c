/** What is remembered of a database so that it need not be found out again; bounded, whatever is asked. */
import type { Database } from './database.ts'

/** Callers ask with texts of any length, so the room that a key takes counts as well. */
export interface Bounds<Key, Kept> {
  /** What all that is kept may add up to. */
  readonly budget: number
  readonly sizeOf: (kept: Kept, key: Key) => number
}

/** Keys of which is remembered that they were asked for once. */
const DOORKEEPER_PLACES = 8192

/** Things kept until they take too much room, in two halves: what was not asked for since the last turn goes next. */
export class Memory<Key extends string | number, Kept> {
  readonly #bounds: Bounds<Key, Kept>
  readonly #doorkeeper = new Int32Array(DOORKEEPER_PLACES)
  #young = new Map<Key, Kept>()
  #old = new Map<Key, Kept>()
  #size = 0

  constructor(bounds: Bounds<Key, Kept>) {
    this.#bounds = bounds
  }

  get(key: Key): Kept | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.keep(key, old)
    return old
  }

  /**
   * Whether the key was asked for lately, as far as that is remembered; and remembers that it was. What is asked for
   * the first time is better not kept yet where it is large: a caller who goes through all records once would drive out
   * what others come back to, and keep the garbage collector busy with what nobody asks for again.
   */
  isAskedAgain(key: Key): boolean {
    if (this.#young.has(key)) return true
    const mark = markOf(key)
    const place = (mark >>> 1) % DOORKEEPER_PLACES
    const isKnown = this.#doorkeeper[place] === mark
    this.#doorkeeper[place] = mark
    return isKnown
  }

  keep(key: Key, kept: Kept): void {
    const size = this.#bounds.sizeOf(kept, key)
    this.#size += size
    if (this.#size > this.#bounds.budget / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = size
    }
    this.#young.set(key, kept)
  }
}

/** A number that stands for the key, never 0. Two keys with the same one are let in for each other, which does no harm. */
function markOf(key: string | number): number {
  if (typeof key === 'number') return (key ^ (key / 2 ** 32)) | 1
  let mark = key.length
  for (let index = 0; index < key.length; index++) mark = Math.imul(mark ^ key.charCodeAt(index), 0x01000193)
  return mark | 1
}

/** One memory for each database. */
export function memories<Key extends string | number, Kept>(
  bounds: Bounds<Key, Kept>,
): (database: Database) => Memory<Key, Kept> {
  const all = new WeakMap<Database, Memory<Key, Kept>>()
  return (database) => {
    let memory = all.get(database)
    if (!memory) all.set(database, (memory = new Memory(bounds)))
    return memory
  }
}
