/** What the queue hands deliveries to, in which words. */

import type { TargetSettings } from '../allowedTargets.ts'

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

/** Is told once what came of an attempt. */
export type OnEnd = (result: Result) => void

/** What comes of an attempt that the stop of the server has ended. */
export const CUT = 'the server was stopped before the answer was complete'

export interface TransportOptions {
  /** Ms that one attempt may take in all. */
  readonly timeoutMs: number
  /** What all deliveries carry: names and values in turn. */
  readonly headers: readonly string[]
  /** Attempts under way to one origin, each on a connection of its own. */
  readonly connections: number
  /** Where deliveries may lead to begin with; see `heed`. */
  readonly reach: TargetSettings
}

/** What is wrong where nobody listens. */
export const REFUSED = 'connection refused'

export interface Transport {
  /** Begins an attempt, which ends at the latest when its time is over. */
  send(outgoing: Outgoing, ended: OnEnd): void
}
