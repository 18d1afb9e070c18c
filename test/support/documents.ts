/**
 * Every published document, for invariants that hold for all: those of the interfaces, the control plane and the
 * suite.
 */
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import type { OpenApiDocument, PublishedOperation } from '../../src/http/openapi/documentParts.ts'
import { CONTROL, PUBLISHED } from './published.ts'
import { interfaceDocument, suiteDocument } from './subject.ts'

/** A published operation and its route. */
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

/** The documents of a server with this URL. */
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

/** The value that a JSON pointer such as "#/components/schemas/Product" refers to. */
export function pointedAt(document: OpenApiDocument, pointer: string): Json {
  const parts = pointer
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.reduce<Json>((value, part) => value[part] as Json, document as unknown as Json)
}

/** The media types of the operation's request body. */
export const sentContent = ({ requestBody }: PublishedOperation): Readonly<Record<string, Sent>> =>
  (requestBody?.['content'] ?? {}) as Record<string, Sent>

export interface Sent {
  readonly schema: Json
  readonly example: Json
}

/** Every schema of a request, including referenced and nested ones. */
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

/** Keywords whose values are not schemas. */
const EXAMPLES: ReadonlySet<string> = new Set(['examples', 'const', 'enum'])
