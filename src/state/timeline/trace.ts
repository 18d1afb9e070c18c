/** W3C Trace Context, which connects a call with the webhooks that it causes. */

/** The trace headers of a call, unchanged. */
export interface Trace {
  readonly traceparent: string
  /** The vendor data; null if missing. */
  readonly tracestate: string | null
}

/** Version, trace id, parent id and flags. Version ff and ids of zeros are invalid. */
const PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** The length that every system must forward, of visible characters and blanks. */
const STATE = /^[\x20-\x7e]{1,512}$/

/** Returns the trace context of a request; null if its headers have no valid one. */
export function traceIn({ traceparent, tracestate }: Readonly<Record<string, unknown>>): Trace | null {
  if (typeof traceparent !== 'string' || !PARENT.test(traceparent)) return null
  const isState = typeof tracestate === 'string' && STATE.test(tracestate)
  return { traceparent, tracestate: isState ? tracestate : null }
}

export const traceIdOf = ({ traceparent }: Trace): string => traceparent.slice(3, 35)
