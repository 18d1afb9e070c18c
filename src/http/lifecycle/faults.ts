/** Injects faults into calls: a delay, a cut connection or another response. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import { casesOf, findFault, type Fault, type FaultSubject } from '../../state/model/faults.ts'
import { Refusal, type Reason } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { LoadedInterface } from '../definition/definition.ts'
import type { Dialect } from '../definition/dialect.ts'
import { JSON_TYPE } from '../server/json.ts'
import { pathOf, pathPattern } from '../definition/pathPatterns.ts'
import { redactedUrl } from '@suite-sim/kit/calls/redaction'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { filledFault } from '../faults/templates.ts'
import { enterTurn, leaveTurn } from '../server/recording.ts'
import { addHints, type RecordCall } from './journal.ts'

interface Target extends Pick<LoadedInterface, 'name' | 'basePath' | 'dialect'> {
  /** True for hosted pages, to which only faults that name their path apply. */
  readonly isPage?: boolean
}

/** Records the step of a call whose connection is cut, and ends its turn. */
type CutCall = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** The header with which a caller chooses a case. */
const CASE_HEADER = 'x-sim-case'

/** Returns the hook that applies the faults of the workspace to a call. `record` gets each call whose connection is cut. */
export const injectFault =
  (definition: Target, record: RecordCall, cut: CutCall): preValidationHookHandler =>
  (request, reply, done) => {
    const { workspace } = request as { workspace?: Workspace }
    if (!workspace) {
      done()
      return
    }
    const step = (next: (error?: Error) => void): void => {
      enterTurn(request, (error) => {
        if (error) next(error)
        else inject({ definition, record, cut, workspace, request, reply }, next)
      })
    }
    // The form is read by a later hook; conditions and the journal need it.
    if (readsForm(request)) {
      request.afterForm = step
      done()
    } else step(done)
  }

/** Returns the hook that applies the faults to hosted pages, which are not in the journal. */
export const injectPageFault = (definition: Target, cut: CutCall): preValidationHookHandler =>
  injectFault({ ...definition, isPage: true }, () => undefined, cut)

/** Only requests of operations that accept forms have the method. */
const readsForm = (request: FastifyRequest): boolean =>
  (request as Partial<Pick<FastifyRequest, 'isMultipart'>>).isMultipart?.() === true

interface Injection {
  readonly definition: Target
  readonly record: RecordCall
  readonly cut: CutCall
  readonly workspace: Workspace
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Applies the next fault. Calls `done` unless the fault is the answer. */
function inject(call: Injection, done: (error?: Error) => void): void {
  const { definition, workspace, request, reply } = call
  let fault: Fault | null
  try {
    fault = nextFault(call, chosenCase(workspace, request))
  } catch (error) {
    done(error as Error)
    return
  }
  if (!fault) {
    done()
    return
  }
  const { reset, status, body, headers = {} } = fault
  request.fault = fault.id
  delay(fault.delayMs ?? 0, request).then(() => {
    if (reset === true) {
      cutConnection(call).catch(done)
    } else if (status === undefined && body === undefined) {
      void reply.headers(headers)
      done()
    } else {
      request.isFaultAnswer = true
      answer(definition, fault, workspace, reply)
    }
  }, done)
}

/** Closes the connection without an answer. */
async function cutConnection({ record, cut, request, reply }: Injection): Promise<void> {
  record(request, reply, null, 0)
  await cut(request, reply)
  // No step after the handler removes the files of a form now.
  await (request as Partial<Pick<FastifyRequest, 'leftovers'>>).leftovers?.remove()
  reply.hijack()
  request.raw.socket.destroy()
}

/** Returns the case that the caller chooses; null if none, or if the workspace does not allow it. */
function chosenCase(workspace: Workspace, request: FastifyRequest): string | null {
  const { [CASE_HEADER]: sent } = request.headers
  if (typeof sent !== 'string') return null
  if (!workspace.cases) {
    const message = `X-Sim-Case was ignored. PATCH /_sim/workspaces/${workspace.id} with {"cases":true} allows it.`
    addHints(request, [{ code: 'case_not_allowed', message }])
    return null
  }
  const known = casesOf(workspace)
  if (known.includes(sent)) return sent
  const nearest = nearestName(sent, known)
  const advice =
    nearest === null
      ? `The cases are: ${known.length === 0 ? 'none' : known.slice(0, MAX_CASES).join(', ')}.`
      : `Did you mean ${nearest}?`
  const assumed = 'The header X-Sim-Case exists only in the simulator.'
  throw new Refusal(
    'malformed',
    `X-Sim-Case must be the case of a fault of this workspace, not ${sent.slice(0, LONGEST_CASE)}. ${advice}`,
    { assumed },
  )
}

/** Maximum number of cases in a message, and of characters of an unknown one. */
const MAX_CASES = 20
const LONGEST_CASE = 100

function nextFault({ definition, workspace, request }: Injection, chosen: string | null): Fault | null {
  const { name, basePath, isPage = false } = definition
  // HEAD answers as GET does.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const path = pathOf(request.url)
  const subject = subjectOf(request)
  const faultOf = (wanted: string | undefined): Fault | null =>
    findFault(
      workspace,
      (each) =>
        each.delivery === undefined &&
        each.case === wanted &&
        (each.interface ?? name) === name &&
        (each.method ?? method) === method &&
        (each.path === undefined ? !isPage : pathPattern(each.path, basePath)(path)),
      subject,
    )
  // Those of the chosen case come before others.
  const fault = (chosen === null ? null : faultOf(chosen)) ?? faultOf(undefined)
  if (chosen !== null && fault?.case !== chosen) {
    const message = `X-Sim-Case had no effect: the faults of the case ${chosen} do not match this call, are used up, or were not selected by their probability.`
    addHints(request, [{ code: 'case_without_effect', message }])
  }
  if (!fault) return null
  const { query, headers, params } = request
  // The form of a hosted page.
  const body = request.body instanceof URLSearchParams ? Object.fromEntries(request.body) : request.body
  return filledFault(
    fault,
    { method: request.method, path: redactedUrl(path), pathParams: params, query, headers, body },
    workspace,
  )
}

/** Returns the parts of a call that conditions check. */
function subjectOf({ headers, query, body, sentText, form }: FastifyRequest): FaultSubject {
  return {
    headers,
    query: query as Readonly<Record<string, unknown>>,
    body,
    get text() {
      if (sentText !== undefined || !form) return sentText ?? null
      return Object.values(form)
        .flat()
        .filter((value) => typeof value === 'string')
        .join('\n')
    },
  }
}

/** Waits. In a recording, other calls take their turns in the meantime. */
async function delay(ms: number, request: FastifyRequest): Promise<void> {
  if (ms === 0) return
  leaveTurn(request)
  await wait(ms, request)
  await new Promise<void>((resolve, reject) => {
    enterTurn(request, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Waits; ends early if the client closes the connection. */
async function wait(ms: number, { raw }: FastifyRequest): Promise<void> {
  // It may have closed while the body was read; no event says so later.
  if (raw.socket.destroyed) return
  const closed = new AbortController()
  const stopWaiting = (): void => {
    closed.abort()
  }
  raw.socket.once('close', stopWaiting)
  await pause(ms, undefined, { signal: closed.signal, ref: false }).catch(() => undefined)
  raw.socket.off('close', stopWaiting)
}

const MESSAGE = 'A fault that a test has set.'

function answer({ dialect, isPage }: Target, fault: Fault, workspace: Workspace, reply: FastifyReply): void {
  const { status = 200, headers = {} } = fault
  const { body = isPage === true ? MESSAGE : errorBody(dialect, status, workspace) } = fault
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
    message: MESSAGE,
    details: undefined,
    facts: undefined,
    at: workspace.now(),
  })
}
