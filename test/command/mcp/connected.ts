/** A session of `suite-sim mcp` with the client of the SDK, closed after the test. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { BINARY, sharedServer } from '../../support/process.ts'

/** Starts a session at the shared server of the file. */
export async function connected(...flags: string[]) {
  const { url } = await sharedServer([])
  return sessionAt(url, ...flags)
}

export async function sessionAt(url: string, ...flags: string[]) {
  const client = new Client({ name: 'test client', version: '1.0.0' })
  const args = [BINARY, 'mcp', '--url', url, ...flags]
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' })
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
  return { client, transport, call, names, post, url }
}

export type Session = Awaited<ReturnType<typeof sessionAt>>

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
