/**
 * Calls without a workspace: an unknown or missing key, or an unknown path. They are kept in memory, limited,
 * for the whole server, because new users often make these mistakes.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { monotonicNow } from '../../state/model/clock.ts'
import type { Database } from '../../state/storage/database/database.ts'
import { notify, type TopicOwner } from '../../state/timeline/longPoll.ts'
import type { Call } from '../../state/timeline/timeline.ts'

const MAX_CALLS = 500
/** Maximum characters of all calls together. */
const MAX_CHARACTERS = 1_000_000
/** Maximum log lines per second; more calls are recorded without a line. */
const MAX_LINES = 10

/** Files that every browser requests. */
const ASKED_BY_BROWSERS = /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png)(?:\?|$)/

export class UnmatchedCalls {
  readonly #place: TopicOwner
  #calls: Call[] = []
  #size = 0
  #last = 0
  #lines = 0
  #linesSince = -Infinity

  constructor(database: Database) {
    // No workspace has this tenant id.
    this.#place = { database, tenantId: 0 }
  }

  /** The long poll key of these calls. */
  get place(): TopicOwner {
    return this.#place
  }

  /** Adds a call; `createCall` receives its number. */
  add(createCall: (number: number) => Call, request: FastifyRequest, reply: FastifyReply): void {
    if (ASKED_BY_BROWSERS.test(request.url)) return
    const call = createCall(++this.#last)
    this.#calls.push(call)
    this.#size += call.size
    while (this.#calls.length > MAX_CALLS || (this.#size > MAX_CHARACTERS && this.#calls.length > 1)) {
      this.#size -= this.#calls.shift()?.size ?? 0
    }
    this.#log(request, reply)
    notify(this.#place, 'requests')
  }

  newest(limit: number): Call[] {
    return this.#calls.slice(-limit).reverse()
  }

  /** Deletes all calls; the numbering continues. */
  clear(): void {
    this.#calls = []
    this.#size = 0
  }

  #log(request: FastifyRequest, reply: FastifyReply): void {
    const now = monotonicNow()
    if (now - this.#linesSince >= 1000) {
      this.#linesSince = now
      this.#lines = 0
    }
    if (++this.#lines > MAX_LINES) return
    const facts = { req: request, status: reply.statusCode, reason: request.refused?.reason }
    request.log.warn(facts, 'a call belongs to no workspace')
  }
}

const make = (database: Database): UnmatchedCalls => new UnmatchedCalls(database)

export const unmatchedCalls = (database: Database): UnmatchedCalls => database.own(make)
