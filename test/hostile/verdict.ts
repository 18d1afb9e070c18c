/** Checks responses against what the server publishes. */
import { isUtf8 } from 'node:buffer'
import type { Exchanged, Outcome, WireAnswer } from './connection.ts'
import type { AttackedWorkspace } from './attackedWorkspace.ts'
import { FOREIGN_HOST } from './generators/heads.ts'
import { bytesOf, type HostileRequest } from './request.ts'
import type { Operation } from './surface.ts'

/** The statuses for requests that the server could not interpret. */
const REFUSALS: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 417, 426, 431,
])

/** The maximum header size in bytes that is always read. */
const LONGEST_HEAD = 15_000

/** One sentence per problem. */
export function problemsOf(
  operation: Operation,
  prey: AttackedWorkspace,
  request: HostileRequest,
  outcome: Outcome,
): string[] {
  if (outcome.kind === 'hung') return [`no answer within ${seconds(outcome.ms)} s`]
  if (outcome.kind === 'closed') return ['the connection was closed without an answer']
  const { answer } = outcome
  const { status, text } = answer
  if (status >= 500) return [`status ${String(status)}: ${text.slice(0, 300)}`]
  return [
    ...documentErrors(operation, request, answer),
    ...leaks(operation, prey, request, answer),
    ...mistakes(operation, request, answer),
  ]
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/** Checks that the document allows the response. */
function documentErrors(operation: Operation, request: HostileRequest, answer: WireAnswer): string[] {
  const { basePath, find, schemas } = operation.document
  const { method, target } = request
  // HEAD is answered as GET is, without the body.
  const found = find(method === 'HEAD' ? 'GET' : method, (target.split('#')[0] ?? '').slice(basePath.length))
  const facts = {
    method,
    url: target.slice(0, 200),
    status: answer.status,
    contentType: answer.headers['content-type'],
    text: answer.text,
    sent: sentJson(request),
  }
  // An empty parameter addresses the list instead of the record.
  const isOfList = found !== undefined && /\/(\?|$)/.test(target) && operation.path.endsWith('}')
  try {
    if (isOfList && String(answer.status) in operation.published.responses) {
      schemas.checkResponse(facts, own(operation))
      return []
    }
    if (found && !isCutShort(request, answer)) {
      if (method !== 'HEAD') schemas.checkResponse(facts, found)
      else if (!(String(answer.status) in found.operation.responses))
        return [`status ${String(answer.status)} is not documented`]
      return []
    }
    if (!REFUSALS.has(answer.status)) return [`status ${String(answer.status)} where there is no operation`]
    if (method === 'HEAD') return []
    schemas.checkResponse({ ...facts, ...asRefusal(operation) }, own(operation))
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** An oversized header and a foreign host name are refused before routing. */
const isCutShort = (request: HostileRequest, { status }: WireAnswer): boolean =>
  (status === 431 && bytesOf({ ...request, body: null }, '').length > LONGEST_HEAD) ||
  (status === 403 && request.headers.some(([name, value]) => name === 'host' && value === FOREIGN_HOST))

const own = ({ method, path, document, published }: Operation) => {
  const within = path.slice(document.basePath.length)
  // Triggers are published under one generic path.
  const inDocument = within in document.document.paths ? within : within.replace(/[^/]+$/, '{name}')
  return { method, path: inDocument, operation: published }
}

/** All errors of an interface have one shape. */
const asRefusal = ({ published }: Operation): { status: number } => ({
  status: Number(Object.keys(published.responses).find((status) => status.startsWith('4')) ?? 400),
})

/** The request body if it was unambiguous JSON. */
function sentJson({ body, headers }: HostileRequest): unknown {
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  if (type !== 'application/json' || !body || body.length > 100_000 || !isUtf8(body)) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Records the foreign ids in the request, because the server may return them now or later. */
export function noteForeign(
  { foreignIds, sentForeignIds }: AttackedWorkspace,
  { target, headers, body }: HostileRequest,
): void {
  if (foreignIds.every((id) => sentForeignIds.has(id))) return
  const sent = [decodedLoosely(target), ...headers.map(([, value]) => value), body?.toString('latin1')].join(
    ' ',
  )
  for (const id of foreignIds) if (sent.includes(id)) sentForeignIds.add(id)
}

/** Checks that the response contains no data of another workspace. */
function leaks(
  operation: Operation,
  { foreignIds, sentForeignIds }: AttackedWorkspace,
  request: HostileRequest,
  { status, text }: WireAnswer,
): string[] {
  if (operation.isControl) return []
  const path = decodedLoosely(request.target.split('?')[0] ?? '')
  return foreignIds.flatMap((id) => {
    if (status < 300 && path.includes(id)) return [`a record of another workspace was found: ${id}`]
    return text.includes(id) && !sentForeignIds.has(id)
      ? [`it names a record of another workspace: ${id}`]
      : []
  })
}

function decodedLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Responses that no operation may give. */
function mistakes(
  { takes }: Operation,
  { body, headers }: HostileRequest,
  { status, text, headers: answered }: WireAnswer,
): string[] {
  const isJson =
    takes?.isForm === false &&
    headers.some(([name, value]) => name === 'content-type' && value === 'application/json')
  return [
    ...(status < 300 && isJson && body && !isUtf8(body) ? ['took a body that is not UTF-8'] : []),
    ...(status >= 400 && /\bat .+ \(?(?:\/|file:|node:).+:\d+:\d+\)?/.test(text)
      ? ['tells a stack trace']
      : []),
    ...(status >= 400 && /SQLITE_|SqliteError|better-sqlite3/.test(text) ? ['tells of its database'] : []),
    ...('set-cookie' in answered ? ['sets a cookie'] : []),
  ]
}

/** The same for raw bytes: the response must be a valid error, or none. */
export function framingProblems(operation: Operation, { hung, answers, ms }: Exchanged): string[] {
  if (hung) return [`neither answered nor closed within ${seconds(ms)} s`]
  return answers.flatMap((answer) => {
    const { status, text } = answer
    if (status >= 500) return [`status ${String(status)}: ${text.slice(0, 300)}`]
    if (status < 400) return []
    if (!REFUSALS.has(status) && !(String(status) in operation.published.responses))
      return [`status ${String(status)} is not one of a refusal`]
    return text === '' ? [`a bare ${String(status)}, without the body of a refusal`] : []
  })
}
