/** Converts the operations of an OpenAPI document to tools. */
import { fillPath } from '../../library/path.ts'

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
  /** The path template: "/_sim/workspaces/{id}/clock". */
  readonly template: string
  /** Whether the tool is read-only. All other tools are marked as destructive. */
  readonly isReading: boolean
  /** Converts arguments to a request. Omits `body` if the tool has no body. Throws if the arguments are invalid. */
  request(args: Schema): { readonly method: string; readonly path: string; readonly body?: unknown }
}

/** Operations that are not tools: streams do not end, and pages are for browsers. */
const EXCLUDED: readonly (string | undefined)[] = [
  'streamTimeline',
  'getDocsPage',
  'getDashboard',
  'receiveWebhook',
  undefined,
]

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns the tools of a document. `triggers` are the names that `pullTrigger` accepts. */
export const toolsOf = (document: Document, triggers: readonly string[]): Tool[] => {
  const base = new URL(document.servers[0]?.url ?? 'http://x/_sim').pathname.replace(/\/$/, '')
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { operationId }]) => METHODS.includes(method) && !EXCLUDED.includes(operationId))
      .map(([method, operation]) => toolOf(document, method, base + path, operation))
      .map((tool) => (tool.name === 'pullTrigger' ? withNames(tool, triggers) : tool)),
  )
}

/** Adds the names of the triggers as an enum, so that models do not guess them. */
function withNames(tool: Tool, names: readonly string[]): Tool {
  const { inputSchema } = tool
  const name = {
    type: 'string',
    enum: names,
    description: 'The name of the trigger. describeTrigger returns the schema of its body.',
  }
  return { ...tool, inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, name } } }
}

function toolOf(document: Document, method: string, path: string, operation: Operation): Tool {
  const { operationId = '', summary = operationId, description, requestBody } = operation
  const parameters = (operation.parameters ?? [])
    .map((each) => ('$ref' in each ? (resolveRef(document, each.$ref) as Parameter) : each))
    .filter((each) => each.in === 'path' || each.in === 'query')
  const body = requestBody?.content?.['application/json']?.schema
  const required = [
    ...parameters.filter((each) => each.required === true || each.in === 'path').map(({ name }) => name),
    ...(body && requestBody.required === true ? ['body'] : []),
  ]
  const properties = Object.fromEntries([
    ...parameters.map(({ name, schema = {}, description: text }) => [
      name,
      { ...(inline(document, schema) as Schema), ...(text !== undefined && { description: text }) },
    ]),
    ...(body ? [['body', inline(document, body)]] : []),
  ]) as Schema
  return {
    name: operationId,
    description: [summary, description].filter((text) => text !== undefined).join('. '),
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
  for (const { name, in: location } of parameters) {
    if (location !== 'query' || args[name] === undefined) continue
    for (const value of [args[name]].flat()) query.append(name, textOf(value))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function resolveRef(document: Document, ref: string): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(ref) ?? []
  return document.components?.[kind]?.[name] ?? {}
}

/** Returns a schema with its references inlined. A recursive reference becomes `{}`, which allows anything. */
function inline(document: Document, value: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(document, each, within))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref } = value as { $ref?: unknown }
  if (typeof ref === 'string') {
    return within.includes(ref) ? {} : inline(document, resolveRef(document, ref), [...within, ref])
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, inline(document, each, within)]),
  )
}
