/** Operations on keys, the credentials of the interfaces. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { allowMissingBody, NO_CONTENT, noContent } from '../../http/definition/operation.ts'
import { instantOf } from '../../state/model/clock.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { mustBeScopes } from './keyScopes.ts'
import { controlOperation, ListOf } from '../shared/dialect.ts'
import {
  Key,
  KeyCreate,
  KeyParameter,
  KeyQuery,
  WorkspaceId,
  WorkspaceKeyCreate,
  WorkspaceKeyParameters,
} from '../shared/schemas.ts'
import { keyView } from '../shared/views.ts'

const TAG = 'Keys'

export const keys =
  (context: ControlContext): Resource =>
  async (app) => {
    const { workspaces } = context

    const create = (
      workspace: Workspace,
      { expiresAt, ...wanted }: Static<typeof WorkspaceKeyCreate>,
    ): Static<typeof Key> => {
      const expiry = typeof expiresAt === 'string' ? instantOf(expiresAt, workspace) : null
      return keyView(workspaces.keys.add(workspace, { ...wanted, expiresAt: expiry }), workspace)
    }

    const list = (workspace: Workspace) => ({
      data: workspaces.keys.of(workspace).map((row) => keyView(row, workspace)),
    })

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
      ({ body: { workspaceId, ...wanted } }, reply) => {
        mustBeScopes(wanted.scopes ?? [])
        const created = create(workspaces.get(workspaceId), wanted)
        reply.code(201)
        return created
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
      ({ query }) => list(workspaces.get(query.workspaceId)),
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

    app.post(
      '/workspaces/:id/keys',
      {
        preValidation: allowMissingBody,
        schema: { params: WorkspaceId, body: Type.Optional(WorkspaceKeyCreate) },
        config: controlOperation(TAG, {
          id: 'createWorkspaceKey',
          summary: 'Create a key of a workspace',
          answers: { 201: Key },
        }),
      },
      ({ params, body }, reply) => {
        mustBeScopes(body.scopes ?? [])
        const created = create(workspaceOf(context, params), body)
        reply.code(201)
        return created
      },
    )

    app.get(
      '/workspaces/:id/keys',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'listWorkspaceKeys',
          summary: 'List the keys of one workspace',
          description: 'Oldest first.',
          answers: { 200: ListOf(Key) },
        }),
      },
      ({ params }) => list(workspaceOf(context, params)),
    )

    app.delete(
      '/workspaces/:id/keys/:key',
      {
        schema: { params: WorkspaceKeyParameters },
        config: controlOperation(TAG, {
          id: 'deleteWorkspaceKey',
          summary: 'Delete a key of a workspace',
          answers: NO_CONTENT,
        }),
      },
      ({ params }, reply) => {
        const isOwn = workspaces.keys.caller(params.key)?.workspace === workspaceOf(context, params)
        if (!isOwn || !workspaces.keys.remove(params.key)) refuse('not_found', 'The key does not exist.')
        return noContent(reply)
      },
    )
  }
