/** The interface between the queue and the transport. */

import type { TargetSettings } from '../targets/allowedTargets.ts'

/** A delivery to send. */
export interface Outgoing {
  readonly url: string
  /** Alternating names and values, in addition to the common headers. */
  readonly headers: readonly string[]
  readonly body: string
}

/** The result of an attempt. `status` is null without a response; `error` is null if it succeeded. */
export interface Result {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** The Retry-After of a 429 or 503, in ms. */
  readonly retryAfterMs?: number
}

/** Called once with the result of an attempt. */
export type OnEnd = (result: Result) => void

/** The error of an attempt that was cut off by the stop of the server. */
export const CUT_OFF = 'the server was stopped before the response was complete'

export interface TransportOptions {
  /** The timeout of one attempt in ms. */
  readonly timeoutMs: number
  /** The common headers: alternating names and values. */
  readonly headers: readonly string[]
  /** Attempts in flight to one origin, each on its own connection. */
  readonly connections: number
  /** The initial target policy; see `setTargets`. */
  readonly targets: TargetSettings
}

/** The error of a refused connection. */
export const REFUSED = 'connection refused'

export interface Transport {
  /** Starts an attempt, which ends at its timeout at the latest. */
  send(outgoing: Outgoing, ended: OnEnd): void
}
