/** Mounts the control-plane calls that interfaces define themselves (`controlCall` of `http/definition/definition.ts`). */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'
import { WorkspaceId } from './schemas.ts'

export const calls =
  (context: ControlContext): Resource =>
  async (app) => {
    const defined = await Promise.all(context.interfaces.map(async (each) => (await each.calls?.()) ?? []))
    for (const call of defined.flat()) {
      const { id, summary, description, path, params, answer } = call
      app.get(
        `/workspaces/:id${path}`,
        {
          schema: { params: Type.Object({ ...WorkspaceId.properties, ...params.properties }) },
          config: controlOperation('Interfaces', {
            id,
            summary,
            ...(description !== undefined && { description }),
            answers: { 200: answer },
          }),
        },
        (request) => call.run(workspaceOf(context, request.params), request.params) as object,
      )
    }
  }
