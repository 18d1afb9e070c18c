/** The wire conventions of the control plane: errors, credentials, lists. OPERATING.md, "Control plane". */
import { Type, type TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../../http/definition/dialect.ts'
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst } from '../../http/definition/operation.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { named } from '../../http/schemas/schemas.ts'
import { documented } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { TimeTravel } from '../workspaces/timetravel.ts'
import type { ControlContext } from './context.ts'
import type { Waiting } from './waiting.ts'

export const controlDialect: Dialect = {
  // Calls need no workspace key; `guard.ts` decides who may call.
  credential: { kind: 'open' },
  refusals: { ...COMMON_REFUSALS, no_way: { status: 422, code: 'no_way' } },
  absent: [
    {
      path: '/workspaces/{id}/webhooks',
      instead:
        'webhooks are subscriptions (GET /_sim/workspaces/{id}/subscriptions) and their deliveries (GET /_sim/workspaces/{id}/deliveries)',
    },
  ],
  body: ({ code, message, details }) => ({ error: { code, message, ...(details && { details }) } }),
  errorSchema: named(
    'ControlError',
    Type.Object({
      error: Type.Object({
        code: Type.String({ examples: ['validation_error'] }),
        message: Type.String({ examples: ['duration is required'] }),
        details: Type.Optional(Type.Array(FieldProblemShape)),
      }),
    }),
  ),
}

/** A resource of the control plane. */
export type ControlResource = (
  app: Parameters<Resource>[0],
  context: ControlContext,
  tools: { readonly travel: TimeTravel; readonly waiting: Waiting },
) => Promise<void>

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace that the path names, read when it is asked for. Its due jobs have run. An unknown one is refused. */
    readonly target: Workspace
  }
}

/** Returns a function that adds routes of the control plane. */
export function controlRoutesOf(app: FastifyInstance, tag: string) {
  if (!app.hasRequestDecorator('target')) app.decorateRequest('target', { getter: targetOf })
  return routesOf<'tag' | 'fidelity'>(app, { tag, fidelity: documented })
}

function targetOf(this: FastifyRequest): Workspace {
  return this.server.workspaces.get((this.params as { readonly id: string }).id)
}

/** Refuses an unknown workspace before an invalid body. */
export const workspaceMustExist = checkFirst(({ target }) => target)

/** Returns the schema of a list of a call with `wait`. */
export const WaitedListOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({
    data: Type.Array(schema),
    explanation: Type.Optional(
      Type.String({
        description:
          'Only if wait has ended with fewer entries than count: what is pending, which attempt failed, or who is not subscribed. Texts can change.',
      }),
    ),
  })

/** Returns the schema of a list: `{data: [...]}`. */
export const ListOf = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: Type.Array(schema) })
