/** Chance that is the same in every run. */

export interface Chance {
  /** From 0 to 1, without 1. */
  readonly next: () => number
  /** A whole number between the two, both included. */
  readonly between: (least: number, most: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** Whether something happens that does so in this part of all cases. */
  readonly happens: (share: number) => boolean
}

/** Mulberry32, which is small and good enough for stories. */
export function chanceOf(seed: number): Chance {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] as (typeof items)[number],
    happens: (share) => next() < share,
  }
}
