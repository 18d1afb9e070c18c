/**
 * The receiver of the company's deal and payment webhooks: it responds with success, except during outages and after
 * it is removed.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  readonly url: string
  /** The status that it responds with. */
  status: number
  /** Paths whose receiver no longer exists. */
  readonly removedPaths: Set<string>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const status = own.removedPaths.has(request.url ?? '') ? 410 : own.status
    request.resume().on('end', () => response.writeHead(status, { 'content-length': 0 }).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own: Receiver = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    status: 200,
    removedPaths: new Set(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
  return own
}
