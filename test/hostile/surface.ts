/**
 * The attack surface as a running server publishes it: the operations of its OpenAPI documents and each trigger as an
 * operation. Contains no names that an interface could add.
 */
import type { OpenApiDocument, PublishedOperation } from '../../src/http/openapi/documentParts.ts'
import { operationsOf, Schemas, type Documented } from '../support/responseSchemas.ts'

export type Json = Readonly<Record<string, unknown>>

/** A schema with resolved references. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** The request body of an operation. */
export interface Taken {
  readonly isForm: boolean
  readonly schema: Schema
  readonly example: unknown
}

export interface Operation {
  /** "POST /crm/v1/deals", "POST /_sim/workspaces/{id}/triggers/pos.event.emit" */
  readonly title: string
  readonly method: string
  /** With the base path. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly takes: Taken | null
  /** The header of the credential and its prefix; null if none is required. */
  readonly credential: { readonly header: string; readonly prefix: string } | null
  readonly scopes: readonly string[]
  /** True for the control plane. */
  readonly isControl: boolean
  readonly document: Published
  readonly published: PublishedOperation
}

/** A document with everything needed to check responses. */
export interface Published {
  /** The prefix of its paths: "/_sim", or empty. */
  readonly basePath: string
  readonly document: OpenApiDocument
  readonly schemas: Schemas
  readonly find: (method: string, address: string) => Documented | undefined
}

export interface Surface {
  readonly operations: readonly Operation[]
  /** Every permission that an operation requires. */
  readonly scopes: readonly string[]
  /** The names of the interfaces. */
  readonly interfaces: readonly string[]
  /** Every pattern in a schema. */
  readonly patterns: readonly string[]
}

/** Replaces hosts in published examples that a run must not contact. */
const offline = <Value>(value: Value): Value =>
  value === undefined
    ? value
    : (JSON.parse(JSON.stringify(value).replaceAll('example.com', 'example.test')) as Value)

/** Reads the documents with `get`, which returns the body at a path. */
export async function readSurface(get: (path: string) => Promise<unknown>): Promise<Surface> {
  const [suite, control, triggers] = await Promise.all(
    ['/_sim/openapi.json', '/_sim/openapi/control.json', '/_sim/triggers'].map(get),
  )
  const documents = [publish(suite as OpenApiDocument, ''), publish(control as OpenApiDocument, '/_sim')]
  const untriggered = documents.flatMap(operationsIn)
  const operations = untriggered.flatMap((operation) => withTriggers(operation, triggers as Triggers))
  return {
    operations,
    scopes: [...new Set(operations.flatMap((each) => each.scopes))],
    interfaces: [...new Set((suite as OpenApiDocument).tags.map(({ name }) => name.split(':')[0] ?? ''))],
    patterns: [...new Set(operations.flatMap(patternsOf))],
  }
}

const publish = (document: OpenApiDocument, basePath: string): Published => ({
  basePath,
  document,
  schemas: new Schemas(document),
  find: operationsOf(document),
})

interface Triggers {
  readonly data: readonly { readonly name: string; readonly body: Schema }[]
}

/** "/triggers/{name}" takes a different body for each name. */
function withTriggers(operation: Operation, { data }: Triggers): Operation[] {
  if (!operation.path.endsWith('/triggers/{name}')) return [operation]
  return data.map(({ name, body }) => ({
    ...operation,
    title: operation.title.replace('{name}', name),
    path: operation.path.replace('{name}', name),
    parameters: operation.parameters.filter((each) => each.name !== 'name'),
    takes: { isForm: false, schema: body, example: offline(sampleOf(body)) },
  }))
}

/** The example of a schema: its first one, or one composed of those of its properties. */
export function sampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.properties) {
    const entries = Object.entries(schema.properties)
    return Object.fromEntries(entries.map(([name, each]) => [name, sampleOf(each)]))
  }
  if (schema.items) return [sampleOf(schema.items)]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return sampleOf(first)
  const types: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, number: 1, boolean: true }
  return types[[schema.type].flat()[0] ?? ''] ?? {}
}

function operationsIn(published: Published): Operation[] {
  const { document, basePath } = published
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([word, operation]) => {
      const method = word.toUpperCase()
      const parameters = (operation.parameters ?? []) as unknown as Parameter[]
      return {
        title: `${method} ${basePath}${path}`,
        method,
        path: basePath + path,
        parameters: offline(parameters.map((each) => ({ ...each, schema: follow(document, each.schema) }))),
        takes: takenBy(document, operation),
        credential: credentialOf(document, operation),
        scopes: (operation['x-scope'] ?? []) as readonly string[],
        isControl: basePath !== '',
        document: published,
        published: operation,
      }
    }),
  )
}

function takenBy(document: OpenApiDocument, { requestBody }: PublishedOperation): Taken | null {
  const content = (requestBody?.['content'] ?? {}) as Record<string, { schema: Schema; example?: unknown }>
  const [type, taken] = Object.entries(content)[0] ?? []
  if (type === undefined || !taken) return null
  const schema = follow(document, taken.schema)
  return { isForm: type !== 'application/json', schema, example: offline(taken.example ?? sampleOf(schema)) }
}

/** The first security scheme of the operation. */
function credentialOf(document: OpenApiDocument, operation: PublishedOperation): Operation['credential'] {
  const security = (operation['security'] ?? document.security) as readonly Json[]
  const [name] = security.flatMap((each) => Object.keys(each))
  if (name === undefined) return null
  const scheme = document.components.securitySchemes[name] ?? {}
  return scheme['type'] === 'apiKey'
    ? { header: String(scheme['name']), prefix: '' }
    : { header: 'Authorization', prefix: 'Bearer ' }
}

/** The schema with resolved references; recursive ones are omitted. */
function follow(document: OpenApiDocument, schema: unknown, within: readonly string[] = []): Schema {
  const visit = (value: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each, open))
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: unknown }
    if (typeof $ref !== 'string') {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, open)]))
    }
    if (open.includes($ref)) return {}
    const parts = $ref.slice(2).split('/')
    const target = parts.reduce<unknown>((at, part) => (at as Json)[part], document)
    return visit(target, [...open, $ref])
  }
  return visit(schema, within) as Schema
}

function patternsOf({ parameters, takes }: Operation): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { pattern } = value as Schema
    if (typeof pattern === 'string') found.push(pattern)
    for (const each of Object.values(value)) visit(each)
  }
  for (const { schema } of parameters) visit(schema)
  visit(takes?.schema)
  return found
}
