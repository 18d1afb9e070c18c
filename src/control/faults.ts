/** Faults: calls and deliveries that go wrong on purpose. OPERATING.md, "Control plane". */
import type { Resource } from '../http/definition.ts'
import { NO_CONTENT, noContent } from '../http/operation.ts'
import { addFault, listFaults, MAX_FAULTS, removeFault, removeFaults } from '../state/faults.ts'
import { refuse } from '../state/refusal.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import { mustBeReachable } from './faultPaths.ts'
import { Fault, FaultCreate, FaultParameters } from './faultSchemas.ts'
import { WorkspaceId } from './schemas.ts'
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
          summary: 'Have calls or deliveries go wrong',
          description: `Matching calls meet the first of the faults that hits them, in the order in which they were set. A reset of the workspace takes them away. A workspace holds at most ${String(MAX_FAULTS)}.`,
          answers: { 201: Fault },
          refuses: ['conflict'],
        }),
      },
      async ({ params, body }, reply) => {
        const workspace = workspaceOf(context, params)
        mustDoSomething(body)
        await mustBeReachable(context, body)
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
          summary: 'Take all faults away',
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
          summary: 'Take a fault away',
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

const OF_CALLS = ['method', 'path', 'status', 'body', 'headers', 'reset'] as const
const EFFECTS = ['preset', 'status', 'body', 'headers', 'delayMs', 'reset', 'delivery'] as const

/** What a fault says has to go together, and to come to something. */
function mustDoSomething(wanted: Static<typeof FaultCreate>): void {
  const problem = (field: string, code: string, message: string): never =>
    refuse('invalid', message, { details: [{ field, code, message }] })
  const isSaid = (name: keyof typeof wanted): boolean => wanted[name] !== undefined
  if (!EFFECTS.some(isSaid)) problem('status', 'required', `one of ${EFFECTS.join(', ')} is required`)
  if (wanted.delivery === undefined) {
    if (isSaid('event')) problem('event', 'not_allowed', 'event goes with delivery')
    return
  }
  const [misplaced] = [...OF_CALLS, 'preset' as const].filter(isSaid)
  if (misplaced) problem(misplaced, 'not_allowed', `${misplaced} does not go with delivery`)
}
