/** Changes the answers of calls as they were observed on the real service. */
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { addHints } from '../../http/server/logging/hints.ts'
import { JSON_TYPE } from '../../http/server/json.ts'
import type { Entry, EntryOf } from '../format.ts'
import { namesIn } from '../parse.ts'
import { removeAt, setAt } from '../values.ts'
import { subjectOf, whyOf } from '../words.ts'

/** Changes a parsed body in place; returns whether anything changed. */
export interface BodyChange {
  readonly entry: Entry
  readonly run: (body: unknown) => boolean
}

/** A query parameter whose default or maximum was observed. */
export interface ParameterChange {
  readonly entry: Entry
  readonly name: string
  /** The maximum before and after. */
  readonly maximum?: { readonly was: number; readonly is: number }
  /** Whether the default differs. */
  readonly hasDefault: boolean
}

/** What happens to the answers of one operation. */
export interface AnswerPlan {
  /** The changes of successful bodies, by status. */
  readonly bodies: ReadonlyMap<number, readonly BodyChange[]>
  readonly refusals: readonly EntryOf<'refusal'>[]
  /** The changes of the bodies of refusals, after `refusals`. */
  readonly errors: readonly BodyChange[]
  readonly headers: readonly EntryOf<'header'>[]
  readonly parameters: readonly ParameterChange[]
  readonly limit: EntryOf<'rateLimit'> | undefined
  /** The order of a list that callers cannot sort. */
  readonly order: EntryOf<'order'> | undefined
}

/** Maximum number of entries that a hint names. */
const MAX_NAMED = 5

/** Returns the hook. `planOf` returns the plan of an operation; that of unknown paths without an id. */
export const answerChanger =
  (planOf: (operation: string | undefined) => AnswerPlan | undefined): onSendHookHandler =>
  (request, reply, payload, done) => {
    const plan =
      request.isFaultAnswer === true ? undefined : planOf(request.routeOptions.config.operation?.id)
    done(null, plan ? changed(plan, request, reply, payload) : payload)
  }

function changed(plan: AnswerPlan, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const followed: Entry[] = [...parametersUsed(plan, request, reply)]
  if (plan.limit && reply.statusCode === 429 && request.refused?.reason === 'rate_limited')
    followed.push(plan.limit)
  if (plan.order && reply.statusCode < 400) followed.push(plan.order)
  const after = changedBody(plan, reply, payload, followed)
  for (const entry of plan.headers) {
    void reply.header(entry.name, entry.value)
    followed.push(entry)
  }
  if (followed.length > 0) addHints(request, [hintOf(followed)])
  return after
}

function changedBody(plan: AnswerPlan, reply: FastifyReply, payload: unknown, followed: Entry[]): unknown {
  const { statusCode } = reply
  const isRefusal = statusCode >= 400
  const changes = isRefusal ? plan.errors : plan.bodies.get(statusCode)
  const refusals = isRefusal ? plan.refusals.filter(({ when }) => when.status === statusCode) : []
  if (!changes?.length && refusals.length === 0) return payload
  const body = parsed(reply, payload)
  if (body === undefined) return payload
  let hasChanged = false
  for (const entry of refusals) {
    if (entry.when.code !== undefined && !hasValue(body, entry.when.code)) continue
    if (entry.status !== undefined) void reply.code(entry.status)
    if (patch(body, entry)) hasChanged = true
    followed.push(entry)
    // The first that fits; the next would see an answer that the simulator never gives.
    break
  }
  for (const { entry, run } of changes ?? []) {
    if (!run(body)) continue
    hasChanged = true
    if (!followed.includes(entry)) followed.push(entry)
  }
  return hasChanged ? JSON.stringify(body) : payload
}

/** Returns the body of a JSON answer; undefined for any other. */
function parsed(reply: FastifyReply, payload: unknown): unknown {
  const text = Buffer.isBuffer(payload) ? payload.toString() : payload
  if (typeof text !== 'string' || text === '') return undefined
  const type = reply.getHeader('content-type')
  if (typeof type !== 'string' || type.toLowerCase() !== JSON_TYPE) return undefined
  return JSON.parse(text)
}

function patch(body: unknown, entry: EntryOf<'refusal'>): boolean {
  let hasChanged = false
  for (const { path, value, remove } of entry.body ?? []) {
    const names = namesIn(path)
    if (remove === true ? removeAt(body, names) : setAt(body, names, value)) hasChanged = true
  }
  return hasChanged
}

/** The depth to which codes of errors are searched. */
const CODE_DEPTH = 4

/** Checks whether a body has this text or number as a value. */
function hasValue(body: unknown, code: string, depth = 0): boolean {
  if (typeof body === 'string' || typeof body === 'number') return String(body) === code
  if (typeof body !== 'object' || body === null || depth >= CODE_DEPTH) return false
  return Object.values(body).some((each) => hasValue(each, code, depth + 1))
}

/** Returns the entries of parameters that decided about the answer. */
function* parametersUsed(
  { parameters }: AnswerPlan,
  request: FastifyRequest,
  reply: FastifyReply,
): Generator<Entry> {
  if (parameters.length === 0) return
  const sent = new URLSearchParams(request.url.split('?')[1] ?? '')
  const isRefused = reply.statusCode >= 400
  for (const { entry, name, maximum, hasDefault } of parameters) {
    const text = sent.get(name)
    if (text === null) {
      if (hasDefault && !isRefused) yield entry
    } else if (maximum) {
      const size = Number(text)
      const isOtherwise = isRefused ? size > maximum.is && size <= maximum.was : size > maximum.was
      if (isOtherwise) yield entry
    }
  }
}

function hintOf(entries: readonly Entry[]): { code: string; message: string } {
  const named = [...new Set(entries)]
  const listed = named
    .slice(0, MAX_NAMED)
    .map((entry) => `${subjectOf(entry)} (${whyOf(entry).slice(0, -1).toLowerCase()})`)
  const rest = named.length - listed.length
  const more = rest > 0 ? `, and ${String(rest)} more` : ''
  return {
    code: 'observed',
    message: `The answer follows what was observed on the real service: ${listed.join(', ')}${more}. GET /_sim/observed lists all of it.`,
  }
}
