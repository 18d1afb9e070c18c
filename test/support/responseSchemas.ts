/** Checks responses against an OpenAPI document: status, content type and shape. */
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument, PublishedOperation } from '../../src/http/openapi/documentParts.ts'
import { FORMATS } from '../../src/http/schemas/validation.ts'
import { closed } from '@suite-sim/verify/checks/schemas'

export interface Answer {
  readonly method: string
  /** With the base path and the query. */
  readonly url: string
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
  /** The request body if it was JSON. */
  readonly sent: unknown
  /** `text` parsed, if the caller has it; otherwise it is parsed here. */
  readonly body?: unknown
}

/** An operation and its position in the document. */
export interface Documented {
  readonly method: string
  readonly path: string
  readonly operation: PublishedOperation
}

/** Finds the operation that serves a path, which may have a query. */
export function operationsOf(
  document: OpenApiDocument,
): (method: string, address: string) => Documented | undefined {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      // Paths with more fixed segments come first: /candidates/search before /candidates/{id}.
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
      operation,
    })),
  )
  operations.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  const byMethod = new Map<string, typeof operations>()
  for (const each of operations) byMethod.set(each.method, [...(byMethod.get(each.method) ?? []), each])
  return (method, address) => {
    const path = address.split('?')[0] ?? ''
    return byMethod.get(method)?.find(({ pattern }) => pattern.test(path))
  }
}

/** The schemas of one document, compiled on first use. */
export class Schemas {
  readonly #answers: Ajv2020
  readonly #requests: Ajv2020
  readonly #document: OpenApiDocument
  readonly #compiled = new Map<string, ValidateFunction>()
  readonly #ofErrors = new WeakMap<object, ValidateFunction>()
  /** The last valid responses by their URL: most tests read the same ones many times. */
  readonly #valid = new Map<string, string>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#answers = makeAjv()
    this.#answers.addSchema(closed(document) as object, 'document')
    this.#requests = makeAjv()
    this.#requests.addSchema(withoutItemsApart(document) as object, 'document')
  }

  /** Checks the response, and that a request that succeeded matches the published request schema. */
  checkResponse(answer: Answer, { path, method, operation }: Documented): void {
    const at = ['paths', path, method.toLowerCase()]
    const response = operation.responses[String(answer.status)]
    if (!response) fail(answer, `status ${String(answer.status)} is not documented`)
    this.#judgeContent(answer, response, [...at, 'responses', String(answer.status)])
    if (answer.status < 300 && operation.requestBody && answer.sent !== undefined) {
      this.#judgeSent(answer, [...at, 'requestBody', 'content', 'application/json', 'schema'])
    }
  }

  #judgeContent(answer: Answer, response: Record<string, unknown>, at: readonly string[]): void {
    const reference = response['$ref'] as string | undefined
    const where = reference ? reference.slice(2).split('/') : at
    const { content } = this.#at(where) as { content?: Record<string, object> }
    if (!content) {
      if (answer.text !== '') fail(answer, 'has a body where none is documented')
      return
    }
    const type = mediaType(answer)
    if (!(type in content)) fail(answer, `content type ${type} is not documented`)
    if (type === 'application/json') {
      const pointer = [...where, 'content', type, 'schema']
      const key = pointer.join(' ') + answer.url
      if (this.#valid.get(key) === answer.text) return
      this.#check(this.#answers, answer, bodyOf(answer), pointer)
      if (this.#valid.size >= MAX_VALID) this.#valid.clear()
      this.#valid.set(key, answer.text)
    }
  }

  #judgeSent(answer: Answer, at: readonly string[]): void {
    this.#check(this.#requests, answer, answer.sent, at)
  }

  /** Checks the body of a delivery. */
  checkDelivery(event: string, text: string): void {
    const sent = { method: 'Webhook', url: event, status: 200, contentType: '', text, sent: undefined }
    if (!(event in (this.#document.webhooks ?? {}))) fail(sent, 'the event is not documented')
    const at = ['webhooks', event, 'post', 'requestBody', 'content', 'application/json', 'schema']
    this.#check(this.#answers, sent, JSON.parse(text), at)
  }

  judgeError(answer: Answer, schema: object): void {
    if (mediaType(answer) !== 'application/json') fail(answer, 'an error that is not JSON')
    let check = this.#ofErrors.get(schema)
    if (!check) {
      check = this.#answers.compile(closed(JSON.parse(JSON.stringify(schema))) as object)
      this.#ofErrors.set(schema, check)
    }
    if (!check(bodyOf(answer))) fail(answer, this.#answers.errorsText(check.errors))
  }

  #at(path: readonly string[]): unknown {
    let value: unknown = this.#document
    for (const part of path) value = (value as Record<string, unknown>)[part]
    return value
  }

  #check(ajv: Ajv2020, answer: Answer, value: unknown, at: readonly string[]): void {
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    const $ref = `document#/${pointer.join('/')}`
    const key = `${ajv === this.#answers ? 'answer' : 'request'} ${$ref}`
    let check = this.#compiled.get(key)
    if (!check) this.#compiled.set(key, (check = ajv.compile({ $ref })))
    if (!check(value)) {
      fail(
        answer,
        `${ajv === this.#answers ? 'the answer' : 'what was taken'}: ${ajv.errorsText(check.errors)}`,
      )
    }
  }
}

const MAX_VALID = 2000

const bodyOf = ({ body, text }: Answer): unknown => body ?? JSON.parse(text)

const mediaType = ({ contentType }: Answer): string => (contentType ?? '').split(';')[0]?.trim() ?? ''

function makeAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  for (const [name, { check }] of Object.entries(FORMATS)) ajv.addFormat(name, check)
  return ajv
}

/** The document without the item schemas of lists that accept invalid items. */
function withoutItemsApart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutItemsApart)
  if (typeof value !== 'object' || value === null) return value
  const isApart = 'x-items-apart' in value
  const remaining = Object.entries(value).filter(([name]) => !(isApart && name === 'items'))
  return Object.fromEntries(remaining.map(([name, each]) => [name, withoutItemsApart(each)]))
}

export function fail(answer: Answer, how: string): never {
  const text = answer.text.length > 2000 ? `${answer.text.slice(0, 2000)}...` : answer.text
  throw new Error(
    `${answer.method} ${answer.url} answered ${String(answer.status)} against its document: ${how}\n${text}`,
  )
}
