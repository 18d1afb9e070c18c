/** A kind of drift: how an answer of the real service could differ from the simulator's. */
import type { Probed } from './subject.ts'
import type { Readable } from './readable.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body; undefined unless it is JSON. Kinds can change it in place. */
  readonly json: unknown
  readonly raw: Buffer
}

/** A call that the proxy received. */
export interface Called {
  readonly path: string
  readonly query: URLSearchParams
  /** The number of earlier calls of the same path and query. */
  readonly repeats: number
}

export interface Drifting {
  readonly readable: Readable
  readonly call: Called
  /** A copy of the simulator's answer. */
  readonly answer: Answer
  /** The field, parameter, status or header, of those that `places` lists. */
  readonly at: string
  /** Calls the simulator with the credentials of the call. */
  readonly send: (path: string, query: URLSearchParams) => Promise<Answer>
}

export interface Kind {
  /** "field-removed" */
  readonly name: string
  /** What is different, for the table of the score. */
  readonly drift: string
  /** The places of an operation where it can apply; [""] if it applies to the operation as a whole. */
  readonly places: (probed: Probed) => readonly string[]
  /** Returns the answer after the drift, or the answer itself. */
  readonly apply: (drifting: Drifting) => Answer | Promise<Answer>
  /** True for other operations that drift as well; the default is none. */
  readonly covers?: (other: Readable, readable: Readable) => boolean
  /** Undoes the drift in a request, such as ids that earlier answers had. */
  readonly restoreRequest?: (text: string) => string
}

/** One kind at one place of one operation. */
export interface Mutation {
  readonly kind: Kind
  readonly readable: Readable
  readonly at: string
  /** Other operations that drift as well. */
  readonly also: readonly Readable[]
}

/** "field-removed crm GET /deals /data/*\/owner" */
export const titleOf = ({ kind, readable, at }: Mutation): string =>
  [kind.name, readable.title, at].filter((part) => part !== '').join(' ')

export const isSuccess = ({ status }: Answer): boolean => status < 300

export const withJson = (answer: Answer, json: unknown): Answer => ({ ...answer, json })

/** The body as it is sent. */
export const textOf = ({ json, raw }: Answer): Buffer =>
  json === undefined ? raw : Buffer.from(JSON.stringify(json))

/** Compares what an interface says. The id of a request is another one in each answer. */
export const isSame = (one: Answer, other: Answer): boolean =>
  one.status === other.status && headersOf(one) === headersOf(other) && textOf(one).equals(textOf(other))

const headersOf = ({ headers }: Answer): string =>
  JSON.stringify(Object.entries(headers).filter(([name]) => name !== 'x-request-id'))
