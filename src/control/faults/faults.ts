/** Operations on faults: calls and deliveries that fail on purpose. OPERATING.md, "Control plane". */
import { allowMissingBody, NO_CONTENT } from '../../http/definition/operation.ts'
import type { Static } from '@sinclair/typebox'
import {
  addFault,
  getFault,
  listFaults,
  MAX_FAULTS,
  releaseCalls,
  removeFault,
  removeFaults,
} from '../../state/faults/faults.ts'
import { MAX_HELD, type HeldCall } from '../../state/faults/heldCalls.ts'
import { conditionCheck } from '../../state/faults/faultConditions.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { notify } from '../../state/timeline/longPoll.ts'
import { controlRoutesOf, ListOf, workspaceMustExist, type ControlResource } from '../shared/dialect.ts'
import { mustBeReachable } from './faultPaths.ts'
import { faultView, mustAllowCase, mustFitCalls, mustHaveEffect } from './faultRequests.ts'
import {
  Fault,
  FaultCreate,
  FaultParameters,
  FaultQuery,
  FaultRelease,
  FaultReleased,
} from './faultSchemas.ts'
import { WorkspaceId } from '../shared/schemas.ts'

export const faults: ControlResource = async (app, context, { waiting }) => {
  const at = controlRoutesOf(app, 'Faults')
  const list = at('/workspaces/:id/faults', { params: WorkspaceId })

  list.post({
    id: 'createFault',
    summary: 'Inject a fault into calls or deliveries',
    description: `If several faults match a call, the one that was created first applies; lag applies in addition to it. A reset of the workspace removes all faults. A workspace has at most ${String(MAX_FAULTS)} faults.`,
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
      notify(target, 'held')
    },
  })

  const one = at('/workspaces/:id/faults/:faultId', { params: FaultParameters })

  one.get({
    id: 'getFault',
    summary: 'Get a fault with the calls that it holds',
    description: 'With wait, the response is sent as soon as count calls wait, or after wait seconds.',
    query: FaultQuery,
    answers: { 200: Fault },
    async run({ target, params, query }, reply) {
      const find = () => faultView(getFault(target, params.faultId) ?? noSuch(params.faultId))
      await waiting.until(reply, target, 'held', query, () => find().waiting ?? [])
      return find()
    },
  })

  one.delete({
    id: 'deleteFault',
    summary: 'Delete a fault',
    description: 'Calls that it holds go on.',
    answers: NO_CONTENT,
    run({ target, params }) {
      if (!removeFault(target, params.faultId)) noSuch(params.faultId)
      notify(target, 'held')
    },
  })

  at('/workspaces/:id/faults/:faultId/release', { params: FaultParameters }).post({
    id: 'releaseCalls',
    summary: 'Let calls go on that a fault holds',
    description:
      'The answer does not wait for the calls. If one must have ended before the next goes on, release them one by one.',
    body: FaultRelease,
    before: [workspaceMustExist, allowMissingBody],
    answers: { 200: FaultReleased },
    refuses: ['conflict'],
    run({ target, params: { faultId }, body }) {
      const fault = getFault(target, faultId) ?? noSuch(faultId)
      if (fault.hold !== true) refuse('conflict', `${faultId} holds no calls: it has no hold.`)
      return releaseCalls(target, faultId, (waiting) => chosenCalls(waiting, body))
    },
  })
}

const noSuch = (id: string): never => refuse('not_found', `There is no fault ${id}.`)

/** Returns the ids of the calls that a release names; refuses one that does not wait. */
function chosenCalls(
  waiting: readonly HeldCall[],
  { count = MAX_HELD, calls }: Static<typeof FaultRelease>,
): readonly string[] {
  const ids = waiting.map(({ id }) => id)
  const absent = calls?.find((id) => !ids.includes(id))
  if (absent !== undefined) {
    refuseField(
      'calls',
      'unknown',
      `calls must be calls that wait (${ids.join(', ') || 'none'}), not ${absent}`,
    )
  }
  return calls ?? ids.slice(0, count)
}
