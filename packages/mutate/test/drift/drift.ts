/** A server in front of another one that sees every call, and changes the answers of some paths. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

interface JsonAnswer {
  readonly status: number
  readonly json: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Drift {
  readonly each?: (call: Seen) => void
  /** The paths whose JSON answers change; all by default. */
  readonly at?: RegExp
  readonly apply?: (answer: JsonAnswer) => JsonAnswer
}

export async function startDrift(
  target: string,
  { each, at = /^/, apply }: Drift,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = request
      const path = url.split('?')[0] ?? ''
      each?.({ method, path, headers })
      const { host: _host, connection: _connection, ...rest } = headers
      const body = await buffer(request)
      const answer = await fetch(target + url, {
        method,
        headers: rest as Record<string, string>,
        redirect: 'manual',
        ...(body.length > 0 && { body }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const type = answer.headers.get('content-type') ?? ''
      const isChanged = apply !== undefined && at.test(path) && type.includes('json')
      const changed = isChanged
        ? apply({ status: answer.status, json: JSON.parse(bytes.toString()) as unknown })
        : { status: answer.status, json: undefined, headers: {} }
      const kept = [...answer.headers].filter(
        ([name]) =>
          !/^(?:content-length|content-encoding|connection|keep-alive|transfer-encoding)$/.test(name),
      )
      response.writeHead(changed.status, { ...Object.fromEntries(kept), ...changed.headers })
      response.end(isChanged ? JSON.stringify(changed.json) : bytes)
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
