/** Reads the rest of a refused body, so that the client can finish sending and read the response. */
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Maximum bytes that are read of a refused body. A longer body is cut off with its connection. */
const MAX_DRAINED = 64 * 1024 * 1024

/** Reads and drops the rest. Node's time limit for a request still holds. */
export function drain(incoming: Readable): void {
  let drained = 0
  incoming.unpipe()
  incoming.on('data', (piece: Buffer) => {
    drained += piece.length
    if (drained > MAX_DRAINED) incoming.destroy()
  })
  incoming.resume()
}

/**
 * Keeps the connection of a refused request while the rest of its body arrives. Fastify would close it with the
 * response to a body that it could not parse. Bytes still in transit would then reset it, and the client would never
 * read the response. Of a request that is refused before its body is read, Node would read a body of any length.
 */
export function keepConnection({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (reply.getHeader('connection') === 'close') reply.removeHeader('connection')
  if (!raw.complete) drain(raw)
}
