/** Tools and resources over the Model Context Protocol. Built to a file of its own, which nothing else loads. */
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
import { LongAnswers, PAGE, pageOf, summaryOf } from './mcpAnswers.ts'
import { toolsWithin, type Scope } from './mcpScope.ts'
import { toolsOf, type Document, type InputSchema, type Tool } from './mcpTools.ts'

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

/** A tool with what a call of it does; what it throws is an error that the model can read. */
interface Callable extends Pick<Tool, 'name' | 'description' | 'inputSchema' | 'isReading'> {
  run(args: Args): Promise<Answer> | Answer
}

/** Ends when the client closes standard input. */
export async function serveTools(serving: Serving): Promise<void> {
  const tools = callables(serving)
  // The one that takes JSON Schemas as they are; the other wants them made by a library of its own.
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
    const { texts, isError = false } = await called(tool, params.arguments ?? {})
    return { content: texts.map((text) => ({ type: 'text' as const, text })), ...(isError && { isError }) }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: serving.resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    readResource(serving.resources, uri),
  )
  await server.connect(new StdioServerTransport())
  await new Promise<void>((ended) => {
    process.stdin.once('end', ended).once('close', ended)
  })
  await server.close()
}

function instructionsFor({ workspace, isReadOnly }: Scope): string {
  const where =
    workspace === null
      ? 'The workspace "demo" has the key demo-key.'
      : `This session is confined to the workspace ${JSON.stringify(workspace)}; id may be left out.`
  return [
    'Steers a simulator of a business suite. Read suite-sim://llms.txt first.',
    where,
    ...(isReadOnly ? ['It only reads.'] : []),
    `Answers beyond ${String(PAGE)} characters come in pages: readAnswer gives the next one.`,
  ].join(' ')
}

function callables({ document, triggers, scope, ask }: Serving): Callable[] {
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
      description: 'Show one trigger: what it does, and the JSON Schemas of its body and its result',
      inputSchema: takes({ name: { type: 'string', enum: names } }, ['name']),
      isReading: true,
      run: ({ name }) => {
        const found = triggers.find((each) => each.name === name)
        if (!found) throw new Error(`There is no trigger ${String(name)}; there are ${names.join(', ')}.`)
        return { texts: answers.open(JSON.stringify(found)) }
      },
    },
    {
      name: 'readAnswer',
      description: `Read on in an answer that was too long to be sent whole, ${String(PAGE)} characters at most`,
      inputSchema: takes(
        {
          answer: { type: 'string', description: 'Its number, as the first page gave it.' },
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

const takes = (properties: InputSchema['properties'], required: readonly string[]): InputSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

async function called(tool: Callable, args: Args): Promise<Answer> {
  const { required, properties } = tool.inputSchema
  const missing = required.filter((name) => args[name] === undefined)
  const known = Object.keys(properties)
  const strange = Object.keys(args).filter((name) => !known.includes(name))
  if (missing.length > 0) return wrong(`${missing.join(', ')} is required`)
  if (strange.length > 0) {
    return wrong(`${strange.join(', ')} is not taken; there are ${known.join(', ') || 'none'}`)
  }
  try {
    return await tool.run(args)
  } catch (error) {
    return wrong((error as Error).message)
  }
}

const wrong = (text: string): Answer => ({ texts: [text], isError: true })

/** A long one comes in pages as well: its address with `?offset=` and `&limit=`. */
async function readResource(resources: readonly Resource[], uri: string) {
  const [address = '', query = ''] = uri.split('?', 2)
  const resource = resources.find((each) => each.uri === address)
  if (!resource) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`)
  const whole = await resource.read()
  if (query === '' && whole.length <= PAGE) {
    return { contents: [{ uri, mimeType: resource.mimeType, text: whole }] }
  }
  const asked = new URLSearchParams(query)
  const page = pageOf(
    whole,
    numberIn(asked, 'offset', 0, whole.length - 1) ?? 0,
    numberIn(asked, 'limit', 1, PAGE) ?? PAGE,
  )
  const summary = summaryOf(whole, page, `${address}?offset=${String(page.next)}`)
  return {
    contents: [
      { uri, mimeType: 'text/plain', text: summary },
      { uri, mimeType: 'text/plain', text: page.text },
    ],
  }
}

function numberIn(asked: URLSearchParams, name: string, least: number, most: number): number | null {
  const written = asked.get(name)
  if (written === null) return null
  const value = Number(written)
  if (/^\d+$/.test(written) && value >= least && value <= most) return value
  throw new McpError(
    ErrorCode.InvalidParams,
    `${name} must be a whole number from ${String(least)} to ${String(most)}.`,
  )
}
