/** Operations on faults: calls and deliveries that fail on purpose. OPERATING.md, "Control plane". */
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, noContent } from '../../http/definition/operation.ts'
import { addFault, listFaults, MAX_FAULTS, removeFault, removeFaults } from '../../state/model/faults.ts'
import { conditionCheck } from '../../state/model/faultConditions.ts'
import { refuse } from '../../state/model/refusal.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { controlOperation, ListOf } from '../shared/dialect.ts'
import { mustBeReachable } from './faultPaths.ts'
import { faultView, mustAllowCase, mustFitCalls, mustHaveEffect } from './faultRequests.ts'
import { Fault, FaultCreate, FaultParameters } from './faultSchemas.ts'
import { WorkspaceId } from '../shared/schemas.ts'

const TAG = 'Faults'

export const faults =
  (context: ControlContext): Resource =>
  async (app) => {
    app.post(
      '/workspaces/:id/faults',
      {
        schema: { params: WorkspaceId, body: FaultCreate },
        config: controlOperation(TAG, {
          id: 'createFault',
          summary: 'Inject a fault into calls or deliveries',
          description: `If several faults match a call, the one that was created first applies. A reset of the workspace removes all faults. A workspace has at most ${String(MAX_FAULTS)} faults.`,
          answers: { 201: Fault },
          refuses: ['conflict'],
        }),
      },
      async ({ params, body }, reply) => {
        mustHaveEffect(body)
        await mustBeReachable(context, body)
        await mustFitCalls(context, body)
        const workspace = workspaceOf(context, params)
        mustAllowCase(workspace, body)
        reply.code(201)
        return faultView(addFault(workspace, body, body.when && conditionCheck(body.when)))
      },
    )

    app.get(
      '/workspaces/:id/faults',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'listFaults',
          summary: 'List the faults of a workspace',
          answers: { 200: ListOf(Fault) },
        }),
      },
      ({ params }) => ({ data: listFaults(workspaceOf(context, params)).map(faultView) }),
    )

    app.delete(
      '/workspaces/:id/faults',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'deleteFaults',
          summary: 'Delete all faults of a workspace',
          answers: NO_CONTENT,
        }),
      },
      ({ params }, reply) => {
        removeFaults(workspaceOf(context, params))
        return noContent(reply)
      },
    )

    app.delete(
      '/workspaces/:id/faults/:faultId',
      {
        schema: { params: FaultParameters },
        config: controlOperation(TAG, {
          id: 'deleteFault',
          summary: 'Delete a fault',
          answers: NO_CONTENT,
        }),
      },
      ({ params }, reply) => {
        if (!removeFault(workspaceOf(context, params), params.faultId)) {
          refuse('not_found', `There is no fault ${params.faultId}.`)
        }
        return noContent(reply)
      },
    )
  }
