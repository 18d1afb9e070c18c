/** Injects faults into calls: a delay, a cut connection or another response. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import { findFault, type Fault } from '../../state/model/faults.ts'
import type { Reason } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { LoadedInterface } from '../definition/definition.ts'
import type { Dialect } from '../definition/dialect.ts'
import { JSON_TYPE } from '../server/json.ts'
import { pathOf, pathPattern } from '../definition/pathPatterns.ts'
import type { RecordCall } from './journal.ts'

type Target = Pick<LoadedInterface, 'name' | 'basePath' | 'dialect'>

/** Returns the hook that applies the faults of the workspace to a call. `record` gets each call whose connection is cut. */
export const injectFault =
  (definition: Target, record: RecordCall): preValidationHookHandler =>
  (request, reply, done) => {
    const { workspace } = request as { workspace?: Workspace }
    const fault = workspace && nextFault(workspace, definition, request)
    if (!workspace || !fault) {
      done()
      return
    }
    request.fault = fault.id
    wait(fault.delayMs ?? 0, request).then(() => {
      if (fault.reset === true) {
        record(request, reply, null, 0)
        reply.hijack()
        request.raw.socket.destroy()
      } else if (fault.status === undefined && fault.body === undefined) {
        void reply.headers(fault.headers ?? {})
        done()
      } else answer(definition.dialect, fault, workspace, reply)
    }, done)
  }

const nextFault = (
  workspace: Workspace,
  { name, basePath }: Target,
  { method, url }: FastifyRequest,
): Fault | null =>
  findFault(
    workspace,
    (fault) =>
      fault.delivery === undefined &&
      (fault.interface ?? name) === name &&
      (fault.method ?? method) === method &&
      (fault.path === undefined || pathPattern(fault.path, basePath)(pathOf(url))),
  )

/** Waits; ends early if the client closes the connection. */
async function wait(ms: number, { raw }: FastifyRequest): Promise<void> {
  if (ms === 0) return
  const closed = new AbortController()
  const stopWaiting = (): void => {
    closed.abort()
  }
  raw.socket.once('close', stopWaiting)
  await pause(ms, undefined, { signal: closed.signal, ref: false }).catch(() => undefined)
  raw.socket.off('close', stopWaiting)
}

function answer(dialect: Dialect, fault: Fault, workspace: Workspace, reply: FastifyReply): void {
  const { status = 200, body = errorBody(dialect, status, workspace), headers = {} } = fault
  if (status === 429) void reply.header('retry-after', '1')
  const isText = typeof body === 'string'
  void reply
    .code(status)
    .type(isText ? 'text/plain; charset=utf-8' : JSON_TYPE)
    .headers(headers)
    .send(isText ? body : JSON.stringify(body))
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
    message: 'A fault that a test has set.',
    details: undefined,
    facts: undefined,
    at: workspace.now(),
  })
}
