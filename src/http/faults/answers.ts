/** The answers of faults. */
import type { FastifyReply } from 'fastify'
import type { Hit } from '../../state/faults/faults.ts'
import type { Reason } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { LoadedInterface } from '../definition/definition.ts'
import type { Dialect } from '../definition/dialect.ts'
import { JSON_TYPE } from '../server/json.ts'

/** The part of the server that a call is for. */
export interface Target extends Pick<LoadedInterface, 'name' | 'basePath' | 'dialect'> {
  /** True for hosted pages, to which only faults that name their path apply. */
  readonly isPage?: boolean
}

const MESSAGE = 'A fault that a test has set.'

/** Whether a fault has an answer of its own. */
export const hasAnswer = ({ status, body }: Hit): boolean => status !== undefined || body !== undefined

/** Sets the status and the headers of the answer of a fault, and returns its body. */
export function faultAnswer(
  { dialect, isPage }: Target,
  fault: Hit,
  workspace: Workspace,
  reply: FastifyReply,
): string {
  const { status = fault.limit ? 429 : 200, headers = {} } = fault
  const { body = isPage === true ? MESSAGE : errorBody(dialect, status, workspace) } = fault
  if (status === 429 && !reply.hasHeader('retry-after')) void reply.header('retry-after', '1')
  const isText = typeof body === 'string'
  void reply
    .code(status)
    .type(isText ? 'text/plain; charset=utf-8' : JSON_TYPE)
    .headers(headers)
  return isText ? body : JSON.stringify(body)
}

/** Returns an error body in the interface's format if it has a refusal with this status. */
function errorBody(dialect: Dialect, status: number, workspace: Workspace): unknown {
  const found = Object.entries(dialect.refusals).find(([, refusal]) => refusal.status === status)
  if (status < 400) return {}
  const [reason, { code }] = (found ?? ['internal', { code: `status_${String(status)}` }]) as [
    Reason,
    { code: string },
  ]
  return dialect.body({
    reason,
    status,
    code,
    message: MESSAGE,
    details: undefined,
    facts: undefined,
    at: workspace.now(),
  })
}
