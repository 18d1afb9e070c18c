/** Audit lines in the log, at the level info: who deleted, reset or replaced what, and who created keys and tokens. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { HIDDEN } from '@suite-sim/kit/calls/redaction'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { tokenNameOf } from './access.ts'

type Action =
  | 'server.reset'
  | 'workspace.create'
  | 'workspace.clone'
  | 'workspace.reset'
  | 'workspace.delete'
  | 'workspaces.delete'
  | 'snapshot.put'
  | 'snapshot.restore'
  | 'snapshot.delete'
  | 'key.create'
  | 'key.delete'

/** What an action concerned. Keys and tokens are never part of it. */
interface AuditFacts {
  /** The id of the workspace. */
  readonly workspace?: string
  readonly [name: string]: unknown
}

/** A key as the journal shows it. */
export const AUDITED_KEY = { key: HIDDEN } as const

/** Logs an action that has succeeded, also if its call fails after that. */
export function audit(request: FastifyRequest, action: Action, facts: AuditFacts = {}): void {
  request.log.info(
    { audit: action, token: tokenNameOf(request), address: request.ip, ...facts },
    `audit: ${action}`,
  )
}

/** Logs that a workspace was deleted because its ttl passed without a call. */
export function auditExpiry(logger: FastifyBaseLogger | false, { id, lifetime: { ttl } }: Workspace): void {
  if (!logger) return
  const action: Action = 'workspace.delete'
  logger.info({ audit: action, token: null, address: null, workspace: id, ttl }, `audit: ${action}`)
}
