/**
 * The request journal: every call of an interface with its request and response, for tests of integrations.
 * Recording a call only keeps references; it is truncated and redacted when it is stored or read.
 */
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import { withLag, type Lag } from '../../state/faults/lag.ts'
import { withCause, type Cause, type Hint } from '../../state/timeline/causes.ts'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import type { Database } from '../../state/storage/database/database.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { Call, Timeline } from '../../state/timeline/timeline.ts'
import { requestId, unmatchedId, type CallRecord } from '../../state/timeline/timelineShapes.ts'
import type { MessageRecord } from '@suite-sim/kit/calls/callFormats'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { traceIn } from '../../state/timeline/trace.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { callerOf, headerOf } from './credentials.ts'
import type { LoadedInterface } from '../definition/definition.ts'
import { JSON_TYPE } from '../server/json.ts'
import { changedNumbers } from '../schemas/changedNumbers.ts'
import { absentRecords } from './namedRecords.ts'
import { sentCaller } from '@suite-sim/kit/calls/callerName'
import { addHints } from '../server/logging/hints.ts'
import { sentRequestId, setRequestId } from '../server/logging/requestId.ts'
import { redacted, redactedHeaders, redactedUrl } from '@suite-sim/kit/calls/redaction'
import type { StepSource } from '../server/recording.ts'
import { unmatchedCalls } from '../server/logging/unmatchedCalls.ts'
import { uploadFacts } from '../uploads/uploads.ts'
import { acceptedLanguage } from '../webPages/languages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The unparsed text of its JSON body. */
    sentText?: string
    /** Why it was refused. */
    refused?: { readonly reason: string; readonly message: string }
    /** The id of the fault that was applied to it. */
    fault?: string
    /** Whether the fault is its answer, so that nothing else changes it. */
    isFaultAnswer?: boolean
    /** What the lists of its answer leave out; set by a fault. */
    lag?: Lag
    /** What its answer waits for, after its changes were committed. */
    answerWaits?: ((cut: AbortSignal) => Promise<unknown>)[]
    /** Its number on the timeline of its workspace, once it has effects; 0 when it is recorded. */
    timelineNumber?: number
  }
}

/** Maximum characters of a body in the journal. */
const MAX_KEPT = 16_384

/** Maximum characters of a URL in the journal. */
const LONGEST_URL = 2000

/** Records a call with its response; status 0 means no response. */
export type RecordCall = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  status?: number,
) => void

/** Returns the function that records the calls of an interface. It never throws. */
export function callRecorder(
  definition: Pick<LoadedInterface, 'name' | 'dialect'>,
  workspaces: Registry,
): RecordCall {
  const { credential: carrier } = definition.dialect
  const credential = carrier.kind === 'open' ? '' : headerOf(carrier).toLowerCase()
  const record: RecordCall = (request, reply, payload, status = reply.statusCode) => {
    const caller = ownerOf(request, definition, workspaces)
    if (!caller && request.timelineNumber !== 0 && status >= 400) {
      request.timelineNumber = 0
      addUnmatched(workspaces.database, definition.name, request, reply, payload)
    }
    if (!caller || request.timelineNumber === 0) return
    if (status < 400) {
      addHints(request, absentRecords(request, caller.workspace, payload))
      addHints(request, changedNumbers(request))
    }
    const timeline = timelineOf(caller.workspace)
    const number = request.timelineNumber ?? timeline.next()
    request.timelineNumber = 0
    request.recordedAs = requestId(number)
    timeline.add(
      new JournalledCall(
        number,
        { at: caller.workspace.now(), userId: caller.userId },
        { name: definition.name, credential },
        request,
        reply,
        payload,
        status,
      ),
    )
  }
  return (request, ...rest) => {
    try {
      record(request, ...rest)
    } catch (error) {
      // A damaged journal must not fail the request; the health report shows the error.
      databaseHealthOf(workspaces.database).report(error)
      request.log.error({ err: error }, 'could not record a call in the journal')
    }
  }
}

/** Returns the hook that records a call with its response. */
export const recordCall =
  (record: RecordCall): onSendHookHandler =>
  (request, reply, payload, done) => {
    record(request, reply, payload)
    // After it was recorded, because the id is that of the record.
    setRequestId(request, reply)
    done(null, payload)
  }

const UNMATCHED: ReadonlySet<string | undefined> = new Set([
  'no_such_path',
  'method_not_allowed',
  'credential_missing',
  'credential_unknown',
  'rate_limited',
  'forbidden',
  'foreign',
])

/** Returns the hook that records the refused calls of a part whose credential is not a key of a workspace. */
export const recordUnmatchedCall =
  ({ name, basePath }: Pick<LoadedInterface, 'name' | 'basePath'>, database: Database): onSendHookHandler =>
  (request, reply, payload, done) => {
    const isBelow = request.url.startsWith(basePath)
    if (UNMATCHED.has(request.refused?.reason) && !isOwnPage(request)) {
      addUnmatched(database, isBelow ? name : '', request, reply, payload)
    }
    done(null, payload)
  }

/** The dashboard makes such a call to find out whether it needs a token. */
const isOwnPage = ({ headers, refused }: FastifyRequest): boolean =>
  refused?.reason === 'credential_missing' && headers['sec-fetch-site'] === 'same-origin'

/** Records a call without a workspace at the base path of `name`; '' is outside all base paths. */
function addUnmatched(
  database: Database,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const caller = { at: systemNow(), userId: null }
  const createCall = (number: number): Call => {
    request.recordedAs = unmatchedId(number)
    const { statusCode } = reply
    return new JournalledCall(number, caller, { name, credential: '' }, request, reply, payload, statusCode)
  }
  unmatchedCalls(database).add(createCall, request.url, (text) => {
    const { refused, recordedAs: journal } = request
    const facts = { req: request, status: reply.statusCode, reason: refused?.reason, journal }
    request.log.warn(facts, text)
  })
}

/** Returns the owner of a known key, even if it may not be used here. */
function ownerOf(
  request: FastifyRequest,
  { dialect }: Pick<LoadedInterface, 'dialect'>,
  workspaces: Registry,
): Owner | undefined {
  const { workspace, caller } = request as Partial<Pick<FastifyRequest, 'workspace' | 'caller'>>
  if (workspace) return { workspace, userId: caller?.user.id ?? null }
  const known = callerOf(dialect, request, workspaces)
  return known && { workspace: known.workspace, userId: known.user.id }
}

/** Returns what the steps of recordings need from an interface. */
export const stepSource = (
  { name, dialect }: Pick<LoadedInterface, 'name' | 'dialect'>,
  workspaces: Registry,
): StepSource => ({
  name,
  callerOf: (request) =>
    (request as Partial<Pick<FastifyRequest, 'caller'>>).caller ?? callerOf(dialect, request, workspaces),
  secretsOf: (workspace) => workspaces.keys.secretTexts(workspace),
})

interface Owner {
  readonly workspace: Workspace
  readonly userId: string | null
}

/** Whether a handler has effects besides its answer. */
export const hasEffects = (method: string | readonly string[], config: FastifyContextConfig = {}): boolean =>
  (method !== 'GET' && method !== 'HEAD') || config.operation?.givesHints === true

/** Makes the call the cause of the handler's effects, and hides new records from its lists if a fault says so. */
export const beCause: preHandlerHookHandler = (request, _reply, done) => {
  const { lag } = request
  const handle = (): void => {
    if (lag) withLag(lag, done)
    else done()
  }
  if (hasEffects(request.method, request.routeOptions.config)) withCause(callCause(request), handle)
  else handle()
}

const callCause = (request: FastifyRequest): Cause => ({
  numberIn(workspace) {
    if (workspace !== (request as { workspace?: Workspace }).workspace) return null
    return (request.timelineNumber ||= timelineOf(workspace).next())
  },
  addHint(hint) {
    addHints(request, [hint])
  },
  answerAfter(wait) {
    request.answerWaits = [...(request.answerWaits ?? []), wait]
  },
  trace: () => traceIn(request.headers),
  language: () => acceptedLanguage(request.headers['accept-language']),
})

/** Returns the id that a call will have in the journal of its workspace; undefined without one. For the log: never throws. */
export function journalIdOf(request: FastifyRequest): string | undefined {
  const { workspace } = request as { workspace?: Workspace }
  if (request.recordedAs !== undefined) return request.recordedAs
  if (request.isJournalled !== true || !workspace) return undefined
  try {
    return requestId((request.timelineNumber ||= timelineOf(workspace).next()))
  } catch {
    return undefined
  }
}

export class JournalledCall implements Call {
  readonly number: number
  readonly interface: string
  readonly operation: string | null
  readonly method: string
  readonly url: string
  readonly status: number
  readonly caller: string | undefined
  readonly size: number
  readonly #at: number
  readonly #durationMs: number
  readonly #userId: string | null
  readonly #refusal: CallRecord['refusal']
  readonly #fault: string | undefined
  readonly #requestId: string | undefined
  readonly #hints: readonly Hint[] | undefined
  readonly #credential: string
  readonly #request: Message
  readonly #response: Message
  #kept: CallRecord | null = null

  constructor(
    number: number,
    { at, userId }: { readonly at: number; readonly userId: string | null },
    { name, credential }: { readonly name: string; readonly credential: string },
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    status: number,
  ) {
    this.number = number
    this.interface = name
    this.operation = request.routeOptions.config.operation?.id ?? null
    this.method = request.method
    this.url = redactedUrl(shortened(request.url, LONGEST_URL))
    this.status = status
    this.caller = sentCaller(request.headers)
    this.#at = at
    this.#durationMs = reply.elapsedTime
    this.#userId = userId
    this.#refusal = request.refused ?? null
    this.#fault = request.fault
    this.#requestId = sentRequestId(request.headers)
    this.#hints = request.hints
    this.#credential = credential
    this.#request = message(sharedHeaders(request), sentIn(request))
    this.#response = message(answeredHeaders(reply), this.method === 'HEAD' ? null : payload)
    this.size = 1000 + sizeOf(this.#request) + sizeOf(this.#response)
  }

  /** Returns the call without secrets; computed once. */
  toRecord(): CallRecord {
    return (this.#kept ??= {
      number: this.number,
      at: this.#at,
      interface: this.interface,
      operation: this.operation,
      method: this.method,
      url: this.url,
      status: this.status,
      durationMs: Math.round(this.#durationMs * 1000) / 1000,
      userId: this.#userId,
      ...(this.caller !== undefined && { caller: this.caller }),
      refusal: this.#refusal,
      ...(this.#requestId !== undefined && { requestId: this.#requestId }),
      ...(this.#fault !== undefined && { fault: this.#fault }),
      ...(this.#hints && { hints: this.#hints }),
      request: storedMessage(this.#request, this.#credential),
      response: storedMessage(this.#response, this.#credential),
    })
  }
}

interface Message {
  readonly headers: Headers
  readonly body: string | null
  /** The length of the whole body if it was truncated. */
  readonly cutFrom: number | undefined
}

type Headers = Readonly<Record<string, unknown>>

function message(headers: Headers, body: unknown): Message {
  if (Buffer.isBuffer(body)) {
    const isText = headers['content-type'] === JSON_TYPE
    return { headers, body: isText ? body.toString('utf8', 0, MAX_KEPT) : null, cutFrom: body.length }
  }
  if (typeof body !== 'string') return { headers, body: null, cutFrom: undefined }
  if (body.length <= MAX_KEPT) return { headers, body, cutFrom: undefined }
  return { headers, body: shortened(body, MAX_KEPT), cutFrom: body.length }
}

let lastRaw: readonly string[] = []
let lastHeaders: Headers = {}

/**
 * Reuses the last headers object if the headers are the same, to reduce garbage. Most clients repeat their
 * headers.
 */
function sharedHeaders({ headers, raw: { rawHeaders } }: FastifyRequest): Headers {
  if (
    rawHeaders.length !== lastRaw.length ||
    rawHeaders.length === 0 ||
    rawHeaders.some((text, index) => text !== lastRaw[index])
  ) {
    lastRaw = rawHeaders
    lastHeaders = headers
  }
  return lastHeaders
}

/** The headers of every JSON response. */
const JUST_JSON: Headers = { 'content-type': JSON_TYPE, 'x-content-type-options': 'nosniff' }

function answeredHeaders(reply: FastifyReply): Headers {
  const headers = reply.getHeaders()
  for (const name in headers) {
    if (headers[name] !== JUST_JSON[name]) return headers
  }
  return JUST_JSON
}

const sizeOf = ({ body }: Message): number => body?.length ?? 0

/** Copied, because a substring keeps the whole string in memory. */
const shortened = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : Buffer.from(text.slice(0, maxLength)).toString()

/** Returns the body as it was sent; for a form, its texts and the names of its files, also of unused parts. */
function sentIn(request: FastifyRequest): string | undefined {
  const { sentText, sentParts, form } = request
  if (sentText !== undefined) return sentText
  if (!sentParts) return undefined
  // A refused form has the parts that arrived. An accepted form keeps full values in `form`.
  const parts = form ? sentParts.filter(({ isUsed }) => !isUsed) : sentParts
  const values: Record<string, unknown> = {}
  for (const { name, value } of parts) {
    const others = Object.hasOwn(values, name) ? [values[name]].flat() : null
    values[name] = others ? [...others, value] : value
  }
  // If an unused part has the same name, the operation's field wins.
  return JSON.stringify({ ...values, ...form }, (_name, value: unknown) => uploadFacts(value) ?? value)
}

function storedMessage({ headers, body, cutFrom }: Message, credential: string): MessageRecord {
  const text = body === null ? null : redacted(body)
  return {
    headers: redactedHeaders(headers, credential),
    body: text === null || cutFrom !== undefined ? text : parseOrText(text),
    ...(cutFrom !== undefined && { cutFrom }),
  }
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * Records a trigger on the timeline, and runs `act` with the trigger as its cause. `headers` may have a trace
 * context, the language of its e-mails, and the name of its caller.
 */
export function runTriggered<T>(
  workspace: Workspace,
  name: string,
  headers: FastifyRequest['headers'],
  act: () => T,
): T {
  const timeline: Timeline = timelineOf(workspace)
  const caller = sentCaller(headers)
  const step = { kind: 'trigger', title: name, ref: name, causedBy: null } as const
  const number = timeline.recordStep({ ...step, ...(caller !== undefined && { caller }) })
  try {
    const cause: Cause = {
      numberIn: (other) => (other === workspace ? number : null),
      trace: () => traceIn(headers),
      language: () => acceptedLanguage(headers['accept-language']),
    }
    return withCause(cause, act)
  } catch (error) {
    timeline.backTo(number - 1)
    throw error
  }
}
