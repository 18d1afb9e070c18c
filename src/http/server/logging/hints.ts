/** The hints of a call: notes for its caller in the journal. */
import type { FastifyRequest } from 'fastify'
import type { Hint } from '../../../state/timeline/causes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Hints for its caller. */
    hints?: Hint[]
  }
}

/** Maximum number of hints of a call. */
const MAX_HINTS = 20

/** Adds hints to the entry of a call. */
export function addHints(request: FastifyRequest, more: readonly Hint[]): void {
  if (more.length > 0) request.hints = [...(request.hints ?? []), ...more].slice(0, MAX_HINTS)
}
