/** What the queue hands deliveries to. How they are sent, and from which thread, is the transport's business. */

import type { ReachSettings } from '../reach.ts'

/** A delivery on its way out. */
export interface Outgoing {
  readonly url: string
  /** Names and values in turn, beside those that all carry. */
  readonly headers: readonly string[]
  readonly body: string
}

/** What came of it. `status` is null when no answer began; `error` is null when the receiver took the delivery. */
export interface Result {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** What the Retry-After of a 429 or 503 asks for. */
  readonly retryAfterMs?: number
}

/** Is told once what came of a delivery; null when no attempt was made. */
export type OnEnd = (result: Result | null) => void

/** What comes of an attempt that the stop of the server has ended. */
export const CUT = 'the server was stopped before the answer was complete'

export interface TransportOptions {
  /** Ms that one attempt may take in all. */
  readonly timeoutMs: number
  /** Ms that an origin may take to answer so that more may wait for its connections. */
  readonly promptMs: number
  /** What all deliveries carry: names and values in turn. */
  readonly headers: readonly string[]
  /** Attempts under way to one origin, each on a connection of its own. */
  readonly connections: number
  /** Deliveries that it may be given before the first of them has ended. */
  readonly most: number
  /** Where deliveries may lead to begin with; see `heed`. */
  readonly reach: ReachSettings
}

/** What is wrong where nobody listens. */
export const REFUSED = 'connection refused'

/** Whether what waits for the same origin will not wait long. */
export const isPrompt = (
  { status, durationMs }: Result,
  { promptMs }: Pick<TransportOptions, 'promptMs'>,
): boolean => status !== null && durationMs <= promptMs

/** A delivery that a transport was given. */
export interface Sending {
  /** Keeps it from being sent; false when that has begun, or is over. Otherwise it ends with null, if not at once. */
  cancel(): boolean
}

export interface Transport {
  /** Whether it can send at once; if not, it is to be loaded first. */
  readonly ready: boolean
  load(): Promise<void>
  /** How many it likes to hold for an origin, beyond those under way to it, so as not to wait for the next. */
  readonly prefetch: number
  /**
   * Sends it as soon as its origin has a connection free. No attempt is made when it is cancelled before, or when those
   * before it took too long; one that is made ends at the latest when its time is over. To be `ready` for.
   */
  send(outgoing: Outgoing, ended: OnEnd): Sending
  /** Says where deliveries may lead from now on. */
  heed(reach: ReachSettings): void
  /** Ends what is under way, as an attempt that failed, and what waits, as one that was not made. */
  close(): Promise<void>
}
