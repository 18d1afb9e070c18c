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
import { toolsOf, type Document } from './mcpTools.ts'

interface Serving {
  readonly version: string
  readonly document: Document
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly text: string }>
  readonly resources: readonly {
    readonly uri: string
    readonly name: string
    readonly mimeType: string
    read(): Promise<string>
  }[]
}

/** Ends when the client closes standard input. */
export async function serveTools({ version, document, ask, resources }: Serving): Promise<void> {
  const tools = toolsOf(document)
  // The one that takes JSON Schemas as they are; the other wants them made by a library of its own.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server(
    { name: 'suite-simulator', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions:
        'Steers a simulator of a business suite. Read suite-sim://llms.txt first. The workspace "demo" has the key demo-key.',
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, isReading, isRemoving }) => ({
      name,
      description,
      inputSchema,
      annotations: { readOnlyHint: isReading, destructiveHint: isRemoving },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`)
    const args = params.arguments ?? {}
    const missing = (tool.inputSchema['required'] as string[]).filter((name) => args[name] === undefined)
    const known = Object.keys(tool.inputSchema['properties'] as object)
    const strange = Object.keys(args).filter((name) => !known.includes(name))
    if (missing.length > 0) return said(`${missing.join(', ')} is required`, true)
    if (strange.length > 0) {
      return said(`${strange.join(', ')} is not taken; there are ${known.join(', ') || 'none'}`, true)
    }
    try {
      const { method, path, body } = tool.request(args)
      const { status, text } = await ask(method, path, body)
      return said(text === '' ? `done (${String(status)})` : text, status >= 400)
    } catch (error) {
      return said((error as Error).message, true)
    }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const resource = resources.find((each) => each.uri === uri)
    if (!resource) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`)
    return { contents: [{ uri, mimeType: resource.mimeType, text: await resource.read() }] }
  })
  await server.connect(new StdioServerTransport())
  await new Promise<void>((ended) => {
    process.stdin.once('end', ended).once('close', ended)
  })
  await server.close()
}

const said = (text: string, isError: boolean) => ({
  content: [{ type: 'text' as const, text }],
  ...(isError && { isError }),
})
