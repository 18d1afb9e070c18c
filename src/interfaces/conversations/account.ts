/** Which account is meant: that of the workspace of the key, and no other. */
import type { FastifyRequest, preValidationHookHandler } from 'fastify'
import { isRemovedAgent } from '../../state/conversations/agents.ts'
import { refuse } from '../../state/refusal.ts'

interface InAccount {
  readonly account_id: string
}

/** Refuses the account of another, and an agent who was removed from it; then `ask` looks for the record that is meant, before the body is judged. */
export const inAccount =
  // The type parameter names the shape of the path's parameters, which only the caller knows.
  <Params extends InAccount>(
    ask: (request: FastifyRequest, params: Params) => unknown = () => undefined,
  ): preValidationHookHandler =>
    (request, _reply, done) => {
      const params = request.params as Params
      try {
        if (params.account_id !== String(request.workspace.tenantId)) {
          refuse('not_found', `The key is not one of the account ${params.account_id}.`)
        }
        if (isRemovedAgent(request.workspace, request.caller.user.id)) {
          refuse(
            'forbidden',
            'The agent whose key this is was removed from the account. Invite the agent again, or use another key.',
          )
        }
        ask(request, params)
        done()
      } catch (error) {
        done(error as Error)
      }
    }

export const ACCOUNT = '/accounts/:account_id'
