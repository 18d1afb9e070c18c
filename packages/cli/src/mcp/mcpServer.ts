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
import { DESCRIBE_TRIGGER, describeTriggerTool, offeredDocument, type Control } from './control.ts'
import type { Document } from './shared/document.ts'
import { CONTROL, hasControl, type Interface } from './shared/interfaces.ts'
import { Operations, type InterfaceOperation } from './operations/operations.ts'
import { operationTool, searchTools, toolName, type OperationCalls } from './operations/operationTools.ts'
import type { Scope } from './operations/scope.ts'
import { inputSchemaOf, type Args, type Tool, type ToolAnswer } from './shared/tools.ts'

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
  /** The interfaces of the session, and the control plane if it has it. */
  readonly interfaces: readonly Interface[]
  readonly scope: Scope
  /** The names of the interfaces whose operations are tools of their own. */
  readonly single: readonly string[]
  /** Null if the session can't reach the control plane. */
  readonly control: Control | null
  /** Returns the OpenAPI document of an interface. */
  readonly read: (name: string) => Promise<Document>
  readonly calls: OperationCalls
  readonly resources: readonly Resource[]
  /** Called with the name of the client when the session begins. */
  readonly opened: (client: string) => void
  /** Resolves at a signal to stop. */
  readonly stopped: Promise<unknown>
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
  const operations = operationsOf(serving)
  const tools = await createTools(operations, serving)
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
    if (!tool) throw await noTool(operations, params.name)
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

function operationsOf({ interfaces, scope, control, read }: Serving): Operations {
  const document = control && offeredDocument(control)
  return new Operations(interfaces, scope, (name) =>
    document && name === CONTROL.name ? Promise.resolve(document) : read(name),
  )
}

async function createTools(operations: Operations, { single, control, calls }: Serving): Promise<Tool[]> {
  const answers = new LongAnswers()
  const all = single.length === 0 ? [] : await operations.all()
  const triggers = control?.triggers ?? []
  // One tool pulls all triggers, and one describes them.
  const own = all.filter(
    ({ of, name }) => single.includes(of.name) && !triggers.some((trigger) => trigger.name === name),
  )
  const tools = [
    ...own.map((operation) => operationTool(operation, calls, answers)),
    ...(single.includes(CONTROL.name) ? [describeTriggerTool(triggers, answers)] : []),
    ...searchTools(operations, calls, answers),
    readAnswerTool(answers),
  ]
  if (tools.length > MANY_TOOLS) {
    io().stderr.write(
      `suite-sim: the session has ${String(tools.length)} tools, and many clients accept only ${String(MANY_TOOLS)}; choose interfaces with --interface\n`,
    )
  }
  return tools
}

/** Returns the error of a call of a tool that the session does not have, with the call that does the same. */
async function noTool(operations: Operations, wanted: string): Promise<McpError> {
  const isWanted = (each: InterfaceOperation): boolean => toolName(each) === wanted
  const found = (await operations.all()).find(isWanted)
  const call = found
    ? `call_operation ${JSON.stringify({ interface: found.of.name, operation: found.name })}`
    : wanted === DESCRIBE_TRIGGER &&
      hasControl(operations.interfaces) &&
      'describe_operation with control and the name of a trigger'
  const hint = call
    ? `Use ${call}, or start suite-sim mcp with --tools all.`
    : ((await operations.refusal(isWanted)) ?? 'search_operations finds what the session can call.')
  return new McpError(ErrorCode.InvalidParams, `There is no tool ${wanted.slice(0, 200)}. ${hint}`)
}

const readAnswerTool = (answers: LongAnswers): Tool => ({
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

async function callTool(tool: Tool, args: Args): Promise<ToolAnswer> {
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
function withParsedBody({ inputSchema: { properties } }: Tool, args: Args): Args {
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
