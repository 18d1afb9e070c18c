/** A server in front of a simulator that lets one kind of drift happen at one operation. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Connections } from './connections.ts'
import { isSame, textOf, type Answer, type Mutation } from './kind.ts'
import { isAt, type Readable } from './readable.ts'

/** What the proxy saw. A mutation that changed no answer can't be found. */
export interface Journal {
  calls: number
  /** Calls of the operation. */
  matched: number
  /** Answers that differ from those of the simulator. */
  changed: number
  /** The first of them. */
  readonly changes: { readonly request: string; readonly before: Answer; readonly after: Answer }[]
}

export interface MutatingProxy {
  readonly url: string
  readonly journal: Journal
  close(): Promise<void>
}

const MAX_KEPT = 5

/** Starts the proxy on a free port of this machine. Without a mutation it passes everything unchanged. */
export async function startMutatingProxy(options: {
  readonly target: string
  readonly mutation: Mutation | null
}): Promise<MutatingProxy> {
  const { target, mutation } = options
  const connections = new Connections(target)
  const journal: Journal = { calls: 0, matched: 0, changed: 0, changes: [] }
  const counts = new Map<string, number>()

  const answerTo = async (message: IncomingMessage, body: Buffer): Promise<Answer> => {
    const { method = 'GET', headers } = message
    const restore = mutation?.kind.restoreRequest ?? ((text: string) => text)
    const url = restore(message.url ?? '/')
    const before = await connections.send({ method, url, headers, body })
    journal.calls += 1
    const { pathname, searchParams } = new URL(url, target)
    const readable = mutation ? driftingAt(mutation, method, pathname) : undefined
    if (!mutation || !readable) return before
    journal.matched += 1
    const repeats = counts.get(url) ?? 0
    counts.set(url, repeats + 1)
    const after = await mutation.kind.apply({
      readable,
      call: { path: pathname, query: searchParams, repeats },
      answer: copyOf(before),
      at: mutation.at,
      send: (path, query) =>
        connections.send({ method, url: query.size > 0 ? `${path}?${query.toString()}` : path, headers }),
    })
    if (!isSame(before, after)) {
      journal.changed += 1
      if (journal.changes.length < MAX_KEPT)
        journal.changes.push({ request: `${method} ${url}`, before, after })
    }
    return after
  }

  const server = createServer((message, response) => {
    void handle(message, response, answerTo)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    journal,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      connections.close()
    },
  }
}

export const copyOf = (answer: Answer): Answer => ({ ...answer, json: structuredClone(answer.json) })

/** Returns the operation of the call if the mutation changes its answers. */
const driftingAt = (mutation: Mutation, method: string, path: string): Readable | undefined =>
  method === 'GET'
    ? [mutation.readable, ...mutation.also].find((readable) => isAt(readable, path))
    : undefined

type Answering = (message: IncomingMessage, body: Buffer) => Promise<Answer>

async function handle(
  message: IncomingMessage,
  response: ServerResponse,
  answerTo: Answering,
): Promise<void> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const answer = await answerTo(message, Buffer.concat(chunks))
    const text = textOf(answer)
    response.writeHead(answer.status, { ...answer.headers, 'content-length': text.length })
    response.end(text)
  } catch (error) {
    response.writeHead(502, { 'content-type': 'text/plain' })
    response.end(`The simulator did not answer: ${String(error)}`)
  }
}
