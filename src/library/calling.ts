/** Calls of the control plane, each by the id of its operation, typed by the document that the control plane publishes. */
import { CALLS, type components, type operations } from './control.ts'
import { SimulatorError, type FieldProblem } from './errors.ts'
import { fillPath } from './path.ts'

export type OperationId = keyof typeof CALLS & keyof operations

/** A shape of the control plane by its name: `Schema<'Delivery'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

type Answered<Id extends OperationId> = operations[Id]['responses'][keyof operations[Id]['responses']]

type Content<Answer> = Answer extends { readonly content: infer Of } ? Of : undefined

/** What the operation answers with: JSON where it can, and nothing for 204. */
export type Result<Id extends OperationId> =
  Content<Answered<Id>> extends { readonly 'application/json': infer Json }
    ? Json
    : Content<Answered<Id>> extends object
      ? Content<Answered<Id>>[keyof Content<Answered<Id>>]
      : undefined

export type Query<Id extends OperationId> = operations[Id]['parameters'] extends {
  readonly query?: infer Of
}
  ? NonNullable<Of>
  : never

export type Body<Id extends OperationId> = operations[Id] extends {
  readonly requestBody?: infer Sent
}
  ? NonNullable<Sent> extends { readonly content: { readonly 'application/json': infer Json } }
    ? Json
    : never
  : never

type PathParameters<Id extends OperationId> = operations[Id]['parameters'] extends {
  readonly path: infer Of
}
  ? Of
  : never

/** Parts that an operation does not have can't be given. */
type Part<Name extends string, Of, Required extends boolean> = [Of] extends [never]
  ? unknown
  : Required extends true
    ? Readonly<Record<Name, Of>>
    : Readonly<Partial<Record<Name, Of | undefined>>>

type BodyIsNeeded<Id extends OperationId> = operations[Id] extends { readonly requestBody: object }
  ? true
  : false

type QueryIsNeeded<Id extends OperationId> = operations[Id]['parameters'] extends {
  readonly query: object
}
  ? true
  : false

/** What a call of the operation is made of. */
export type Sent<Id extends OperationId> = Part<'path', PathParameters<Id>, true> &
  Part<'query', Query<Id>, QueryIsNeeded<Id>> &
  Part<'body', Body<Id>, BodyIsNeeded<Id>> & { readonly signal?: AbortSignal | undefined }

/** Sent may be left out where nothing of it is needed. */
export type Arguments<Id extends OperationId> =
  Partial<Sent<Id>> extends Sent<Id> ? [sent?: Sent<Id>] : [sent: Sent<Id>]

interface AnySent {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Speaks to one control plane. */
export class Calling {
  /** "http://127.0.0.1:4012" */
  readonly url: string
  /** "http://127.0.0.1:4012/_sim" */
  readonly adminUrl: string
  /** Not shown where the client is printed. */
  readonly #adminToken: string | null

  constructor(url: string, adminToken: string | null) {
    this.url = url.replace(/\/$/, '')
    this.adminUrl = `${this.url}/_sim`
    this.#adminToken = adminToken
  }

  /** The JSON, or the text, that the operation answers with. */
  async call<Id extends OperationId>(id: Id, ...[sent]: Arguments<Id>): Promise<Result<Id>> {
    const response = await this.send(id, sent)
    const type = response.headers.get('content-type') ?? ''
    const text = await response.text()
    return (
      type.startsWith('application/json') ? JSON.parse(text) : text === '' ? undefined : text
    ) as Result<Id>
  }

  /** What an operation answers with whose answers are files. */
  async bytes(id: OperationId, sent: AnySent): Promise<Uint8Array> {
    const response = await this.send(id, sent)
    return new Uint8Array(await response.arrayBuffer())
  }

  /** The answer with its body unread; throws where the call is refused. */
  async send(id: OperationId, sent: AnySent = {}): Promise<Response> {
    const [method, path] = CALLS[id]
    const response = await this.#reach(method, this.adminUrl + filledIn(path, sent), sent)
    if (!response.ok) throw await refusalOf(response, `${method} ${path}`)
    return response
  }

  async #reach(method: string, url: string, { body, headers, signal }: AnySent): Promise<Response> {
    try {
      return await fetch(url, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(this.#adminToken !== null && { authorization: `Bearer ${this.#adminToken}` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new SimulatorError({
        code: 'unreachable',
        message: `No simulator answers at ${this.adminUrl}: ${wordsOf(cause)}`,
        cause,
      })
    }
  }
}

/** The path with its parameters, and the query. */
function filledIn(template: string, { path = {}, query = {} }: AnySent): string {
  const filled = fillPath(template, path)
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
  return asked.size === 0 ? filled : `${filled}?${asked.toString()}`
}

async function refusalOf(response: Response, call: string): Promise<SimulatorError> {
  const { status } = response
  const text = await response.text()
  const error = errorIn(text)
  if (error) return new SimulatorError({ ...error, status })
  return new SimulatorError({
    code: 'unexpected_answer',
    message: `${call} was answered with ${String(status)}, and not by a simulator: ${text.slice(0, 200)}`,
    status,
  })
}

interface Refusal {
  readonly code: string
  readonly message: string
  readonly details?: readonly FieldProblem[]
}

function errorIn(text: string): Refusal | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Partial<Refusal> }
    const { code, message, details = [] } = error ?? {}
    return typeof code === 'string' && typeof message === 'string' ? { code, message, details } : null
  } catch {
    return null
  }
}

/** Node says "fetch failed" of everything; why is in its cause. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error
  const because = cause as { readonly code?: string; readonly message?: string } | undefined
  return because?.code ?? because?.message ?? message
}
