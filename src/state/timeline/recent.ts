/** A queue of the newest items in memory. */

/** The newest entries, oldest first. */
export class Recent<Item> {
  /** Undefined before `#start`, so that removed items are not retained. */
  #items: (Item | undefined)[] = []
  #start = 0
  readonly #maxItems: number

  constructor(maxItems: number) {
    this.#maxItems = maxItems
  }

  get length(): number {
    return this.#items.length - this.#start
  }

  get last(): Item | undefined {
    return this.length === 0 ? undefined : this.#items.at(-1)
  }

  get first(): Item | undefined {
    return this.#items[this.#start]
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  pop(): Item | undefined {
    return this.length === 0 ? undefined : this.#items.pop()
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined
    const first = this.#items[this.#start]
    this.#items[this.#start++] = undefined
    if (this.#start > this.#maxItems) {
      this.#items = this.#items.slice(this.#start)
      this.#start = 0
    }
    return first
  }

  /** Returns all items, or the newest ones. */
  list(newest = this.length): Item[] {
    return this.#items.slice(Math.max(this.#start, this.#items.length - newest)) as Item[]
  }
}
