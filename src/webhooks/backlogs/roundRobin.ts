/** The round robin of backlogs that have something to send. */
import type { Backlog } from './backlog.ts'
import type { Origin } from './origin.ts'

export class RoundRobin {
  /** Each backlog is in it at most once, which `waiting` marks. */
  readonly #queue: Backlog[] = []
  /** Backlogs that wait for a slot of their origin. */
  readonly #parked = new Map<Origin, Backlog[]>()
  /** Backlogs that wait until silent origins use fewer slots. */
  #throttled: Backlog[] = []

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  /** Adds a backlog at the end, unless it waits already. */
  add(backlog: Backlog): void {
    if (backlog.waiting) return
    backlog.waiting = true
    this.#queue.push(backlog)
  }

  next(): Backlog | undefined {
    const backlog = this.#queue.shift()
    if (backlog) backlog.waiting = false
    return backlog
  }

  /** Makes a backlog wait until a slot of its origin is free. */
  waitForOrigin(backlog: Backlog): void {
    backlog.waiting = true
    const parked = this.#parked.get(backlog.origin)
    if (parked) parked.push(backlog)
    else this.#parked.set(backlog.origin, [backlog])
  }

  /** Makes a backlog wait until a slot of any origin is free. */
  throttle(backlog: Backlog): void {
    backlog.waiting = true
    this.#throttled.push(backlog)
  }

  /** Adds the backlogs again that may use a free slot of this origin. */
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
