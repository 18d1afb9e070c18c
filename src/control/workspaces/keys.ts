/** Operations on keys, the credentials of the interfaces. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { allowMissingBody, NO_CONTENT, noContent } from '../../http/definition/operation.ts'
import { instantOf } from '@suite-sim/kit/time/instants'
import { refuse } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { mustBeScopes } from './keyScopes.ts'
import { audit, AUDITED_KEY } from '../access/audit.ts'
import { controlOperation, ListOf } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import {
  Key,
  KeyCreate,
  KeyParameter,
  KeyQuery,
  WorkspaceKeyCreate,
  WorkspaceKeyParameters,
} from './keySchemas.ts'
import { keyView } from '../shared/views.ts'

const TAG = 'Keys'

export const keys =
  (context: ControlContext): Resource =>
  async (app) => {
    const { workspaces } = context

    /** Counts a use of a workspace that the path does not name, so that its ttl starts again. */
    const used = (workspace: Workspace): Workspace => {
      workspace.lifetime.touch()
      return workspace
    }

    const create = (
      request: FastifyRequest,
      workspace: Workspace,
      { expiresAt, ...wanted }: Static<typeof WorkspaceKeyCreate>,
    ): Static<typeof Key> => {
      const expiry = typeof expiresAt === 'string' ? instantOf(expiresAt, workspace) : null
      const row = workspaces.keys.add(workspace, { ...wanted, expiresAt: expiry })
      audit(request, 'key.create', { workspace: workspace.id, user: row.user, ...AUDITED_KEY })
      return keyView(row, workspace)
    }

    const list = (workspace: Workspace) => ({
      data: workspaces.keys.of(workspace).map((row) => keyView(row, workspace)),
    })

    const remove = (request: FastifyRequest, key: string, wanted?: Workspace): void => {
      const workspace = workspaces.keys.ownerOf(key)
      if (!workspace || (wanted && workspace !== wanted)) refuse('not_found', 'The key does not exist.')
      workspaces.keys.remove(key)
      workspace.lifetime.touch()
      audit(request, 'key.delete', { workspace: workspace.id, ...AUDITED_KEY })
    }

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
      (request, reply) => {
        const { workspaceId, ...wanted } = request.body
        mustBeScopes(wanted.scopes ?? [])
        const created = create(request, used(workspaces.get(workspaceId)), wanted)
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
      ({ query }) => list(used(workspaces.get(query.workspaceId))),
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
      (request, reply) => {
        remove(request, request.params.key)
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
      (request, reply) => {
        const { params, body } = request
        mustBeScopes(body.scopes ?? [])
        const created = create(request, workspaceOf(context, params), body)
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
      (request, reply) => {
        remove(request, request.params.key, workspaceOf(context, request.params))
        return noContent(reply)
      },
    )
  }
