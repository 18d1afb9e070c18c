/** Operations on keys, the credentials of the interfaces. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { allowMissingBody, NO_CONTENT } from '../../http/definition/operation.ts'
import { instantOf } from '@suite-sim/kit/time/instants'
import { refuse } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { mustBeScopes } from './keyScopes.ts'
import { audit, AUDITED_KEY } from '../access/audit.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
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

export const keys: ControlResource = async (app, context) => {
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

  const listOf = (workspace: Workspace) => ({
    data: workspaces.keys.of(workspace).map((row) => keyView(row, workspace)),
  })

  const remove = (request: FastifyRequest, key: string, wanted?: Workspace): void => {
    const workspace = workspaces.keys.ownerOf(key)
    if (!workspace || (wanted && workspace !== wanted)) refuse('not_found', 'The key does not exist.')
    workspaces.keys.remove(key)
    workspace.lifetime.touch()
    audit(request, 'key.delete', { workspace: workspace.id, ...AUDITED_KEY })
  }

  const at = controlRoutesOf(app, 'Keys')
  const list = at('/keys')
  const ofWorkspace = at('/workspaces/:id/keys', { params: WorkspaceId })

  list.post({
    id: 'createKey',
    summary: 'Create a key',
    body: KeyCreate,
    answers: { 201: Key },
    refuses: ['not_found'],
    run(request) {
      const { workspaceId, ...wanted } = request.body
      mustBeScopes(wanted.scopes ?? [])
      return create(request, used(workspaces.get(workspaceId)), wanted)
    },
  })

  list.get({
    id: 'listKeys',
    summary: 'List the keys of a workspace',
    description: 'Oldest first.',
    query: KeyQuery,
    answers: { 200: ListOf(Key) },
    refuses: ['not_found'],
    run: ({ query }) => listOf(used(workspaces.get(query.workspaceId))),
  })

  at('/keys/:key', { params: KeyParameter }).delete({
    id: 'deleteKey',
    summary: 'Delete a key',
    answers: NO_CONTENT,
    run(request) {
      remove(request, request.params.key)
    },
  })

  ofWorkspace.post({
    id: 'createWorkspaceKey',
    summary: 'Create a key of a workspace',
    body: Type.Optional(WorkspaceKeyCreate),
    before: allowMissingBody,
    answers: { 201: Key },
    run(request) {
      const { body } = request
      mustBeScopes(body.scopes ?? [])
      return create(request, request.target, body)
    },
  })

  ofWorkspace.get({
    id: 'listWorkspaceKeys',
    summary: 'List the keys of one workspace',
    description: 'Oldest first.',
    answers: { 200: ListOf(Key) },
    run: ({ target }) => listOf(target),
  })

  at('/workspaces/:id/keys/:key', { params: WorkspaceKeyParameters }).delete({
    id: 'deleteWorkspaceKey',
    summary: 'Delete a key of a workspace',
    answers: NO_CONTENT,
    run(request) {
      remove(request, request.params.key, request.target)
    },
  })
}
