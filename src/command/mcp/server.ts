/** Serves tools and resources over the Model Context Protocol. A separate bundle, loaded only by `suite-sim mcp`. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { LongAnswers, PAGE, pageOf, summaryOf } from './answers.ts'
import { toolsWithin, type Scope } from './scope.ts'
import { toolsOf, type Document, type InputSchema, type Tool } from './tools.ts'

interface Trigger {
  readonly name: string
}

interface Resource {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
  read(): Promise<string>
}

interface Serving {
  readonly version: string
  readonly document: Document
  readonly triggers: readonly Trigger[]
  readonly scope: Scope
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly text: string }>
  readonly resources: readonly Resource[]
}

type Args = Readonly<Record<string, unknown>>

interface Answer {
  readonly texts: readonly string[]
  readonly isError?: boolean
}

/** A tool with its implementation. The model receives the messages of thrown errors. */
interface RunnableTool extends Pick<Tool, 'name' | 'description' | 'inputSchema' | 'isReading'> {
  run(args: Args): Promise<Answer> | Answer
}

/** Serves the tools. Resolves when the client closes standard input. */
export async function serveTools(serving: Serving): Promise<void> {
  const tools = createTools(serving)
  // The low-level server accepts JSON Schemas. `McpServer` requires Zod schemas.
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: 'suite-simulator', version: serving.version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsFor(serving.scope) },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, isReading }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, required: [...inputSchema.required] },
      annotations: { readOnlyHint: isReading, destructiveHint: !isReading },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`)
    const { texts, isError = false } = await callTool(tool, params.arguments ?? {})
    return { content: texts.map((text) => ({ type: 'text' as const, text })), ...(isError && { isError }) }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: serving.resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    readResource(serving.resources, uri),
  )
  await server.connect(new StdioServerTransport())
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
  })
  await server.close()
}

function instructionsFor({ workspace, isReadOnly }: Scope): string {
  const workspaceHint =
    workspace === null
      ? 'The workspace "demo" has the key demo-key.'
      : `This session is confined to the workspace ${JSON.stringify(workspace)}. You can omit its id.`
  return [
    'Controls a simulator of a business suite. Read suite-sim://llms.txt first.',
    workspaceHint,
    ...(isReadOnly ? ['The tools are read-only.'] : []),
    `Answers longer than ${String(PAGE)} characters are split into pages. readAnswer returns the next page.`,
  ].join(' ')
}

function createTools({ document, triggers, scope, ask }: Serving): RunnableTool[] {
  const answers = new LongAnswers()
  const names = triggers.map(({ name }) => name)
  const calls = toolsWithin(toolsOf(document, names), scope).map((tool) => ({
    ...tool,
    run: async (args: Args) => {
      const { method, path, body } = tool.request(args)
      const { status, text } = await ask(method, path, body)
      return {
        texts: text === '' ? [`done (${String(status)})`] : answers.open(text),
        isError: status >= 400,
      }
    },
  }))
  return [
    ...calls,
    {
      name: 'describeTrigger',
      description: 'Describe one trigger, with the JSON Schemas of its body and its result',
      inputSchema: inputSchemaOf({ name: { type: 'string', enum: names } }, ['name']),
      isReading: true,
      run: ({ name }) => {
        const found = triggers.find((each) => each.name === name)
        if (!found)
          throw new Error(`There is no trigger ${String(name)}. The triggers are ${names.join(', ')}.`)
        return { texts: answers.open(JSON.stringify(found)) }
      },
    },
    {
      name: 'readAnswer',
      description: `Read another page of a long answer, at max ${String(PAGE)} characters`,
      inputSchema: inputSchemaOf(
        {
          answer: { type: 'string', description: 'The number of the answer, from its first page.' },
          offset: { type: 'integer', minimum: 0 },
          limit: { type: 'integer', minimum: 1, maximum: PAGE },
        },
        ['answer'],
      ),
      isReading: true,
      run: ({ answer, offset, limit }) => ({
        texts: answers.read(String(answer), offset as number | undefined, limit as number | undefined),
      }),
    },
  ]
}

const inputSchemaOf = (properties: InputSchema['properties'], required: readonly string[]): InputSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

async function callTool(tool: RunnableTool, args: Args): Promise<Answer> {
  const { required, properties } = tool.inputSchema
  const missing = required.filter((name) => args[name] === undefined)
  const known = Object.keys(properties)
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  if (missing.length > 0) return errorAnswer(`${missing.join(', ')} is required`)
  if (unknown.length > 0) {
    return errorAnswer(
      `${unknown.join(', ')} is not a known argument; the arguments are ${known.join(', ') || 'none'}`,
    )
  }
  try {
    return await tool.run(args)
  } catch (error) {
    return errorAnswer((error as Error).message)
  }
}

const errorAnswer = (text: string): Answer => ({ texts: [text], isError: true })

/** Reads a resource. Long resources have pages: the URI with `?offset=` and `&limit=`. */
async function readResource(resources: readonly Resource[], uri: string) {
  const [address = '', query = ''] = uri.split('?', 2)
  const resource = resources.find((each) => each.uri === address)
  if (!resource) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`)
  const whole = await resource.read()
  if (query === '' && whole.length <= PAGE) {
    return { contents: [{ uri, mimeType: resource.mimeType, text: whole }] }
  }
  const params = new URLSearchParams(query)
  const page = pageOf(
    whole,
    parseNumber(params, 'offset', 0, whole.length - 1) ?? 0,
    parseNumber(params, 'limit', 1, PAGE) ?? PAGE,
  )
  const summary = summaryOf(whole, page, `${address}?offset=${String(page.next)}`)
  return {
    contents: [
      { uri, mimeType: 'text/plain', text: summary },
      { uri, mimeType: 'text/plain', text: page.text },
    ],
  }
}

function parseNumber(params: URLSearchParams, name: string, min: number, max: number): number | null {
  const text = params.get(name)
  if (text === null) return null
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new McpError(
    ErrorCode.InvalidParams,
    `${name} must be a whole number from ${String(min)} to ${String(max)}.`,
  )
}
