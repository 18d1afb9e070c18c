/** What the server and a listener (`suite-sim listen`) tell each other. */

/** The limits for one listener. */
export const MAX_ROUTES = 10
export const MAX_SECRET_LENGTH = 200

/** A delivery for the listener, which reports the result with the number. */
export interface ListenerDelivery {
  readonly number: number
  /** The index of the route. */
  readonly route: number
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string
}
