/** Trace Context of the W3C: whoever follows a call through several systems finds the webhooks that it caused. */

/** What a call says of the trace that it is part of, as it came. */
export interface Trace {
  readonly traceparent: string
  /** What vendors add to it; null where there is nothing. */
  readonly tracestate: string | null
}

/** Version, trace id, parent id and flags: version ff and ids of nothing but zeros are invalid. */
const PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** As many characters as everybody has to pass on, all of them visible or a blank. */
const STATE = /^[\x20-\x7e]{1,512}$/

/** That of a call with these headers; null where they name none that is valid. */
export function traceIn({ traceparent, tracestate }: Readonly<Record<string, unknown>>): Trace | null {
  if (typeof traceparent !== 'string' || !PARENT.test(traceparent)) return null
  const isState = typeof tracestate === 'string' && STATE.test(tracestate)
  return { traceparent, tracestate: isState ? tracestate : null }
}
