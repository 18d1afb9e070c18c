/** Whose turn it is to send: the backlogs that have something to send, each in turn. */
import type { Backlog } from './backlog.ts'
import type { Origin } from './origin.ts'

export class RoundRobin {
  /** Each stands in it once, and so says `waiting`. */
  readonly #line: Backlog[] = []
  /** Those that wait for a slot of their origin. */
  readonly #parked = new Map<Origin, Backlog[]>()
  /** Those that wait until silent origins hold fewer slots. */
  #throttled: Backlog[] = []

  get isEmpty(): boolean {
    return this.#line.length === 0
  }

  /** Puts a backlog behind the others, unless it waits already. */
  add(backlog: Backlog): void {
    if (backlog.waiting) return
    backlog.waiting = true
    this.#line.push(backlog)
  }

  next(): Backlog | undefined {
    const backlog = this.#line.shift()
    if (backlog) backlog.waiting = false
    return backlog
  }

  /** Lets a backlog wait until its origin is released. */
  park(backlog: Backlog): void {
    backlog.waiting = true
    const parked = this.#parked.get(backlog.origin)
    if (parked) parked.push(backlog)
    else this.#parked.set(backlog.origin, [backlog])
  }

  /** Lets a backlog wait until any origin is released. */
  throttle(backlog: Backlog): void {
    backlog.waiting = true
    this.#throttled.push(backlog)
  }

  /** Lets those take part again that a slot of this origin may help. */
  release(origin: Origin): void {
    const parked = this.#parked.get(origin) ?? []
    if (parked.length === 0 && this.#throttled.length === 0) return
    const backlogs = [...parked, ...this.#throttled]
    this.#parked.delete(origin)
    this.#throttled = []
    for (const backlog of backlogs) {
      backlog.waiting = false
      this.add(backlog)
    }
  }
}
