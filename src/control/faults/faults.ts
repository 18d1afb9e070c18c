/** Operations on faults: calls and deliveries that fail on purpose. OPERATING.md, "Control plane". */
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, noContent } from '../../http/definition/operation.ts'
import { addFault, listFaults, MAX_FAULTS, removeFault, removeFaults } from '../../state/model/faults.ts'
import { refuse } from '../../state/model/refusal.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { controlOperation, ListOf } from '../shared/dialect.ts'
import { mustBeReachable } from './faultPaths.ts'
import { Fault, FaultCreate, FaultParameters } from './faultSchemas.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import type { Static } from '@sinclair/typebox'

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
        const workspace = workspaceOf(context, params)
        reply.code(201)
        return addFault(workspace, body)
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
      ({ params }) => ({ data: listFaults(workspaceOf(context, params)) as Static<typeof Fault>[] }),
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

const CALL_FIELDS = ['method', 'path', 'status', 'body', 'headers', 'reset'] as const
const EFFECTS = ['preset', 'status', 'body', 'headers', 'delayMs', 'reset', 'delivery'] as const

/** Refuses a fault that has no effect, or that combines fields of calls with fields of deliveries. */
function mustHaveEffect(wanted: Static<typeof FaultCreate>): void {
  const fail = (field: string, code: string, message: string): never =>
    refuse('invalid', message, { details: [{ field, code, message }] })
  const isSet = (name: keyof typeof wanted): boolean => wanted[name] !== undefined
  if (!EFFECTS.some(isSet)) fail('status', 'required', `one of ${EFFECTS.join(', ')} is required`)
  if (wanted.delivery === undefined) {
    if (isSet('event')) fail('event', 'not_allowed', 'event is only allowed with delivery')
    return
  }
  const [misplaced] = [...CALL_FIELDS, 'preset' as const].filter(isSet)
  if (misplaced) fail(misplaced, 'not_allowed', `${misplaced} is not allowed with delivery`)
}
