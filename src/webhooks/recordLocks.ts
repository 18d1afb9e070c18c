/**
 * One attempt at a time for each record and subscription. On the file what is pending holds others back (`order.ts`),
 * but an attempt may outlive that: its delivery can be given up, moved or put behind another while it is under way.
 */
import type { Backlog } from './backlog.ts'

export class RecordLocks {
  /** What waits for each attempt that is under way; null is nothing. */
  readonly #underWay = new Map<string, Backlog[] | null>()

  /** Whether an attempt may begin. If not, its backlog stays until it is told by `free`. */
  take(turn: string, backlog: Backlog): boolean {
    const waiting = this.#underWay.get(turn)
    if (waiting === undefined) {
      this.#underWay.set(turn, null)
      return true
    }
    backlog.blocked++
    if (waiting === null) this.#underWay.set(turn, [backlog])
    else waiting.push(backlog)
    return false
  }

  /** To be called when the attempt is over. Answers with the backlogs that have waited for that. */
  free(turn: string): Iterable<Backlog> {
    const waiting = this.#underWay.get(turn) ?? []
    this.#underWay.delete(turn)
    for (const backlog of waiting) {
      backlog.blocked--
      backlog.expect(-Infinity)
    }
    return new Set(waiting)
  }
}
