/** Compiled schemas of responses. Objects are closed, so that a field that the document does not name is an error. */
import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { FORMATS, type OpenApiDocument } from '../../../../src/published.ts'
import type { Operation } from '../model/operation.ts'

/** A part of a body that its schema does not allow. */
export interface SchemaError {
  /** From the body: ".data[].amount". */
  readonly place: string
  /** "type", "required", "undocumented", "enum", "format", … */
  readonly aspect: string
  readonly message: string
  readonly expected: unknown
  readonly actual: unknown
}

export class ResponseSchemas {
  readonly #ajv: Ajv2020
  readonly #document: OpenApiDocument
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, verbose: true })
    addFormats.default(this.#ajv)
    for (const [name, { check }] of Object.entries(FORMATS)) this.#ajv.addFormat(name, check)
    this.#ajv.addSchema(closed(document) as object, 'document')
  }

  /** Returns the media types of a documented response; null if the document has no such status. */
  mediaTypes(operation: Operation, status: number): readonly string[] | null {
    const at = this.#responseAt(operation, status)
    return at && Object.keys(this.#valueAt(at)['content'] ?? {})
  }

  /** Returns what a JSON body has that its schema does not allow, each place once. */
  errors(operation: Operation, status: number, body: unknown): readonly SchemaError[] {
    const at = this.#responseAt(operation, status)
    if (!at) return []
    const pointer = [...at, 'content', 'application/json', 'schema'].map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const $ref = `document#/${pointer.join('/')}`
    let check = this.#compiled.get($ref)
    if (!check) this.#compiled.set($ref, (check = this.#ajv.compile({ $ref })))
    if (check(body)) return []
    const errors = (check.errors ?? []).filter(({ keyword }) => !GROUPS.has(keyword)).map(errorOf)
    return [...new Map(errors.map((error) => [`${error.aspect} ${error.place}`, error])).values()]
  }

  #responseAt({ path, method, published }: Operation, status: number): readonly string[] | null {
    const response = published.responses[String(status)]
    if (!response) return null
    const reference = response['$ref'] as string | undefined
    return reference
      ? reference.slice(2).split('/')
      : ['paths', path, method.toLowerCase(), 'responses', String(status)]
  }

  #valueAt(path: readonly string[]): Record<string, unknown> {
    let value: unknown = this.#document
    for (const part of path) value = (value as Record<string, unknown>)[part]
    return value as Record<string, unknown>
  }
}

/** Compiling takes longer than most comparisons, and one document serves several. */
const known = new WeakMap<OpenApiDocument, ResponseSchemas>()

export function schemasOf(document: OpenApiDocument): ResponseSchemas {
  const schemas = known.get(document) ?? new ResponseSchemas(document)
  known.set(document, schemas)
  return schemas
}

/** Errors that only repeat those of the alternatives. */
const GROUPS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'if', '$ref'])

function errorOf({ keyword, instancePath, params, message, schema, data }: ErrorObject): SchemaError {
  const place = placeOf(instancePath)
  const { additionalProperty, missingProperty, unevaluatedProperty } = params as Record<string, string>
  const extra = additionalProperty ?? unevaluatedProperty
  if (extra !== undefined) {
    return {
      place: `${place}.${extra}`,
      aspect: 'undocumented',
      message: 'The document has no such field.',
      expected: undefined,
      actual: (data as Record<string, unknown>)[extra],
    }
  }
  if (missingProperty !== undefined) {
    const field = `${place}.${missingProperty}`
    return {
      place: field,
      aspect: 'missing',
      message: 'The field is missing.',
      expected: 'a value',
      actual: undefined,
    }
  }
  const expected: unknown = keyword === 'enum' || keyword === 'type' || keyword === 'const' ? schema : params
  return {
    place,
    aspect: keyword,
    message: `The value ${message ?? 'does not fit'}.`,
    expected,
    actual: data,
  }
}

/** Returns the place of a JSON pointer: "/data/0/amount" is ".data[].amount". */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? '[]' : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('')

/** Returns the document with every object closed, and without write-only fields. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]))
  const { properties, type } = copy as {
    properties?: Record<string, { writeOnly?: boolean }>
    type?: unknown
  }
  if (!properties || type === undefined) return copy
  const readable = Object.entries(properties).filter(([, property]) => !property.writeOnly)
  return { additionalProperties: false, ...copy, properties: Object.fromEntries(readable) }
}
