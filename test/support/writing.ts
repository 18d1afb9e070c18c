/** A service for write mode: a simulator behind a proxy that can change answers and sees each call before and after it. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buildApp } from '../../src/app.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import {
  measure,
  type Report,
  type VerifyHooks,
  type VerifyOptions,
  type Baseline,
} from '@suite-sim/verify/index'
import { Connections } from '../../packages/mutate/test/drift/connections.ts'
import { textOf, type Answer } from '../../packages/mutate/test/drift/kind.ts'

export interface Service {
  readonly url: string
  /** Returns what the workspace of the service holds, by area and section. */
  snapshot(): Promise<Snapshot>
  /** Empties the journal. */
  forget(): Promise<unknown>
  /** Returns "POST /crm/v1/contacts" for each call of the journal, by method. */
  calls(): Promise<readonly string[]>
  close(): Promise<void>
}

export type Row = Readonly<Record<string, unknown>>

export type Snapshot = Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>

/** Starts a simulator with records. Its key is "demo-key". */
export async function startService(fixtures: 'small' | 'demo' = 'small'): Promise<Service> {
  const app = await buildApp({ fixtures, rateLimits: false })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const journal = `${url}/_sim/workspaces/demo/requests`
  return {
    url,
    snapshot: async () => (await (await fetch(`${url}/_sim/workspaces/demo/snapshot`)).json()) as Snapshot,
    forget: () => fetch(journal, { method: 'DELETE' }),
    calls: async () => {
      const lists = await Promise.all(
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(async (method) => {
          const response = await fetch(`${journal}?limit=1000&method=${method}`)
          return ((await response.json()) as { data: { method: string; path: string }[] }).data
        }),
      )
      // The journal keeps the newest calls, so a full one is no witness.
      if (lists.flat().length >= 1000) throw new Error('the journal of the service is full')
      return lists.flat().map(({ method, path }) => `${method} ${path}`)
    },
    close: () => app.close(),
  }
}

/** A call at the proxy. */
export interface SeenCall {
  readonly method: string
  /** With the query. */
  readonly url: string
  /** Its position among all calls, from 1. */
  readonly number: number
}

export interface ProxyOptions {
  readonly target: string
  /** Changes the body of a call. */
  readonly rewrite?: (call: SeenCall, body: string) => string
  /** Changes an answer. */
  readonly change?: (call: SeenCall, answer: Answer) => Answer
  /** Runs before a call reaches the service. False keeps it from the service and from an answer. */
  readonly before?: (call: SeenCall) => boolean
  /** Runs after the service has answered. False keeps the answer. */
  readonly after?: (call: SeenCall) => boolean
}

export interface Proxy {
  readonly url: string
  /** The number of calls. */
  readonly count: () => number
  close(): Promise<void>
}

const passes = (): boolean => true

export async function startProxy({
  target,
  rewrite,
  change = (_, answer) => answer,
  before = passes,
  after = passes,
}: ProxyOptions): Promise<Proxy> {
  const connections = new Connections(target)
  let count = 0
  const server = createServer((message, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of message) chunks.push(chunk as Buffer)
      const { method = 'GET', url = '/', headers } = message
      const call = { method, url, number: ++count }
      if (!before(call)) return
      const { 'transfer-encoding': _, 'content-length': __, ...kept } = headers
      const whole = Buffer.concat(chunks)
      const body = rewrite ? Buffer.from(rewrite(call, whole.toString())) : whole
      const answer = await connections.send({
        method,
        url,
        headers: body.length > 0 ? { ...kept, 'content-length': String(body.length) } : kept,
        body,
      })
      if (!after(call)) return
      const changed = change(call, { ...answer, json: structuredClone(answer.json) })
      const text = textOf(changed)
      response.writeHead(changed.status, { ...changed.headers, 'content-length': text.length })
      response.end(text)
      // A client that was killed closes its connection in the middle.
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    count: () => count,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      connections.close()
    },
  }
}

/** What differs between runs of the tests. */
export interface WritingRun {
  readonly url?: string
  readonly interfaces?: readonly InterfaceName[]
  readonly allow?: readonly string[]
  readonly confirms?: boolean
  readonly budget?: number
  readonly hooks?: VerifyHooks
  /** False ends the run at its first read after the scenarios. */
  readonly reads?: boolean
}

/** Runs write mode against a service, with all confirmations by default. */
export async function runWriting(
  { service, baseline, ledgers }: { service: Service; baseline: Baseline; ledgers: string },
  { url, interfaces, allow = [], confirms = true, budget = 6000, hooks, reads = true }: WritingRun,
): Promise<Report> {
  const options: VerifyOptions = {
    baseUrl: url ?? service.url,
    key: 'demo-key',
    account: 1,
    budget,
    rate: null,
    values: { 'meetings.publicMeetingId': 'alm-demo-001' },
    ...(interfaces && { interfaces }),
    write: { allow, ledgers },
  }
  const afterScenarios = new AbortController()
  const { report } = await measure(options, baseline, {
    ...(!reads && {
      signal: afterScenarios.signal,
      onProgress: ({ stage }) => {
        if (stage.startsWith('reads ')) afterScenarios.abort()
      },
    }),
    confirm: () => Promise.resolve(confirms),
    ...hooks,
  })
  return report
}
