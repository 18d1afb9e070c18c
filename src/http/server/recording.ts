/**
 * The turns of calls in a running recording of their workspace, and their steps in its file. Without a recording, a call
 * is only counted.
 */
import { createHash } from 'node:crypto'
import { iso } from '@suite-sim/kit/time/instants'
import { MAX_STEP_BYTES, type Turn } from '../../state/timeline/recordings.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { FormValues } from '../uploads/formReading.ts'
import type { Upload } from '../uploads/uploads.ts'
import { afterDueJobs } from './dueJobs.ts'
import { CredentialHider } from '@suite-sim/kit/calls/credentials'
import { isWithoutEffect } from '@suite-sim/kit/calls/recordingFormat'
import { isHidden } from '@suite-sim/kit/calls/redaction'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its turn, from the time when it may read and change its workspace; null without a recording. */
    turn?: Turn | null | undefined
    /** Returns what its step contains in addition after it succeeded, such as the records that it replaced. */
    stepFacts?: () => Promise<StepFacts>
    /** The fields of its form, read before the handler, which can move the files. */
    sentFields?: readonly SentField[]
  }
}

/** Members of a step as JSON texts, and the bytes of those that are too large. */
export interface StepFacts {
  readonly members: Readonly<Record<string, string>>
  readonly missingBytes: number
}

/** Continues a call when it is its turn, after the due jobs. A call with a rate limit can have its turn already. */
export function enterTurn(request: FastifyRequest, done: (error?: Error) => void): void {
  if (request.turn !== undefined) {
    beginTurn(request, request.turn, done)
    return
  }
  request.workspace.recording.enter((turn) => {
    request.turn = turn
    beginTurn(request, turn, done)
  })
}

function beginTurn(request: FastifyRequest, turn: Turn | null, done: (error?: Error) => void): void {
  const { workspace, form } = request
  if (turn === null) done()
  else if (form === undefined) afterDueJobs(workspace, done)
  else {
    readFields(request, form).then(() => {
      afterDueJobs(workspace, done)
    }, done)
  }
}

/** Ends the turn of a call that waits or has no answer, without a step. */
export function leaveTurn(request: FastifyRequest): void {
  const { turn } = request
  if (turn === undefined) return
  request.turn = undefined
  request.workspace.recording.leave(turn)
}

/** What the steps of a part have in common. */
export interface StepSource {
  readonly name: string
  /** Returns the caller of a call; undefined if its key is not one of a workspace. */
  readonly callerOf: (request: FastifyRequest) => Caller | undefined
  /** Returns the keys that the file must not contain. */
  readonly secretsOf: (workspace: Workspace) => readonly string[]
}

/** Returns the hook that ends the turn of a call and records its step. Runs before the response waits for the commit. */
export const endTurn =
  (source: StepSource): onSendHookHandler =>
  (request, reply, payload, done) => {
    // Calls without a recording end here: in this turn of the event loop, before others can start one.
    if (!request.turn && !isRefusedInRecording(request, reply, source)) {
      leaveTurn(request)
      done(null, payload)
      return
    }
    recordCallStep(source, request, reply, payload, reply.statusCode).then(() => {
      done(null, payload)
    }, done)
  }

/** Records the step of a call, whose connection can have been cut (status 0), and ends its turn. */
export async function recordCallStep(
  source: StepSource,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  status: number,
): Promise<void> {
  const workspace = ownerOf(request, source)
  const active = workspace?.recording.active
  try {
    if (!workspace || !active) return
    const facts = status < 400 ? await request.stepFacts?.() : undefined
    const answered = request.method === 'HEAD' ? null : payload
    const text = stepText(source, { request, reply, payload: answered, status, workspace }, active.id, facts)
    const missingBytes = (request.sentFields ?? []).reduce(
      (sum, { missingBytes: more = 0 }) => sum + more,
      facts?.missingBytes ?? 0,
    )
    workspace.recording.append(text, Buffer.byteLength(text) + missingBytes)
  } finally {
    leaveAfter(payload, request, reply)
  }
}

/** Ends the turn; that of a stream when it has been sent, because it can read and write until then. */
function leaveAfter(payload: unknown, request: FastifyRequest, { raw }: FastifyReply): void {
  const isStream = typeof payload === 'object' && payload !== null && 'pipe' in payload
  if (!isStream || raw.destroyed) leaveTurn(request)
  else
    raw.once('close', () => {
      leaveTurn(request)
    })
}

const ownerOf = (request: FastifyRequest, { callerOf }: StepSource): Workspace | undefined =>
  (request as { workspace?: Workspace }).workspace ?? callerOf(request)?.workspace

/** True for a call of an interface that was refused before its turn: it changed nothing, but its answer counts. */
function isRefusedInRecording(request: FastifyRequest, reply: FastifyReply, source: StepSource): boolean {
  if (request.turn === null || reply.statusCode < 400 || request.isJournalled !== true) return false
  const workspace = ownerOf(request, source)
  return workspace !== undefined && workspace.recording.active !== null
}

interface Ended {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly payload: unknown
  readonly status: number
  readonly workspace: Workspace
}

/** Control calls by what they do. */
const KINDS: Readonly<Record<string, string>> = {
  pullTrigger: 'trigger',
  setClock: 'clock',
  advanceClock: 'clock',
}

function stepText(source: StepSource, ended: Ended, recording: string, facts: StepFacts | undefined): string {
  const { request, reply, payload, status, workspace } = ended
  const operation = request.routeOptions.config.operation?.id
  const isControl = source.name === 'control'
  const caller = isControl ? undefined : source.callerOf(request)
  const kind = isControl
    ? (KINDS[operation ?? ''] ?? 'control')
    : request.isJournalled === true
      ? 'call'
      : 'page'
  const hider = new CredentialHider(recording, source.secretsOf(workspace))
  const { location } = reply.getHeaders()
  const members: Record<string, string> = {
    kind: JSON.stringify(kind),
    at: JSON.stringify(iso(request.turn?.at ?? workspace.now())),
    ...(isControl ? {} : { interface: JSON.stringify(source.name) }),
    ...(operation !== undefined && { operation: JSON.stringify(operation) }),
    ...(caller && { caller: JSON.stringify(callerView(caller, recording)) }),
    method: JSON.stringify(request.method),
    path: JSON.stringify(hider.url(request.url)),
    origin: JSON.stringify(workspace.publicUrl),
    headers: JSON.stringify(headersOf(request, hider)),
    ...bodyOf(ended, hider),
    status: String(status),
    ...(typeof location === 'string' && { location: JSON.stringify(hider.url(location)) }),
    ...answerOf(kind, payload, hider),
    ...facts?.members,
  }
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  return `{${texts.join(',')}}`
}

/** The rights of a key. Its name tells keys apart, because rate limits count the calls of each key. */
function callerView({ key, user, scopes, interfaces, expiresAt }: Caller, recording: string): object {
  const name = createHash('sha256').update(`${recording}\n${key}`).digest('hex').slice(0, 8)
  return {
    name,
    user: user.id,
    scopes: scopes === null ? ['*'] : [...scopes],
    interfaces: interfaces === null ? ['*'] : [...interfaces],
    expiresAt: expiresAt === null ? null : iso(expiresAt),
  }
}

function headersOf({ headers }: FastifyRequest, hider: CredentialHider): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || isWithoutEffect(name) || isHidden(name)) return []
      // The boundary of a form is that of its body.
      const text = Array.isArray(value) ? value.join(', ') : value
      return [[name, text.startsWith('multipart/') ? 'multipart/form-data' : hider.text(text)]]
    }),
  )
}

interface SentField {
  readonly name: string
  /** A text. */
  readonly value?: string
  readonly filename?: string
  readonly contentType?: string
  readonly base64?: string
  /** The bytes of a file that is too large for a recording. */
  readonly missingBytes?: number
}

/** Reads the fields of a form in their order, with their contents. */
async function readFields(request: FastifyRequest, form: FormValues): Promise<void> {
  const rest = new Map(Object.entries(form).map(([name, value]) => [name, [value].flat()]))
  const fields: SentField[] = []
  for (const { name, isUsed } of request.sentParts ?? []) {
    const value = isUsed ? rest.get(name.replace(/\[\]$/, ''))?.shift() : undefined
    if (typeof value === 'string') fields.push({ name, value })
    else if (value) fields.push({ name, ...(await fileOf(value)) })
  }
  request.sentFields = fields
}

async function fileOf(upload: Upload): Promise<Omit<SentField, 'name'>> {
  const { filename, contentType, size } = upload
  if (size > MAX_STEP_BYTES) return { filename, contentType, missingBytes: size }
  return { filename, contentType, base64: (await upload.bytes()).toString('base64') }
}

/** Returns the members of a step with the body of the request. */
function bodyOf({ request }: Ended, hider: CredentialHider): Record<string, string> {
  const { sentText, body, sentFields } = request
  if (sentFields) return { form: JSON.stringify(sentFields.map((field) => hiddenField(field, hider))) }
  if (body instanceof URLSearchParams) return { text: JSON.stringify(hider.form(String(body))) }
  if (sentText !== undefined && sentText !== '') {
    const text = hider.json(sentText)
    // The text itself, in which numbers have the digits that were sent.
    return body !== undefined && isJson(text) ? { body: text } : { text: JSON.stringify(text) }
  }
  const length = Number(request.headers['content-length'] ?? 0)
  const wasRead = length === 0 && request.headers['transfer-encoding'] === undefined
  return wasRead || sentText === '' ? {} : { isBodyMissing: 'true' }
}

const hiddenField = ({ value, filename, ...field }: SentField, hider: CredentialHider) => ({
  ...field,
  ...(value !== undefined && { value: hider.field(field.name, hider.text(value)) }),
  ...(filename !== undefined && { filename: hider.text(filename) }),
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the members of a step with the body of the answer; none for a page, whose forms have random names. */
function answerOf(kind: string, payload: unknown, hider: CredentialHider): Record<string, string> {
  if (kind === 'page' || payload === null || payload === undefined) return {}
  const isText = typeof payload === 'string'
  if (!isText && !Buffer.isBuffer(payload)) return { file: 'true' }
  const text = isText ? payload : payload.toString('utf8')
  if (text === '') return {}
  const first = text.charAt(0)
  if ((first === '{' || first === '[') && isJson(text)) return { answer: hider.json(text) }
  return isText ? { answerText: JSON.stringify(hider.json(text)) } : { file: 'true' }
}
