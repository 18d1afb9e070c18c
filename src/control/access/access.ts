/** What the bearer token of a call opens. The guard decides it; audit lines and the dashboard ask for it. */
import type { FastifyRequest } from 'fastify'
import type { Workspace } from '../../state/workspace/workspace.ts'

/** The admin token, no token, or the control token of a workspace. */
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
