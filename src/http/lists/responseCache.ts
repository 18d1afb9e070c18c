/** Keeps the answers of reads until their workspace is written (docs/decisions/0002). */
import type { FastifyRequest, RouteHandlerMethod } from 'fastify'
import { hasLag } from '../../state/faults/lag.ts'
import { boundedCaches } from '../../state/storage/queries/boundedCaches.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import { JSON_TYPE } from '../server/json.ts'

interface Answer {
  readonly text: string
  /** Its user and scopes were read, and a changed caller is another object. */
  readonly caller: Caller
  /** The version of the workspace that was read. */
  readonly version: number
  /** The first instant on the clock of the workspace at which the text is no longer valid. */
  readonly until: number
}

const answers = boundedCaches<string, Answer>({
  maxSize: 8_000_000,
  sizeCalculation: ({ text }, key) => text.length + key.length,
})

/**
 * An answer is kept when it is asked for again, so that full scans do not evict hot entries or burden the garbage
 * collector.
 */
const seenOnce = boundedCaches<string, true>({
  maxSize: 500_000,
  sizeCalculation: (_true, key) => key.length,
})

/**
 * Returns a handler that answers the same call of the same caller with the same text while the version of the workspace
 * stays unchanged, and the clock does not change what the handler read of it. An answer that was made with a write is not
 * kept, because the write has changed the version. Ids and random values are drawn in writes only.
 */
export function withCache(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    const { caller } = request as Partial<Pick<FastifyRequest, 'caller'>>
    if (!caller || hasLag()) return handler.call(this, request, reply)
    const { workspace } = caller
    const { database, version, clock, publicUrl } = workspace
    // URLs of pages and files start with the public URL.
    const key = `${publicUrl} ${caller.key} ${request.url}`
    const known = answers(database).get(key)
    const isCurrent = known?.version === version && known.caller === caller
    if (isCurrent && (known.until === Infinity || clock.now() < known.until)) return known.text
    clock.holdsUntil = Infinity
    const text: unknown = handler.call(this, request, reply)
    const { holdsUntil: until } = clock
    if (typeof text !== 'string' || until === -Infinity || workspace.version !== version) return text
    // Files have headers of their own.
    if (reply.getHeader('content-type') !== JSON_TYPE) return text
    if (known || seenOnce(database).get(key)) answers(database).set(key, { text, caller, version, until })
    else seenOnce(database).set(key, true)
    return text
  }
}
