/** Operations on keys, the credentials of the interfaces. OPERATING.md, "Control plane". */
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, noContent } from '../../http/definition/operation.ts'
import { instantOf } from '../../state/model/clock.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { ControlContext } from '../shared/context.ts'
import { mustBeScopes } from './keyScopes.ts'
import { controlOperation, ListOf } from '../shared/dialect.ts'
import { Key, KeyCreate, KeyParameter, KeyQuery } from '../shared/schemas.ts'
import { keyView } from '../shared/views.ts'

const TAG = 'Keys'

export const keys =
  ({ workspaces }: ControlContext): Resource =>
  async (app) => {
    app.post(
      '/keys',
      {
        schema: { body: KeyCreate },
        config: controlOperation(TAG, {
          id: 'createKey',
          summary: 'Create a key',
          answers: { 201: Key },
          refuses: ['not_found'],
        }),
      },
      ({ body }, reply) => {
        const { workspaceId, expiresAt, ...wanted } = body
        mustBeScopes(wanted.scopes ?? [])
        const workspace = workspaces.get(workspaceId)
        const expiry = typeof expiresAt === 'string' ? instantOf(expiresAt, workspace) : null
        const row = workspaces.keys.add(workspace, { ...wanted, expiresAt: expiry })
        reply.code(201)
        return keyView(row, workspace)
      },
    )

    app.get(
      '/keys',
      {
        schema: { querystring: KeyQuery },
        config: controlOperation(TAG, {
          id: 'listKeys',
          summary: 'List the keys of a workspace',
          description: 'Oldest first.',
          answers: { 200: ListOf(Key) },
          refuses: ['not_found'],
        }),
      },
      ({ query }) => {
        const workspace = workspaces.get(query.workspaceId)
        return { data: workspaces.keys.of(workspace).map((row) => keyView(row, workspace)) }
      },
    )

    app.delete(
      '/keys/:key',
      {
        schema: { params: KeyParameter },
        config: controlOperation(TAG, {
          id: 'deleteKey',
          summary: 'Delete a key',
          answers: NO_CONTENT,
        }),
      },
      ({ params }, reply) => {
        if (!workspaces.keys.remove(params.key)) refuse('not_found', 'The key does not exist.')
        return noContent(reply)
      },
    )
  }
