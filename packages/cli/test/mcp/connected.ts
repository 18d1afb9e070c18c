/** A session of `suite-sim mcp` with the client of the SDK, in the process of the test, closed after the test. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { App, AppOptions } from '../../../../src/app.ts'
import { runHere, startHere, type RunningHere } from '../../../../test/support/commandLine.ts'
import { atEndOfFile } from '../../../../test/support/endOfFile.ts'
import { buildApp } from '../../../../test/support/subject.ts'

interface Server {
  readonly app: App
  readonly url: string
}

/** The servers of a test file, by their options. */
const servers = new Map<string, Promise<Server>>()

atEndOfFile(async () => {
  const all = await Promise.all(servers.values())
  servers.clear()
  for (const { app } of all) await app.close()
})

async function listening(options: AppOptions): Promise<Server> {
  const app = await buildApp({ db: ':memory:', fixtures: 'demo', ...options })
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

/** The URL of the server of the test file with these options, in its initial state. */
export async function serverUrl(options: AppOptions = {}): Promise<string> {
  const key = JSON.stringify(options)
  const known = servers.get(key)
  if (!known) {
    const started = listening(options)
    servers.set(key, started)
    return (await started).url
  }
  const { app, url } = await known
  const { adminToken } = options
  const headers = adminToken ? { authorization: `Bearer ${adminToken}` } : {}
  const { statusCode } = await app.fastify.inject({ method: 'POST', url: '/_sim/reset', headers })
  if (statusCode >= 300) throw new Error(`the reset of the server answered ${String(statusCode)}`)
  return url
}

/** Runs `suite-sim mcp` with this standard input until it ends. */
export const mcp = (url: string, flags: readonly string[], input = '') =>
  runHere(['mcp', '--url', url, ...flags], { folder: process.cwd(), input })

/** The standard input and output of a running command, one message a line. */
class OfCommand implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  readonly #running: RunningHere
  #read = Promise.resolve()

  constructor(running: RunningHere) {
    this.#running = running
  }

  start(): Promise<void> {
    this.#read = this.#readAll()
    return Promise.resolve()
  }

  async #readAll(): Promise<void> {
    for await (const line of this.#running.lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage)
    this.onclose?.()
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#running.stdin.write(`${JSON.stringify(message)}\n`)
    return Promise.resolve()
  }

  async close(): Promise<void> {
    this.#running.stdin.end()
    await this.#running.ended
    await this.#read
  }
}

/** Starts a session at the server of the file. */
export async function connected(...flags: string[]) {
  return sessionAt(await serverUrl(), ...flags)
}

export async function sessionAt(url: string, ...flags: string[]) {
  const running = startHere(['mcp', '--url', url, ...flags], { folder: process.cwd() })
  return { ...(await sessionOver(new OfCommand(running), url)), signal: running.signal }
}

/** Starts a session over a transport. */
export async function sessionOver(transport: Transport, url: string) {
  const client = new Client({ name: 'test client', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const texts = (content as { text: string }[]).map(({ text }) => text)
    return { text: texts[0] ?? '', page: texts[1], texts, isError }
  }
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { client, call, names, post, url }
}

export type Session = Awaited<ReturnType<typeof sessionOver>>

export const parsed = <Value>({ text }: { readonly text: string }) => JSON.parse(text) as Value

export interface Found {
  readonly total: number
  readonly data: readonly { interface: string; operation: string; method: string; path: string }[]
  readonly next?: string
  readonly nearestWords?: readonly string[]
}

export async function everyOperation({ call }: Session) {
  const all: Found['data'][number][] = []
  for (let offset = 0; ; offset += 50) {
    const { data, next } = parsed<Found>(await call('search_operations', { limit: 50, offset }))
    all.push(...data)
    if (next === undefined) return all
  }
}

export const statusOf = ({ text }: { readonly text: string }): number =>
  Number(/^HTTP (\d{3}) /.exec(text)?.[1])

export const requestsOf = async (url: string, query = '') => {
  const { data } = (await (
    await fetch(`${url}/_sim/workspaces/demo/requests?limit=1000&${query}`)
  ).json()) as {
    data: { operation: string; status: number; caller: { name?: string } | null }[]
  }
  return data
}

export const keysOf = async (url: string, workspace = 'demo') =>
  (
    (await (await fetch(`${url}/_sim/workspaces/${workspace}/keys`)).json()) as {
      data: { key: string; scopes: string[]; interfaces: string[] }[]
    }
  ).data
