/** The interface between the queue and the transport. */

import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import type { TargetSettings } from '../targets/allowedTargets.ts'

/** A delivery to send. */
export interface Outgoing {
  readonly url: string
  /** Alternating names and values, in addition to the common headers. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Called once with the result of an attempt. */
export type OnEnd = (result: AttemptResult) => void

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

export interface Transport {
  /** Starts an attempt, which ends at its timeout at the latest. */
  send(outgoing: Outgoing, ended: OnEnd): void
}
