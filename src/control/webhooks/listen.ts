/**
 * The WebSocket of `suite-sim listen`. No operation, because OpenAPI describes no WebSockets; all steps of other calls
 * apply to the request that opens it.
 */
import { takeUpgrade } from '../../http/server/upgrades.ts'
import type { ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'

const REQUIRED = {
  error: {
    code: 'upgrade_required',
    message:
      'This call is the WebSocket of `suite-sim listen`, and the request has no header Upgrade: websocket. If a proxy is in front of the server, let it pass WebSockets.',
  },
}

export const listen: ControlResource = async (app, context) => {
  app.get('/workspaces/:id/listen', { schema: { params: WorkspaceId } }, async (request, reply) => {
    const workspace = context.workspaces.get(request.params.id)
    const { takeListener } = await import('./listenSocket.ts')
    const upgrade = takeUpgrade(request.raw)
    if (!upgrade)
      return reply.code(426).headers({ upgrade: 'websocket', connection: 'upgrade' }).send(REQUIRED)
    reply.hijack()
    takeListener(context, workspace, request.raw, upgrade)
    return reply
  })
}
