/** Calls operations of the control plane by id, with the types of its published document. */
import { CALLS, type Calls, type Schemas } from './generated/control.ts'
import { SimulatorError, type FieldProblem } from './errors.ts'
import { checkOptions } from './checking.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { fetch } from './globals.ts'
import { fillPath } from './path.ts'

export type OperationId = keyof Calls

/** A schema of the control plane by name: `Schema<'Delivery'>`. */
export type Schema<Name extends keyof Schemas> = Schemas[Name]

/** The type of a part of an operation; never if it has none. */
type PartOf<Id extends OperationId, Name extends string> = NonNullable<Calls[Id][Name & keyof Calls[Id]]>

/** The result of an operation: its JSON if it has any; undefined for 204. */
export type Result<Id extends OperationId> = Calls[Id]['answer']

export type Query<Id extends OperationId> = PartOf<Id, 'query'>

export type Body<Id extends OperationId> = PartOf<Id, 'body'>

type Parts<Id extends OperationId> = Omit<Calls[Id], 'answer'>

/** The parts of a call: path parameters, query and body. Optional ones can be undefined. */
export type Sent<Id extends OperationId> = {
  readonly [Name in keyof Parts<Id>]:
    | Parts<Id>[Name]
    | (Partial<Pick<Parts<Id>, Name>> extends Pick<Parts<Id>, Name> ? undefined : never)
} & { readonly signal?: AbortSignal | undefined }

/** The arguments of a call; optional if all parts are. */
export type Arguments<Id extends OperationId> =
  Partial<Sent<Id>> extends Sent<Id> ? [sent?: Sent<Id>] : [sent: Sent<Id>]

interface CallParts {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const PARTS = ['path', 'query', 'body', 'headers', 'signal']

/** A server, and the token of its control plane. */
export interface Server {
  readonly url: string
  readonly adminToken: string | null
}

/** Calls one control plane. */
export class ControlPlaneClient {
  /** "http://127.0.0.1:4012" */
  readonly url: string
  /** "http://127.0.0.1:4012/_sim" */
  readonly adminUrl: string
  /** Private, so that printing the client does not show it. */
  readonly #adminToken: string | null

  constructor(url: string, adminToken: string | null) {
    // People also copy the URL of the control plane.
    this.url = url.replace(/(?:\/_sim)?\/?$/, '')
    this.adminUrl = `${this.url}/_sim`
    this.#adminToken = adminToken
  }

  /** A getter, so that printing the client does not show the token. */
  get server(): Server {
    return { url: this.url, adminToken: this.#adminToken }
  }

  /** Calls an operation; returns its JSON or text. */
  async call<Id extends OperationId>(id: Id, ...[sent]: Arguments<Id>): Promise<Result<Id>> {
    const response = await this.send(id, sent)
    const type = response.headers.get('content-type') ?? ''
    const text = await response.text()
    return (
      /^application\/(?:\w+\+)?json\b/.test(type) ? JSON.parse(text) : text === '' ? undefined : text
    ) as Result<Id>
  }

  /** Calls an operation that returns a file. */
  async bytes(id: OperationId, sent: CallParts): Promise<Uint8Array> {
    const response = await this.send(id, sent)
    return new Uint8Array(await response.arrayBuffer())
  }

  /** Calls an operation; returns the response with an unread body. Throws if the call is refused. */
  async send(id: OperationId, sent: CallParts = {}): Promise<Response> {
    if (!Object.hasOwn(CALLS, id)) throw unknownOperation(id)
    checkOptions(`call('${id}')`, sent, PARTS)
    const [method, path] = CALLS[id]
    const response = await this.#fetch(method, this.adminUrl + pathAndQuery(path, sent), sent)
    if (!response.ok) throw await refusalOf(response, `${method} ${path}`)
    return response
  }

  async #fetch(method: string, url: string, { body, headers, signal }: CallParts): Promise<Response> {
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
        message: `No simulator responds at ${this.adminUrl}: ${reasonOf(cause)}`,
        cause,
      })
    }
  }
}

function unknownOperation(id: unknown): TypeError {
  const near = nearestName(String(id), Object.keys(CALLS))
  const hint = near === null ? 'GET /_sim/openapi/control.json lists them' : `did you mean ${near}?`
  return new TypeError(`there is no operation ${String(id)}; ${hint}`)
}

/** Returns the path with its parameters and the query. */
function pathAndQuery(template: string, { path = {}, query = {} }: CallParts): string {
  const filled = fillPath(template, path)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) for (const each of [value].flat()) search.append(name, String(each))
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

async function refusalOf(response: Response, call: string): Promise<SimulatorError> {
  const { status } = response
  const text = await response.text()
  const error = errorIn(text)
  if (error) return new SimulatorError({ ...error, status })
  return new SimulatorError({
    code: 'unexpected_answer',
    message: `${call} got ${String(status)} from a server that is not a simulator: ${text.slice(0, 200)}`,
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

/** Returns the cause, because Node's message is always "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  const detail = cause as { readonly code?: string; readonly message?: string } | undefined
  const code = detail?.code
  // Only those of the system are known to people: "ECONNREFUSED".
  if (code?.startsWith('UND_') === true) return `${detail?.message ?? message} (${code})`
  return code ?? detail?.message ?? message
}
