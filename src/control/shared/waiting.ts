/**
 * Long polling for lists with `wait` and `count`. A wait ends when enough entries match, when its time is over, when the
 * client disconnects, and when the server closes.
 */
import type { FastifyReply } from 'fastify'
import { longPoll, type Topic, type TopicOwner } from '../../state/timeline/longPoll.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

export interface WaitOptions {
  readonly limit?: number
  /** Seconds. */
  readonly wait?: number
  readonly count?: number
}

/** The number of entries in a list without `limit`. */
const DEFAULT_LIMIT = 25

/** Returns the body of a list, with an explanation if a wait has ended without enough entries. */
export const waitedList = <Row>(
  data: Row[],
  { wait, count = 1, limit = count }: WaitOptions,
  explain: () => string,
): { data: Row[]; explanation?: string } =>
  wait === undefined || data.length >= Math.min(count, limit) ? { data } : { data, explanation: explain() }

export class Waiting {
  readonly #waiting = new Set<AbortController>()
  #isReleased = false

  /**
   * Returns the rows that `find` returns, newest first, as soon as there are `count`. `find` gets the larger of `limit` and
   * `count`, because the count may exceed the number of rows to return.
   */
  async until<Row>(
    reply: FastifyReply,
    source: Workspace | TopicOwner,
    topic: Topic,
    { wait = 0, count = 1, limit = Math.max(DEFAULT_LIMIT, count) }: WaitOptions,
    find: (limit: number) => readonly Row[],
  ): Promise<Row[]> {
    const controller = new AbortController()
    const abort = (): void => {
      controller.abort()
    }
    this.#waiting.add(controller)
    if (reply.raw.destroyed) abort()
    reply.raw.once('close', abort)
    try {
      const rows = await longPoll(
        source,
        topic,
        this.#isReleased ? 0 : wait,
        () => {
          if ('isRegistered' in source) mustStillExist(source)
          return find(Math.max(limit, count))
        },
        (found) => found.length >= count,
        controller.signal,
      )
      return rows.slice(0, limit)
    } finally {
      this.#waiting.delete(controller)
      reply.raw.off('close', abort)
    }
  }

  /** Ends all waits with the rows found so far. Later calls do not wait. */
  release(): void {
    this.#isReleased = true
    for (const controller of this.#waiting) controller.abort()
  }
}

/** Refuses a deleted workspace. After a reset of the server, another workspace may have the same id and row scope. */
function mustStillExist(workspace: Workspace): void {
  if (!workspace.isRegistered) {
    refuse('not_found', `The workspace ${workspace.id} was deleted.`)
  }
}
