/**
 * The journal: every call of an interface with what was asked and what was answered, for whoever tests an integration.
 * A call costs a few references here; it is cut to size and redacted when it is written down or looked at.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { because, becauseThroughout, type Cause, type Hint } from '../state/causes.ts'
import { systemNow } from '../state/clock.ts'
import type { Database } from '../state/database.ts'
import { timelineOf, type Call, type KeptCall, type KeptMessage, type Timeline } from '../state/timeline.ts'
import type { Workspace } from '../state/workspace.ts'
import { traceIn, type Trace } from '../state/trace.ts'
import { databaseHealthOf } from '../state/databaseHealth.ts'
import type { Workspaces } from '../state/workspaces.ts'
import { callerOf, headerOf } from './credentials.ts'
import type { InterfaceDefinition } from './definition.ts'
import { JSON_TYPE } from './json.ts'
import { absentRecords } from './namedRecords.ts'
import { redacted, redactedHeaders, redactedUrl } from './redaction.ts'
import { unmatchedCalls } from './unmatchedCalls.ts'
import { Upload } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of its JSON body, as it came. */
    sentText?: string
    /** Why it was refused. */
    refused?: { readonly reason: string; readonly message: string }
    /** The fault that it met. */
    fault?: string
    /** What its caller may not have noticed. */
    hints?: Hint[]
    /** Its number in the story of its workspace, once something has followed from it; 0 when it stands there. */
    storyNumber?: number
  }
}

/** Characters of a body that are kept. */
const MAX_KEPT = 16_384

/** Hints that are kept of a call. */
const MAX_HINTS = 20

/** Characters of an address that are kept. */
const LONGEST_URL = 2000

/** Puts a call into the journal, with what is answered; a status of 0 is no answer at all. */
export type Note = (request: FastifyRequest, reply: FastifyReply, payload: unknown, status?: number) => void

/** Has all that is called in this scope stand in the journal; answers with what notes a call that gets no answer. */
export function keepJournal(
  scope: FastifyInstance,
  definition: Pick<InterfaceDefinition, 'name' | 'dialect'>,
  workspaces: Workspaces,
): Note {
  const { credential: carrier } = definition.dialect
  const credential = carrier.kind === 'open' ? '' : headerOf(carrier).toLowerCase()
  const put: Note = (request, reply, payload, status = reply.statusCode) => {
    const caller = whoCalls(request, definition, workspaces)
    if (!caller && request.storyNumber !== 0 && status >= 400) {
      request.storyNumber = 0
      addUnmatched(workspaces.database, definition.name, request, reply, payload)
    }
    if (!caller || request.storyNumber === 0) return
    if (status < 400) addHints(request, absentRecords(request, caller.workspace, payload))
    const story = timelineOf(caller.workspace)
    const number = request.storyNumber ?? story.next()
    request.storyNumber = 0
    story.add(
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
  const note: Note = (request, ...rest) => {
    try {
      put(request, ...rest)
    } catch (error) {
      // A damaged journal must not cost the caller the answer; health reports it.
      databaseHealthOf(workspaces.database).report(error)
      request.log.error({ err: error }, 'a call could not be put into the journal')
    }
  }
  scope.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.handler = causing(route.handler)
  })
  scope.addHook('onSend', (request, reply, payload, done) => {
    note(request, reply, payload)
    done(null, payload)
  })
  return note
}

const UNMATCHED: ReadonlySet<string | undefined> = new Set([
  'no_such_path',
  'method_not_allowed',
  'credential_missing',
  'credential_unknown',
  'rate_limited',
  'forbidden',
])

/** Notes the calls that a part of the server turns down whose credential is not a key of a workspace. */
export function noteUnmatched(
  app: FastifyInstance,
  { name, basePath }: { readonly name: string; readonly basePath: string },
  database: Database,
): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isBelow = request.url.startsWith(basePath)
    if (UNMATCHED.has(request.refused?.reason) && !isOwnPage(request)) {
      addUnmatched(database, isBelow ? name : '', request, reply, payload)
    }
    done(null, payload)
  })
}

/** The dashboard learns from such a call that it has to ask for the token. */
const isOwnPage = ({ headers, refused }: FastifyRequest): boolean =>
  refused?.reason === 'credential_missing' && headers['sec-fetch-site'] === 'same-origin'

/** Notes a call of nobody at the base path of `name`; below no base path that is ''. */
function addUnmatched(
  database: Database,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const caller = { at: systemNow(), userId: null }
  const made = (number: number): Call =>
    new JournalledCall(number, caller, { name, credential: '' }, request, reply, payload, reply.statusCode)
  unmatchedCalls(database).add(made, request, reply)
}

/** Whoever has a key that is known, even if it may not be used here. */
function whoCalls(
  request: FastifyRequest,
  { dialect }: Pick<InterfaceDefinition, 'dialect'>,
  workspaces: Workspaces,
): Who | undefined {
  const { workspace, caller } = request as Partial<Pick<FastifyRequest, 'workspace' | 'caller'>>
  if (workspace) return { workspace, userId: caller?.user.id ?? null }
  const known = callerOf(dialect, request, workspaces)
  return known && { workspace: known.workspace, userId: known.user.id }
}

interface Who {
  readonly workspace: Workspace
  readonly userId: string | null
}

/** Has what the handler brings about follow from the call. */
function causing(handler: RouteHandlerMethod): RouteHandlerMethod {
  // One that waits keeps its cause, at some cost; for the others it is told from the stack.
  const run = handler.constructor.name === 'AsyncFunction' ? becauseThroughout : because
  return function (request, reply) {
    return run(callCause(request), () => handler.call(this, request, reply))
  }
}

const callCause = (request: FastifyRequest): Cause => ({
  numberIn(workspace) {
    if (workspace !== (request as { workspace?: Workspace }).workspace) return null
    return (request.storyNumber ||= timelineOf(workspace).next())
  },
  addHint(hint) {
    addHints(request, [hint])
  },
  trace: () => traceIn(request.headers),
})

function addHints(request: FastifyRequest, more: readonly Hint[]): void {
  if (more.length > 0) request.hints = [...(request.hints ?? []), ...more].slice(0, MAX_HINTS)
}

export class JournalledCall implements Call {
  readonly number: number
  readonly interface: string
  readonly operation: string | null
  readonly method: string
  readonly url: string
  readonly status: number
  readonly size: number
  readonly #at: number
  readonly #durationMs: number
  readonly #userId: string | null
  readonly #refusal: KeptCall['refusal']
  readonly #fault: string | undefined
  readonly #hints: readonly Hint[] | undefined
  readonly #credential: string
  readonly #asked: Message
  readonly #answered: Message
  #kept: KeptCall | null = null

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
    this.#at = at
    this.#durationMs = reply.elapsedTime
    this.#userId = userId
    this.#refusal = request.refused ?? null
    this.#fault = request.fault
    this.#hints = request.hints
    this.#credential = credential
    this.#asked = message(sharedHeaders(request), sentIn(request))
    this.#answered = message(answeredHeaders(reply), payload)
    this.size = 1000 + sizeOf(this.#asked) + sizeOf(this.#answered)
  }

  /** Without secrets; made once. */
  kept(): KeptCall {
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
      refusal: this.#refusal,
      ...(this.#fault !== undefined && { fault: this.#fault }),
      ...(this.#hints && { hints: this.#hints }),
      request: keptMessage(this.#asked, this.#credential),
      response: keptMessage(this.#answered, this.#credential),
    })
  }
}

interface Message {
  readonly headers: Headers
  readonly body: string | null
  /** How long the whole body is, where this is not all of it. */
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

/** Most clients send the same headers again and again: what is alike is kept once, or the garbage collector pays for it. */
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

/** What every answer of JSON has. */
const JUST_JSON: Headers = { 'content-type': JSON_TYPE, 'x-content-type-options': 'nosniff' }

function answeredHeaders(reply: FastifyReply): Headers {
  const headers = reply.getHeaders()
  for (const name in headers) {
    if (headers[name] !== JUST_JSON[name]) return headers
  }
  return JUST_JSON
}

const sizeOf = ({ body }: Message): number => body?.length ?? 0

/** Copied, for a part of a text holds on to all of it. */
const shortened = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()

/** The body as it came; of a form its texts, and of its files what they are called, those of unused parts too. */
function sentIn(request: FastifyRequest): string | undefined {
  const { sentText, sentParts, form } = request
  if (sentText !== undefined) return sentText
  if (!sentParts) return undefined
  // Of a form that was refused while it came, as much as had come. Its values are kept whole otherwise.
  const parts = form ? sentParts.filter(({ isUsed }) => !isUsed) : sentParts
  const kept: Record<string, unknown> = {}
  for (const { name, value } of parts) {
    const others = Object.hasOwn(kept, name) ? [kept[name]].flat() : null
    kept[name] = others ? [...others, value] : value
  }
  // What the operation asks for is shown where both have a name.
  return JSON.stringify({ ...kept, ...form }, (_name, value: unknown) =>
    value instanceof Upload
      ? { filename: value.filename, contentType: value.contentType, size: value.size }
      : value,
  )
}

function keptMessage({ headers, body, cutFrom }: Message, credential: string): KeptMessage {
  const text = body === null ? null : redacted(body)
  return {
    headers: redactedHeaders(headers, credential),
    body: text === null || cutFrom !== undefined ? text : parsed(text),
    ...(cutFrom !== undefined && { cutFrom }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A cause of its own, told at once: somebody outside of the interfaces does something, by a call with these headers. */
export function triggered<T>(
  workspace: Workspace,
  name: string,
  headers: FastifyRequest['headers'],
  act: () => T,
): T {
  const story: Timeline = timelineOf(workspace)
  const number = story.recordStep({ kind: 'trigger', title: name, ref: name, causedBy: null })
  try {
    const trace = (): Trace | null => traceIn(headers)
    return becauseThroughout({ numberIn: (other) => (other === workspace ? number : null), trace }, act)
  } catch (error) {
    story.backTo(number - 1)
    throw error
  }
}
