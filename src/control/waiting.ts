/**
 * Callers that wait until something has come about (`wait` and `count` of deliveries and emails). They are let go
 * when enough has come, when their time is over, when they hang up, and when the server closes.
 */
import type { FastifyReply } from 'fastify'
import { longPoll, type Topic, type WaitedFor } from '../state/longPoll.ts'
import { refuse } from '../state/refusal.ts'
import type { Workspace } from '../state/workspace.ts'

export interface Patience {
  readonly limit?: number
  /** Seconds. */
  readonly wait?: number
  readonly count?: number
}

/** What a list holds when it is not told how much. */
const DEFAULT_LIMIT = 25

export class Waiting {
  readonly #waiting = new Set<AbortController>()
  #isReleased = false

  /**
   * The rows that `look` finds, newest first, as soon as `count` match. `look` is told how many rows to read: enough
   * to tell whether the count is reached, even where the answer is to hold fewer.
   */
  async until<Row>(
    reply: FastifyReply,
    place: Workspace | WaitedFor,
    topic: Topic,
    { wait = 0, count = 1, limit = Math.max(DEFAULT_LIMIT, count) }: Patience,
    look: (limit: number) => readonly Row[],
  ): Promise<Row[]> {
    const controller = new AbortController()
    const hangUp = (): void => {
      controller.abort()
    }
    this.#waiting.add(controller)
    reply.raw.once('close', hangUp)
    try {
      const rows = await longPoll(
        place,
        topic,
        this.#isReleased ? 0 : wait,
        () => {
          if ('registry' in place) mustStillExist(place)
          return look(Math.max(limit, count))
        },
        (seen) => seen.length >= count,
        controller.signal,
      )
      return rows.slice(0, limit)
    } finally {
      this.#waiting.delete(controller)
      reply.raw.off('close', hangUp)
    }
  }

  /** Lets everybody go with what there is, from now on. */
  release(): void {
    this.#isReleased = true
    for (const controller of this.#waiting) controller.abort()
  }
}

/** After a reset of the whole server another workspace may bear the same id and number. */
function mustStillExist(workspace: Workspace): void {
  if (workspace.registry.find(workspace.id) !== workspace) {
    refuse('not_found', `The workspace ${workspace.id} has been removed.`)
  }
}
