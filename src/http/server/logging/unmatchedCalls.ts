/**
 * Calls without a workspace: an unknown or missing key, an unknown path, or a rejected subscription of a cable. They are
 * kept in memory, limited, for the whole server, because new users often make these mistakes.
 */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { Database } from '../../../state/storage/database/database.ts'
import { notify, type TopicOwner } from '../../../state/timeline/longPoll.ts'
import type { Call } from '../../../state/timeline/timeline.ts'

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

  /** The number of calls since the start. */
  get count(): number {
    return this.#last
  }

  /** Adds a call; `createCall` receives its number. `warn` logs it, unless too many lines were logged. */
  add(createCall: (number: number) => Call, url: string, warn: (message: string) => void): void {
    if (ASKED_BY_BROWSERS.test(url)) return
    const call = createCall(++this.#last)
    this.#calls.push(call)
    this.#size += call.size
    while (this.#calls.length > MAX_CALLS || (this.#size > MAX_CHARACTERS && this.#calls.length > 1)) {
      this.#size -= this.#calls.shift()?.size ?? 0
    }
    this.#log(warn)
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

  #log(warn: (message: string) => void): void {
    const now = monotonicNow()
    if (now - this.#linesSince >= 1000) {
      this.#linesSince = now
      this.#lines = 0
    }
    if (++this.#lines <= MAX_LINES) warn('a call belongs to no workspace')
  }
}

const make = (database: Database): UnmatchedCalls => new UnmatchedCalls(database)

export const unmatchedCalls = (database: Database): UnmatchedCalls => database.own(make)
