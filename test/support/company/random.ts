/** Pseudorandom numbers that are the same in every run. */

export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  readonly next: () => number
  /** An integer between the two bounds, both included. */
  readonly between: (min: number, max: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** True with this probability. */
  readonly happens: (share: number) => boolean
}

/** Mulberry32, a small generator of sufficient quality. */
export function randomFrom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] as (typeof items)[number],
    happens: (share) => next() < share,
  }
}
