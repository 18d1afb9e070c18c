/** What the OpenAPI documents say about the operations that the client calls. */
import { CommandError } from '@suite-sim/kit/terminal/problem'
import type { Call } from './calls.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Json }>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Json>> }
}

const JSON_TYPE = 'application/json'

/** What the exam can do with a list. */
export interface ListFacts {
  /** The example of a body that adds a record; null if no call does. */
  readonly example: Json | null
  readonly canDelete: boolean
  /** The fields of its records whose values are a closed list. */
  readonly enums: readonly string[]
}

export class Documents {
  readonly #read: (of: string) => Promise<Document>
  readonly #known = new Map<string, Document>()

  constructor(read: (of: string) => Promise<unknown>) {
    this.#read = read as (of: string) => Promise<Document>
  }

  /** Reads the documents of these interfaces. */
  async load(interfaces: Iterable<string>): Promise<void> {
    for (const of of new Set(interfaces)) {
      if (!this.#known.has(of)) this.#known.set(of, await this.#read(of))
    }
  }

  /** Returns the path of the operation with * for each parameter, relative to the base path; null if it has none. */
  patternOf({ interface: of, operation }: Call): string | null {
    const found = Object.entries(this.#of(of).paths).find(([, methods]) =>
      Object.values(methods).some(({ operationId }) => operationId === operation),
    )
    return found?.[0].replaceAll(/\{[^{}]+\}/g, '*') ?? null
  }

  listFacts({ interface: of, operation }: Call): ListFacts {
    const document = this.#of(of)
    const [path, methods] = Object.entries(document.paths).find(
      ([, { get }]) => get?.operationId === operation,
    ) ?? ['', {}]
    const item = Object.entries(document.paths).find(
      ([each, { delete: remove }]) => remove && each.replace(/\/\{[^{}]+\}$/, '') === path && each !== path,
    )
    const example = methods['post']?.requestBody?.content?.[JSON_TYPE]?.example
    const schema = methods['get']?.responses?.['200']?.content?.[JSON_TYPE]?.schema
    return {
      example: typeof example === 'object' && example !== null ? (example as Json) : null,
      canDelete: item !== undefined,
      enums: schema ? enumsOf(itemsOf(schema, document), document) : [],
    }
  }

  #of(name: string): Document {
    const document = this.#known.get(name)
    if (!document) throw new CommandError(`the document of ${name} is missing`)
    return document
  }
}

/** Follows a reference, and the parts of a union. */
function resolved(schema: Json, document: Document): Json[] {
  const { $ref, allOf, anyOf, oneOf } = schema
  if (typeof $ref === 'string') {
    const target = document.components?.schemas?.[$ref.split('/').at(-1) ?? '']
    return target ? resolved(target, document) : []
  }
  const parts = [allOf, anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? (each as Json[]) : []))
  return [schema, ...parts.flatMap((part) => resolved(part, document))]
}

const propertiesOf = (schemas: readonly Json[]): [string, Json][] =>
  schemas.flatMap(({ properties }) => Object.entries((properties ?? {}) as Readonly<Record<string, Json>>))

/** Returns the schema of the records of a list: the items of its first array of objects, at most two levels deep. */
function itemsOf(schema: Json, document: Document, depth = 0): Json[] {
  const schemas = resolved(schema, document)
  for (const { items } of schemas) {
    const found = items ? resolved(items as Json, document) : []
    if (propertiesOf(found).length > 0) return found
  }
  if (depth === 2) return []
  for (const [, property] of propertiesOf(schemas)) {
    const found = itemsOf(property, document, depth + 1)
    if (found.length > 0) return found
  }
  return []
}

const enumsOf = (schemas: readonly Json[], document: Document): string[] =>
  propertiesOf(schemas)
    .filter(([, property]) =>
      resolved(property, document).some(({ enum: values }) => Array.isArray(values) && values.length > 1),
    )
    .map(([name]) => name)
