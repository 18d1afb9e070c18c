/** Counts each call, page and stream of a workspace as a use of it, so that its ttl starts again. */
import type { FastifyInstance } from 'fastify'
import type { Workspace } from '../../state/workspace/workspace.ts'

export function countUses(server: FastifyInstance): void {
  // The workspace of a call is known before its body is read.
  server.addHook('preValidation', (request, reply, done) => {
    const { workspace } = request as { workspace?: Workspace }
    // `close` also comes if the client ends a stream or stops waiting; it has come if the client left during an upload.
    if (workspace && workspace.lifetime.ttl !== null && !reply.raw.destroyed)
      reply.raw.once('close', workspace.lifetime.hold())
    done()
  })
  // Of calls that an earlier step refuses, too.
  server.addHook('onResponse', (request, _reply, done) => {
    ;(request as { workspace?: Workspace }).workspace?.lifetime.touch()
    done()
  })
}
