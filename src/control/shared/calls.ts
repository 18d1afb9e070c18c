/** Mounts the control-plane calls that interfaces define themselves (`controlCall` of `http/definition/definition.ts`). */
import { Type } from '@sinclair/typebox'
import { controlRoutesOf, type ControlResource } from './dialect.ts'
import { WorkspaceId } from './schemas.ts'

export const calls: ControlResource = async (app, context) => {
  const defined = await Promise.all(context.interfaces.map(async (each) => (await each.calls?.()) ?? []))
  for (const call of defined.flat()) {
    const { id, summary, description, path, params, answer } = call
    controlRoutesOf(app, 'Interfaces')(`/workspaces/:id${path}`, {
      params: Type.Object({ ...WorkspaceId.properties, ...params.properties }),
    }).get({
      id,
      summary,
      ...(description !== undefined && { description }),
      answers: { 200: answer },
      run: (request) => call.run(request.target, request.params) as object,
    })
  }
}
