/** Counters by kind and names: `call payments listLinks 200`. */
export class Totals {
  readonly #counts = new Map<string, number>()

  count(key: string, by: number): void {
    const count = (this.#counts.get(key) ?? 0) + by
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  /** Returns a counter by its kind and names; 0 if nothing was counted. */
  get(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  load(counts: Readonly<Record<string, number>>): void {
    for (const [key, count] of Object.entries(counts)) this.#counts.set(key, count)
  }

  /** Yields the counters of a kind, with their names. */
  *of(kind: string): Generator<readonly [names: readonly string[], count: number]> {
    for (const [key, count] of this.#counts) {
      const [first, ...names] = key.split(' ')
      if (first === kind) yield [names, count]
    }
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}
