/** The parts of OpenAPI documents that the tools use, and their references. */

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

export interface Content {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>
}

export interface Response {
  readonly description?: string
  readonly content?: Readonly<Record<string, Content>>
}

export interface Reference {
  readonly $ref: string
}

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Schema[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content?: Readonly<Record<string, Content>>
  }
  readonly responses?: Readonly<Record<string, Response | Reference>>
  readonly 'x-scope'?: readonly string[]
  readonly 'x-fidelity'?: string
  readonly 'x-fidelity-why'?: string
  readonly 'x-reading'?: readonly string[]
  /** Other words by which people look for the operation. */
  readonly 'x-words'?: string
}

export interface Document {
  readonly servers: readonly { readonly url: string }[]
  readonly security?: readonly Schema[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export function resolveRef(document: Document, ref: string): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(ref) ?? []
  return document.components?.[kind]?.[name] ?? {}
}

/** Returns the part that a reference names, or the part itself. */
export const resolved = <Part extends object>(document: Document, part: Part | Reference): Part =>
  '$ref' in part ? (resolveRef(document, part.$ref) as Part) : part

export const parametersOf = (document: Document, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((each) => resolved(document, each))

interface Inlining {
  /** The characters of schemas that may still be inlined. */
  left: number
  /** Called for a reference that is not inlined; returns what stands in its place. */
  readonly leave: (ref: string) => unknown
}

/**
 * Returns a value with its references inlined, as far as `left` characters allow. A reference within itself is never
 * inlined.
 */
export function inline(
  document: Document,
  value: unknown,
  inlining: Inlining,
  within: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(document, each, inlining, within))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref } = value as { $ref?: unknown }
  if (typeof ref === 'string') {
    const target = resolveRef(document, ref)
    const size = JSON.stringify(target).length
    if (within.includes(ref) || size > inlining.left) return inlining.leave(ref)
    inlining.left -= size
    return inline(document, target, inlining, [...within, ref])
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, inline(document, each, inlining, within)]),
  )
}

/** Returns a schema without references, for a tool. What is not inlined becomes `{}`, which allows anything. */
export const closedSchema = (document: Document, schema: unknown, limit = Infinity): Schema =>
  inline(document, schema, { left: limit, leave: () => ({}) }) as Schema
export const fieldsOfForm = (
  document: Document,
  { schema = {} }: Content,
): Readonly<Record<string, Schema>> =>
  (resolved(document, schema) as { properties?: Record<string, Schema> }).properties ?? {}

/** True if the field is a file or a list of files. */
export const isFile = (field: Schema | undefined): boolean =>
  ((field?.['items'] ?? field) as Schema | undefined)?.['format'] === 'binary'

/** Returns schemas without the extensions of the documents, which would double their length. */
export function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith('x-'))
      .map(([name, each]) => [name, withoutExtensions(each)]),
  )
}
