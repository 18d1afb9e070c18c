/**
 * Who decides about a delivery that one thread has given to another: the one that sends it or the one that cancels it,
 * whichever is first. A word of memory that both share tells at once and for certain, where a message may come too late.
 */
const OPEN = 0
const TAKEN = 1

export class Claims {
  readonly #words: Int32Array

  /** On memory from `Claims.memory`. */
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
  }

  /** For the numbers from 0 to `most` - 1. */
  static memory(most: number): SharedArrayBuffer {
    return new SharedArrayBuffer(most * Int32Array.BYTES_PER_ELEMENT)
  }

  /** Lets the number be taken again. To be called by one thread before the other knows of it. */
  open(number: number): void {
    Atomics.store(this.#words, number, OPEN)
  }

  /** True for the first that asks, false for the other. */
  take(number: number): boolean {
    return Atomics.compareExchange(this.#words, number, OPEN, TAKEN) === OPEN
  }
}
