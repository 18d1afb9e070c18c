/** Every document that is published, for laws that hold for all: the interfaces', the control plane's, the suite's. */
import type { MountedRoute } from '../../src/http/definition.ts'
import type { OpenApiDocument, PublishedOperation } from '../../src/http/openapi.ts'
import { CONTROL, PUBLISHED } from './published.ts'
import { interfaceDocument, suiteDocument } from './subject.ts'

/** An operation as it is published, and the route that it stands for. */
export interface DocumentedOperation {
  /** "GET /products" */
  readonly title: string
  readonly method: string
  /** Its path in the document. */
  readonly path: string
  readonly operation: PublishedOperation
  readonly route: MountedRoute
}

export interface PublishedDocument {
  readonly name: string
  readonly document: OpenApiDocument
  readonly operations: readonly DocumentedOperation[]
}

/** The documents of a server that is reached at `serverUrl`. */
export function everyDocument(serverUrl = 'http://127.0.0.1:4012'): PublishedDocument[] {
  const options = { serverUrl, version: '1.0.0' }
  const own = [...PUBLISHED, CONTROL].map((part) => {
    const document = interfaceDocument(part, options)
    return { name: part.definition.name, document, operations: operationsOf(document, part.routes) }
  })
  const routes = PUBLISHED.flatMap((part) =>
    part.routes.map((route) => ({ ...route, path: part.definition.basePath + route.path })),
  )
  const suite = suiteDocument(PUBLISHED, options)
  return [...own, { name: 'the whole suite', document: suite, operations: operationsOf(suite, routes) }]
}

function operationsOf(document: OpenApiDocument, routes: readonly MountedRoute[]): DocumentedOperation[] {
  return routes.map((route) => {
    const { method, path } = route
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`${method} ${path} is not published`)
    return { title: `${method} ${path}`, method, path, operation, route }
  })
}

export type Json = Readonly<Record<string, unknown>>

/** The value that a JSON pointer such as "#/components/schemas/Product" points at. */
export function pointedAt(document: OpenApiDocument, pointer: string): Json {
  const parts = pointer
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.reduce<Json>((value, part) => value[part] as Json, document as unknown as Json)
}

/** The media types of what the operation takes. */
export const sentContent = ({ requestBody }: PublishedOperation): Readonly<Record<string, Sent>> =>
  (requestBody?.['content'] ?? {}) as Record<string, Sent>

export interface Sent {
  readonly schema: Json
  readonly example: Json
}

/** Every schema that a request is made by, the ones that it refers to and those within it included. */
export function sentSchemas(document: OpenApiDocument, operation: PublishedOperation): Json[] {
  const found = new Set<Json>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || found.has(value as Json)) return
    if (!Array.isArray(value)) found.add(value as Json)
    const { $ref } = value as { $ref?: string }
    if ($ref !== undefined) visit(pointedAt(document, $ref))
    for (const [word, each] of Object.entries(value)) if (!EXAMPLES.has(word)) visit(each)
  }
  for (const { schema } of operation.parameters ?? []) visit(schema)
  for (const { schema } of Object.values(sentContent(operation))) visit(schema)
  return [...found]
}

/** Words whose values are no schemas. */
const EXAMPLES: ReadonlySet<string> = new Set(['examples', 'const', 'enum'])
