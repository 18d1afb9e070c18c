/** Calls that meet a fault: they wait, are cut off, or are answered otherwise than they would be. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { meetFault, type Fault } from '../state/faults.ts'
import type { Reason } from '../state/refusal.ts'
import type { Workspace } from '../state/workspace.ts'
import type { InterfaceDefinition } from './definition.ts'
import type { Dialect } from './dialect.ts'
import { JSON_TYPE } from './json.ts'
import { pathOf, pathPattern } from './pathPatterns.ts'

type Of = Pick<InterfaceDefinition, 'name' | 'basePath' | 'dialect'>

/** Has the calls of this scope meet the faults of their workspaces; `cutOff` is told of those that get no answer. */
export function meetFaults(
  scope: FastifyInstance,
  definition: Of,
  cutOff: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  scope.addHook('preValidation', (request, reply, done) => {
    const { workspace } = request as { workspace?: Workspace }
    const fault = workspace && faultOf(workspace, definition, request)
    if (!workspace || !fault) {
      done()
      return
    }
    request.fault = fault.id
    wait(fault.delayMs ?? 0, request).then(() => {
      if (fault.reset === true) {
        cutOff(request, reply)
        reply.hijack()
        request.raw.socket.destroy()
      } else if (fault.status === undefined && fault.body === undefined) {
        void reply.headers(fault.headers ?? {})
        done()
      } else answer(definition.dialect, fault, workspace, reply)
    }, done)
  })
}

const faultOf = (
  workspace: Workspace,
  { name, basePath }: Of,
  { method, url }: FastifyRequest,
): Fault | null =>
  meetFault(
    workspace,
    (fault) =>
      fault.delivery === undefined &&
      (fault.interface ?? name) === name &&
      (fault.method ?? method) === method &&
      (fault.path === undefined || pathPattern(fault.path, basePath)(pathOf(url))),
  )

/** Ends early when the caller hangs up. */
async function wait(ms: number, { raw }: FastifyRequest): Promise<void> {
  if (ms === 0) return
  const gone = new AbortController()
  const hangUp = (): void => {
    gone.abort()
  }
  raw.socket.once('close', hangUp)
  await pause(ms, undefined, { signal: gone.signal, ref: false }).catch(() => undefined)
  raw.socket.off('close', hangUp)
}

function answer(dialect: Dialect, fault: Fault, workspace: Workspace, reply: FastifyReply): void {
  const { status = 200, body = inWords(dialect, status, workspace), headers = {} } = fault
  if (status === 429) void reply.header('retry-after', '1')
  const isText = typeof body === 'string'
  void reply
    .code(status)
    .type(isText ? 'text/plain; charset=utf-8' : JSON_TYPE)
    .headers(headers)
    .send(isText ? body : JSON.stringify(body))
}

/** An error body as the interface words it for such a status, where it has one. */
function inWords(dialect: Dialect, status: number, workspace: Workspace): unknown {
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
    message: 'A fault that was set for tests.',
    details: undefined,
    facts: undefined,
    at: workspace.now(),
  })
}
