/** Operations on faults: calls and deliveries that fail on purpose. OPERATING.md, "Control plane". */
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { addFault, listFaults, MAX_FAULTS, removeFault, removeFaults } from '../../state/model/faults.ts'
import { conditionCheck } from '../../state/model/faultConditions.ts'
import { refuse } from '../../state/model/refusal.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { mustBeReachable } from './faultPaths.ts'
import { faultView, mustAllowCase, mustFitCalls, mustHaveEffect } from './faultRequests.ts'
import { Fault, FaultCreate, FaultParameters } from './faultSchemas.ts'
import { WorkspaceId } from '../shared/schemas.ts'

export const faults: ControlResource = async (app, context) => {
  const at = controlRoutesOf(app, 'Faults')
  const list = at('/workspaces/:id/faults', { params: WorkspaceId })

  list.post({
    id: 'createFault',
    summary: 'Inject a fault into calls or deliveries',
    description: `If several faults match a call, the one that was created first applies. A reset of the workspace removes all faults. A workspace has at most ${String(MAX_FAULTS)} faults.`,
    body: FaultCreate,
    answers: { 201: Fault },
    refuses: ['conflict'],
    async run(request) {
      const { body } = request
      mustHaveEffect(body)
      await mustBeReachable(context, body)
      await mustFitCalls(context, body)
      const workspace = request.target
      mustAllowCase(workspace, body)
      return faultView(addFault(workspace, body, body.when && conditionCheck(body.when)))
    },
  })

  list.get({
    id: 'listFaults',
    summary: 'List the faults of a workspace',
    answers: { 200: ListOf(Fault) },
    run: ({ target }) => ({ data: listFaults(target).map(faultView) }),
  })

  list.delete({
    id: 'deleteFaults',
    summary: 'Delete all faults of a workspace',
    answers: NO_CONTENT,
    run({ target }) {
      removeFaults(target)
    },
  })

  at('/workspaces/:id/faults/:faultId', { params: FaultParameters }).delete({
    id: 'deleteFault',
    summary: 'Delete a fault',
    answers: NO_CONTENT,
    run({ target, params }) {
      if (!removeFault(target, params.faultId)) {
        refuse('not_found', `There is no fault ${params.faultId}.`)
      }
    },
  })
}
