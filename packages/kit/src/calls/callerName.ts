/** The name that a caller gives itself in the journal: an agent's session, a test or a program. It changes no response. */
import type { IncomingHttpHeaders } from 'node:http'
import { redacted, redactedUrl } from './redaction.ts'

export const CALLER_HEADER = 'x-sim-caller'

/** Printable ASCII, because other characters cannot be sent in a header unchanged. */
export const CALLER = /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/

export const CALLER_RULE = '1 to 100 printable ASCII characters, without a space at either end'

/** What the simulator calls itself on the way to a state, and what files of a workspace call. */
export const REACH_CALLER = 'reach'
export const INIT_CALLER = 'init'

/** Whether the simulator made the call itself, so that the program under test did not rely on it. */
export const isOwnCaller = (name: string | null | undefined): boolean =>
  name === REACH_CALLER || name === INIT_CALLER

/** Returns the X-Sim-Caller of a call without secrets; undefined if it has none that can be recorded. */
export function sentCaller({ [CALLER_HEADER]: sent }: IncomingHttpHeaders): string | undefined {
  return typeof sent === 'string' && CALLER.test(sent) ? redacted(redactedUrl(sent)) : undefined
}
