/** Injects faults into calls: before the work, or into the answer when the work is done. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, onSendHookHandler, preValidationHookHandler } from 'fastify'
import {
  casesOf,
  findFault,
  findLag,
  hasFaults,
  holdCall,
  isForOperations,
  type CallLimit,
  type FaultRequest,
  type FaultSubject,
  type Hit,
} from '../../state/faults/faults.ts'
import { MAX_HELD, MAX_HOLD_MS, type HoldEnd } from '../../state/faults/heldCalls.ts'
import type { CountedCall } from '../../state/model/callWindows.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Hint } from '../../state/timeline/causes.ts'
import { notify } from '../../state/timeline/longPoll.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { pathOf, pathPattern } from '../definition/pathPatterns.ts'
import { redactedUrl } from '@suite-sim/kit/calls/redaction'
import { counted } from '@suite-sim/kit/text/counted'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { iso } from '@suite-sim/kit/time/instants'
import { faultAnswer, hasAnswer, type Target } from '../faults/answers.ts'
import { noteRetryAfter } from '../faults/retries.ts'
import { filledFault } from '../faults/templates.ts'
import { waitMs, whileConnected } from '../faults/waits.ts'
import { addHints } from '../server/logging/hints.ts'
import { REQUEST_ID } from '../server/logging/requestId.ts'
import { enterTurn, leaveTurn } from '../server/recording.ts'
import { journalIdOf, type RecordCall } from './journal.ts'
import { rateRefusal } from './rateLimits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The fault that applies to its answer when its work is done. */
    faultAfterWork?: Hit
  }
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
  const { request } = call
  let fault: Hit | null
  try {
    fault = nextFault(call, chosenCase(call.workspace, request))
  } catch (error) {
    done(error as Error)
    return
  }
  if (!fault) {
    done()
    return
  }
  request.fault = fault.id
  addHints(request, hintsOf(fault))
  if (fault.after === true) {
    request.faultAfterWork = fault
    done()
  } else
    waitBefore(call, fault).then(() => {
      apply(call, fault, done)
    }, done)
}

/** Applies a fault whose wait is over. */
function apply(call: Injection, fault: Hit, done: (error?: Error) => void): void {
  const { definition, workspace, request, reply } = call
  const { reset, headers = {}, limit, counted: inWindow } = fault
  if (reset === true) {
    cutConnection(call).catch(done)
  } else if (hasAnswer(fault)) {
    request.isFaultAnswer = true
    void reply.send(faultAnswer(definition, fault, workspace, reply))
  } else {
    void reply.headers(headers)
    if (!limit || !inWindow) done()
    else {
      request.isFaultAnswer = true
      done(rateRefusal(limit.calls, inWindow))
    }
  }
}

/** The hints of a fault that the status of the journal entry does not show. */
function hintsOf({ id, after, reset, status, body, delayMs, hold, limit }: Hit): Hint[] {
  if (limit) {
    const message = `${id} allows each key ${counted(limit.calls, 'call')} in ${limit.per} of the clock of this workspace.`
    return [{ code: 'limit_reached', message }]
  }
  if (after !== true) {
    const message = `${id} delayed this call by ${String(delayMs)} ms.`
    return delayMs === undefined ? [] : [{ code: 'delayed', message }]
  }
  if (reset === true) {
    const message = `The caller does not get this answer: ${id} closes the connection after the work.`
    return [{ code: 'answer_lost', message }]
  }
  if (status !== undefined || body !== undefined) {
    const message = `The caller gets ${String(status ?? 200)} in place of this answer: ${id} replaces it after the work.`
    return [{ code: 'answer_replaced', message }]
  }
  const until = hold === true ? 'when it is released' : `${String(delayMs ?? 0)} ms after the work`
  return [{ code: 'answer_late', message: `The caller gets this answer ${until}: ${id}.` }]
}

/** The headers of a call that a limit counts. */
const headersOf = ({ calls }: CallLimit, { current, ttl }: CountedCall): Record<string, string> => ({
  'x-ratelimit-limit': String(calls),
  'x-ratelimit-remaining': String(Math.max(0, calls - current)),
  'x-ratelimit-reset': String(Math.ceil(ttl / 1000)),
  ...(current > calls && { 'retry-after': String(Math.ceil(ttl / 1000)) }),
})

/** Maximum ms that an answer waits for the webhooks of its call. */
const MAX_ANSWER_WAIT_MS = 10_000

/** Returns the hook that applies faults to answers whose work is done: the last step of a call. */
export const finishFaults =
  (definition: Target): onSendHookHandler =>
  (request, reply, payload, done) => {
    if (!request.faultAfterWork && !request.answerWaits) {
      noteRetryAfter(request, reply)
      done(null, payload)
    } else {
      finish(definition, request, reply, payload).then((answer) => {
        // Without an answer, the connection is closed.
        if (answer === null) return
        noteRetryAfter(request, reply)
        done(null, answer.payload)
      }, done)
    }
  }

async function finish(
  definition: Target,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<{ readonly payload: unknown } | null> {
  const { faultAfterWork: fault, answerWaits = [], workspace } = request
  await whileConnected(request, async (gone) => {
    if (answerWaits.length > 0) {
      const cut = AbortSignal.any([gone, AbortSignal.timeout(MAX_ANSWER_WAIT_MS)])
      await Promise.all(answerWaits.map((wait) => wait(cut)))
    }
    if (fault?.hold === true) await hold(fault, request, gone)
    if (fault) await waitMs(fault.delayMs ?? 0, gone)
  })
  if (!fault) return { payload }
  if (fault.reset !== true && !hasAnswer(fault)) {
    void reply.headers(fault.headers ?? {})
    return { payload }
  }
  // A file that is not sent.
  if (payload instanceof Readable) payload.destroy()
  if (fault.reset === true) {
    reply.hijack()
    request.raw.socket.destroy()
    return null
  }
  for (const name of Object.keys(reply.getHeaders())) {
    if (!KEPT_HEADERS.has(name)) void reply.removeHeader(name)
  }
  return { payload: faultAnswer(definition, fault, workspace, reply) }
}

/** Every answer has them. */
const KEPT_HEADERS: ReadonlySet<string> = new Set(['x-content-type-options', REQUEST_ID])

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

function nextFault(call: Injection, chosen: string | null): Hit | null {
  const { workspace, request, reply } = call
  if (!hasFaults(workspace)) return null
  const path = pathOf(request.url)
  const subject = subjectOf(request, reply)
  const matches = matcher(call, path)
  // Those of the chosen case come before others.
  const cases = chosen === null ? [undefined] : [chosen, undefined]
  const firstOf = <Found extends object>(
    find: (matches: (fault: FaultRequest) => boolean) => Found | null,
  ) => {
    for (const wanted of cases) {
      const found = find((fault) => fault.case === wanted && matches(fault))
      if (found) return { found, isChosen: wanted === chosen }
    }
    return null
  }
  const lag = firstOf((those) =>
    findLag(workspace, those, subject, ({ id, lag: ms = '' }, hidden) => {
      request.fault ??= id
      const message = `${counted(hidden, 'new record')} ${hidden === 1 ? 'is' : 'are'} missing in the lists of this answer: ${id} shows them ${ms} after their creation, on the clock of this workspace.`
      addHints(request, [{ code: 'records_missing', message }])
    }),
  )
  if (lag) request.lag = lag.found
  const fault = firstOf((those) => findFault(workspace, those, subject))
  if (chosen !== null && lag?.isChosen !== true && fault?.isChosen !== true) {
    const message = `X-Sim-Case had no effect: the faults of the case ${chosen} do not match this call, are used up, or were not selected by their probability.`
    addHints(request, [{ code: 'case_without_effect', message }])
  }
  if (!fault) return null
  const { query, headers, params } = request
  // The form of a hosted page.
  const body = request.body instanceof URLSearchParams ? Object.fromEntries(request.body) : request.body
  return filledFault(
    fault.found,
    { method: request.method, path: redactedUrl(path), pathParams: params, query, headers, body },
    workspace,
  )
}

/** Returns a function that checks whether a fault is for a call at this path. */
function matcher({ definition, request }: Injection, path: string): (fault: FaultRequest) => boolean {
  const { name, basePath, isPage = false } = definition
  // HEAD answers as GET does.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return (fault) =>
    fault.delivery === undefined &&
    (!isPage || (fault.path !== undefined && !isForOperations(fault))) &&
    (fault.interface ?? name) === name &&
    (fault.method ?? method) === method &&
    (fault.path === undefined || pathPattern(fault.path, basePath)(path))
}

/** Returns the parts of a call that conditions check. */
function subjectOf(request: FastifyRequest, reply: FastifyReply): FaultSubject {
  const { headers, query, body, sentText, form } = request
  const { caller } = request as Partial<Pick<FastifyRequest, 'caller'>>
  return {
    ...(caller && { key: caller.key }),
    countedBy(limit, inWindow) {
      void reply.headers(headersOf(limit, inWindow))
    },
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

/** Waits as the fault says. In a recording, other calls take their turns in the meantime. */
async function waitBefore({ request }: Injection, fault: Hit): Promise<void> {
  const { delayMs = 0 } = fault
  if (delayMs === 0 && fault.hold !== true) return
  leaveTurn(request)
  await whileConnected(request, async (gone) => {
    if (fault.hold === true) await hold(fault, request, gone)
    await waitMs(delayMs, gone)
  })
  await new Promise<void>((resolve, reject) => {
    enterTurn(request, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Lets the call wait until it is released. */
async function hold({ id }: Hit, request: FastifyRequest, gone: AbortSignal): Promise<void> {
  const { workspace, method, url } = request
  const call = {
    id: journalIdOf(request) ?? request.id,
    method,
    path: redactedUrl(url),
    at: iso(workspace.now()),
  }
  const end = holdCall(workspace, id, call, gone)
  notify(workspace, 'held')
  const ended = await end
  const message = HOLD_ENDS[ended]
  if (message !== null) addHints(request, [{ code: 'held', message: `${id} held this call${message}.` }])
}

const HOLD_ENDS: Readonly<Record<HoldEnd, string | null>> = {
  released: ' until it was released',
  too_long: `, which no release let go on in ${String(MAX_HOLD_MS / 1000)} seconds`,
  too_many: ` for no time, because ${String(MAX_HELD)} calls of this workspace wait already`,
  gone: null,
}
