/** Converts the operations of the control plane's OpenAPI document to tools. */
import { fillPath } from '@suite-sim/kit/paths'
import { closedSchema, parametersOf, type Document, type Operation, type Parameter } from './document.ts'
import type { Schema } from './document.ts'

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

export type Args = Readonly<Record<string, unknown>>

export interface ToolAnswer {
  readonly texts: readonly string[]
  readonly isError?: boolean
}

/** A tool with its implementation. The model receives the messages of thrown errors. */
export interface RunnableTool extends Pick<Tool, 'name' | 'description' | 'inputSchema' | 'isReading'> {
  run(args: Args): Promise<ToolAnswer> | ToolAnswer
}

export const inputSchemaOf = (
  properties: InputSchema['properties'],
  required: readonly string[] = [],
): InputSchema => ({ type: 'object', properties, required, additionalProperties: false })

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
  const parameters = parametersOf(document, operation).filter(
    (each) => each.in === 'path' || each.in === 'query',
  )
  const body = requestBody?.content?.['application/json']?.schema
  const required = [
    ...parameters.filter((each) => each.required === true || each.in === 'path').map(({ name }) => name),
    ...(body && requestBody.required === true ? ['body'] : []),
  ]
  const properties = Object.fromEntries([
    ...parameters.map((each) => [each.name, parameterSchema(document, each)]),
    ...(body ? [['body', closedSchema(document, body)]] : []),
  ]) as Schema
  return {
    name: operationId,
    description: [summary, description].filter((text) => text !== undefined).join('. '),
    inputSchema: inputSchemaOf(properties, required),
    template: path,
    isReading: method === 'get',
    request: (args) => ({
      method: method.toUpperCase(),
      path: fillPath(path, args) + queryOf(parameters, args),
      // A query can have a parameter of that name.
      ...(body && args['body'] !== undefined && { body: args['body'] }),
    }),
  }
}

export const parameterSchema = (document: Document, { schema = {}, description }: Parameter): Schema => ({
  ...closedSchema(document, schema),
  ...(description !== undefined && { description }),
})

function queryOf(parameters: readonly Parameter[], args: Schema): string {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  return queryText(Object.fromEntries(names.map((name) => [name, args[name]])))
}

/** Returns the query of a URL, with its question mark; '' without values. A list repeats its name. */
export function queryText(values: Schema): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    for (const each of [value].flat()) query.append(name, textOf(each))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
