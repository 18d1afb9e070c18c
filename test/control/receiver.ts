/** A webhook receiver on a loopback port that records its requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
}

/** `answer` is called with each request, counted from 1. The default status is 200. */
export async function receiver(
  answer: (response: ServerResponse, count: number) => void = (response) => {
    response.end()
  },
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      answer(response, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`, received }
}

/** Responds with a status. */
export const status =
  (code: number) =>
  (response: ServerResponse): void => {
    response.writeHead(code).end()
  }
