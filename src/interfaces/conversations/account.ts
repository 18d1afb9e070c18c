/** Checks the account in the path. A key gives access to the account of its workspace only. */
import type { FastifyRequest, preValidationHookHandler } from 'fastify'
import { isRemovedAgent } from '../../state/conversations/agents.ts'
import { absentCallRefusal } from '../../http/lifecycle/unknownPaths.ts'
import { refuse } from '../../state/model/refusal.ts'
import { absentCalls } from './absent.ts'

interface InAccount {
  readonly account_id: string
}

/**
 * Refuses another account, and agents who were removed from the account. Then `mustFind` looks up the record of the path, so that an
 * unknown record is refused before an invalid body. An id that is a word of Chatwoot's paths, as in `/conversations/meta`, is refused
 * with the call to use instead.
 */
export const inAccount =
  // Only the caller knows the path parameters, so it passes their type.
  <Params extends InAccount>(
    mustFind: (request: FastifyRequest, params: Params) => unknown = () => undefined,
  ): preValidationHookHandler =>
    (request, _reply, done) => {
      const params = request.params as Params
      try {
        if (params.account_id !== String(request.workspace.tenantId)) {
          refuse('not_found', `The key does not belong to the account ${params.account_id}.`)
        }
        if (isRemovedAgent(request.workspace, request.caller.user.id)) {
          refuse(
            'forbidden',
            'The agent of this key was removed from the account. Invite the agent again, or use another key.',
          )
        }
      } catch (error) {
        done(error as Error)
        return
      }
      try {
        mustFind(request, params)
        done()
      } catch (error) {
        done(absentCallRefusal(absentCalls, request.server.prefix, request.url) ?? (error as Error))
      }
    }

export const ACCOUNT = '/accounts/:account_id'
