/** The calls of an OpenAPI document as tools: names, descriptions, schemas of what they take, requests. */
import { fillPath } from '../library/path.ts'

type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  }
}

export interface Document {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface InputSchema {
  readonly type: 'object'
  readonly properties: Schema
  readonly required: readonly string[]
  readonly additionalProperties: false
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: InputSchema
  /** The path with its parameters open: "/_sim/workspaces/{id}/clock". */
  readonly template: string
  /** Whatever does not only read may destroy something: records, a clock, what is on its way. */
  readonly isReading: boolean
  /** The request that arguments make. `body` is left out where there is none. Throws where they make none. */
  request(args: Schema): { readonly method: string; readonly path: string; readonly body?: unknown }
}

/** Streams do not end, and pages are for browsers. */
const NO_TOOLS: readonly (string | undefined)[] = [
  'streamTimeline',
  'getDocsPage',
  'getDashboard',
  'receiveWebhook',
  undefined,
]

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** `triggers` are the names that `pullTrigger` takes. */
export const toolsOf = (document: Document, triggers: readonly string[]): Tool[] => {
  const base = new URL(document.servers[0]?.url ?? 'http://x/_sim').pathname.replace(/\/$/, '')
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { operationId }]) => METHODS.includes(method) && !NO_TOOLS.includes(operationId))
      .map(([method, operation]) => toolOf(document, method, base + path, operation))
      .map((tool) => (tool.name === 'pullTrigger' ? withNames(tool, triggers) : tool)),
  )
}

/** A model that sees the names need not guess one. */
function withNames(tool: Tool, names: readonly string[]): Tool {
  const { inputSchema } = tool
  const name = { type: 'string', enum: names, description: 'describeTrigger says what its body holds.' }
  return { ...tool, inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, name } } }
}

function toolOf(document: Document, method: string, path: string, operation: Operation): Tool {
  const { operationId = '', summary = operationId, description, requestBody } = operation
  const parameters = (operation.parameters ?? [])
    .map((each) => ('$ref' in each ? (follow(document, each.$ref) as Parameter) : each))
    .filter((each) => each.in === 'path' || each.in === 'query')
  const body = requestBody?.content?.['application/json']?.schema
  const required = [
    ...parameters.filter((each) => each.required === true || each.in === 'path').map(({ name }) => name),
    ...(body && requestBody.required === true ? ['body'] : []),
  ]
  const properties = Object.fromEntries([
    ...parameters.map(({ name, schema = {}, description: words }) => [
      name,
      { ...(whole(document, schema) as Schema), ...(words !== undefined && { description: words }) },
    ]),
    ...(body ? [['body', whole(document, body)]] : []),
  ]) as Schema
  return {
    name: operationId,
    description: [summary, description].filter((words) => words !== undefined).join('. '),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    template: path,
    isReading: method === 'get',
    request: (args) => ({
      method: method.toUpperCase(),
      path: fillPath(path, args) + queryOf(parameters, args),
      ...(args['body'] !== undefined && { body: args['body'] }),
    }),
  }
}

function queryOf(parameters: readonly Parameter[], args: Schema): string {
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    if (place === 'query' && args[name] !== undefined) query.set(name, textOf(args[name]))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function follow(document: Document, ref: string): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(ref) ?? []
  return document.components?.[kind]?.[name] ?? {}
}

/** A schema with what it refers to in its place; what holds itself is anything from there on. */
function whole(document: Document, value: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => whole(document, each, within))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref } = value as { $ref?: unknown }
  if (typeof ref === 'string') {
    return within.includes(ref) ? {} : whole(document, follow(document, ref), [...within, ref])
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, whole(document, each, within)]),
  )
}
