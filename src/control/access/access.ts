/** What the bearer token of a call opens. The guard decides it; audit lines and the dashboard ask for it. */
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlOperation } from '../shared/dialect.ts'

/** The admin token, no token at all, or the control token of a workspace. */
export type Access =
  | { readonly token: 'admin' | 'none'; readonly workspace: null }
  | { readonly token: 'control'; readonly workspace: Workspace }

export const ADMIN: Access = { token: 'admin', workspace: null }
const NONE: Access = { token: 'none', workspace: null }

const byRequest = new WeakMap<FastifyRequest, Access>()

export function setAccess(request: FastifyRequest, access: Access): void {
  byRequest.set(request, access)
}

export const accessOf = (request: FastifyRequest): Access => byRequest.get(request) ?? NONE

/** Returns the name of the token in audit lines: `admin`, `none`, or `control:` and the id of its workspace. */
export function tokenNameOf(request: FastifyRequest): string {
  const { token, workspace } = accessOf(request)
  return workspace ? `${token}:${workspace.id}` : token
}

const AccessShape = named(
  'Access',
  Type.Object({
    token: OneOf(['admin', 'control', 'none'], {
      description:
        'The token of this call: the admin token, the control token of a workspace, or none, because the server needs none.',
    }),
    workspaceId: Nullable(
      Type.String({
        description: 'The only workspace that the token opens; null if it opens the whole server.',
      }),
    ),
    allowReset: Type.Boolean({ description: 'Whether POST /_sim/reset is allowed on this server.' }),
  }),
)

export const access =
  ({ allowsReset }: ControlContext): Resource =>
  async (app) => {
    app.get(
      '/access',
      {
        config: controlOperation('Server', {
          id: 'getAccess',
          summary: 'Get what the token of this call opens',
          answers: { 200: AccessShape },
          isShared: true,
        }),
      },
      (request) => {
        const { token, workspace } = accessOf(request)
        return { token, workspaceId: workspace?.id ?? null, allowReset: allowsReset() }
      },
    )
  }
