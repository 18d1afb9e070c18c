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
import { io } from '@suite-sim/kit/terminal/io'
import { LongAnswers, PAGE, pageOf, summaryOf } from './shared/answers.ts'
import { controlTools, type Control } from './controlTools.ts'
import type { Document } from './shared/document.ts'
import { Operations, type Interface } from './operations/operations.ts'
import { searchTools, toolsOfOperations, type OperationCalls } from './operations/operationTools.ts'
import { inputSchemaOf, type Args, type RunnableTool, type ToolAnswer } from './shared/tools.ts'

interface Resource {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
  read(): Promise<string>
}

export interface Serving {
  readonly version: string
  /** What the model reads about the session. */
  readonly instructions: string
  /** Null if the session has no tools of the control plane. */
  readonly control: Control | null
  /** Null if the session has no tools of the interfaces. */
  readonly interfaces: ServedInterfaces | null
  readonly resources: readonly Resource[]
  /** Called with the name of the client when the session begins. */
  readonly opened: (client: string) => void
  /** Resolves at a signal to stop. */
  readonly stopped: Promise<unknown>
}

interface ServedInterfaces {
  readonly chosen: readonly Interface[]
  readonly isReadOnly: boolean
  readonly hasSearch: boolean
  /** Whether each operation is a tool of its own. */
  readonly hasOperations: boolean
  readonly read: (name: string) => Promise<Document>
  readonly calls: OperationCalls
}

/** Errors of lines that are no JSON, or no message, with the codes of their answers. */
const REFUSED: Readonly<Record<string, number>> = {
  SyntaxError: ErrorCode.ParseError,
  ZodError: ErrorCode.InvalidRequest,
}

/** Clients accept no more tools than about this number. */
const MANY_TOOLS = 128

/** The bytes of one message from the client: the files of a call as base64, and the rest of it. */
const MAX_MESSAGE = 25_165_824

/** The milliseconds that calls in progress may need when the client closes standard input. */
const MAX_WAIT = 10_000

/** Serves the tools. Resolves when the client closes standard input, or at a signal to stop. */
export async function serveTools(serving: Serving): Promise<void> {
  const tools = await createTools(serving)
  const inProgress = new Set<Promise<ToolAnswer>>()
  // The low-level server accepts JSON Schemas. `McpServer` requires Zod schemas.
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: 'suite-simulator', version: serving.version },
    { capabilities: { tools: {}, resources: {} }, instructions: serving.instructions },
  )
  server.oninitialized = () => {
    serving.opened(server.getClientVersion()?.name ?? '')
  }
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
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 200)}.`)
    const call = callTool(tool, params.arguments ?? {})
    inProgress.add(call)
    const { texts, isError = false } = await call.finally(() => inProgress.delete(call))
    return { content: texts.map((text) => ({ type: 'text' as const, text })), ...(isError && { isError }) }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: serving.resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    readResource(serving.resources, uri),
  )
  server.onerror = (error) => {
    const { message } = error
    const code = REFUSED[error.name]
    // The transport reports a line that it can't read, and answers nothing. JSON-RPC 2.0, section 5.1.
    if (code !== undefined) {
      const answer = { jsonrpc: '2.0', id: null, error: { code, message: message.slice(0, 500) } }
      io().stdout.write(`${JSON.stringify(answer)}\n`)
    }
    io().stderr.write(`suite-sim: ${message.slice(0, 500)}\n`)
  }
  // The transport closes itself after a message that is too long.
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  const options = { maxBufferSize: MAX_MESSAGE }
  await server.connect(new StdioServerTransport(io().stdin, io().stdout, options))
  const end = await Promise.race([inputEnd(), closed, serving.stopped])
  if (end === 'input') await waitFor(inProgress)
  await server.close()
}

/** Resolves when standard input is closed. */
const inputEnd = (): Promise<'input'> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close']) {
      io().stdin.once(event, () => {
        resolve('input')
      })
    }
  })

/** A program that writes all requests and closes its end of the pipe gets its answers, too. */
async function waitFor(calls: ReadonlySet<Promise<unknown>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, MAX_WAIT)))
  await Promise.race([Promise.allSettled([...calls]), timeout])
  clearTimeout(timer)
  // The server writes an answer after the promise of its call.
  await new Promise(setImmediate)
}

async function createTools({ control, interfaces }: Serving): Promise<RunnableTool[]> {
  const answers = new LongAnswers()
  const tools = [
    ...(control ? controlTools(control, answers) : []),
    ...(interfaces ? await interfaceTools(interfaces, answers) : []),
    readAnswerTool(answers),
  ]
  if (tools.length > MANY_TOOLS && interfaces?.hasOperations === true) {
    io().stderr.write(
      `suite-sim: the session has ${String(tools.length)} tools, and many clients accept only ${String(MANY_TOOLS)}; choose interfaces with --interface\n`,
    )
  }
  return tools
}

async function interfaceTools(
  { chosen, isReadOnly, hasSearch, hasOperations, read, calls }: ServedInterfaces,
  answers: LongAnswers,
): Promise<RunnableTool[]> {
  const operations = new Operations(chosen, isReadOnly, read)
  return [
    ...(hasSearch ? searchTools(operations, calls, answers) : []),
    ...(hasOperations ? await toolsOfOperations(operations, calls, answers) : []),
  ]
}

const readAnswerTool = (answers: LongAnswers): RunnableTool => ({
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
})

async function callTool(tool: RunnableTool, args: Args): Promise<ToolAnswer> {
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
    return await tool.run(withParsedBody(tool, args))
  } catch (error) {
    return errorAnswer((error as Error).message)
  }
}

/** Parses a body that a model wrote as text. The search of the journal has a text of that name. */
function withParsedBody({ inputSchema: { properties } }: RunnableTool, args: Args): Args {
  const { body } = args
  const { type } = (properties['body'] ?? {}) as { readonly type?: unknown }
  if (typeof body !== 'string' || type === 'string') return args
  try {
    return { ...args, body: JSON.parse(body) as unknown }
  } catch (error) {
    throw new Error(`body must be JSON, as a value or as its text: ${(error as Error).message}`)
  }
}

const errorAnswer = (text: string): ToolAnswer => ({ texts: [text.slice(0, PAGE)], isError: true })

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
