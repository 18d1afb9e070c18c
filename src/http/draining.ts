/** Bodies that nobody reads any more. Their senders may not listen before all of it is sent, and are to read the answer. */
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Bytes of one that are taken off its connection; it is cut when there are more, or when its time is over. */
const MOST_DRAINED = 64 * 1024 * 1024

/** Takes what is still to come off the connection, unread. */
export function drain(incoming: Readable): void {
  let drained = 0
  incoming.unpipe()
  incoming.on('data', (piece: Buffer) => {
    drained += piece.length
    if (drained > MOST_DRAINED) incoming.destroy()
  })
  incoming.resume()
}

/**
 * Fastify closes the connection with the answer to a body that can't be read, and what its sender has still under way resets it:
 * then the answer is lost. The rest is read instead, and the connection can be used on.
 */
export function drainRefusedBodies(server: FastifyInstance): void {
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (reply.statusCode >= 400 && reply.getHeader('connection') === 'close') {
      reply.removeHeader('connection')
      if (!raw.complete) drain(raw)
    }
    done()
  })
}
