/** The sample receivers of examples/receivers, as processes, and receivers of a test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { ROOT } from './root.ts'

const FOLDER = join(ROOT, 'examples/receivers')

/** The names of the samples with a fault. */
export const FAULTY = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.replace('.mjs', ''))
  .filter((name) => !['shared', 'correct'].includes(name))

export interface Running {
  /** Takes the webhooks. */
  readonly receiver: string
  /** Shows what was done. */
  readonly observe: string
  stop(): Promise<void>
}

/** Starts a sample on a free port. It also stops after the test. */
export async function startSample(name: string, secret = 'whsec_exam'): Promise<Running> {
  const child = spawn(process.execPath, [join(FOLDER, `${name}.mjs`)], {
    env: { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  onTestFinished(stop)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const [receiver = '', observe = ''] = line.match(/http:[^ ,]+/g) ?? []
  return { receiver, observe, stop }
}

export type Handle = (delivery: Received, response: ServerResponse) => void

export interface Received {
  readonly event: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Starts a receiver in this process. A GET answers what `show` returns. */
export async function startReceiver(handle: Handle, show: () => unknown = () => 0): Promise<Running> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify(show()))
      return
    }
    void bodyOf(request).then((body) => {
      handle({ event: String(request.headers['x-service-event']), headers: request.headers, body }, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  onTestFinished(stop)
  return { receiver: `${url}/webhooks`, observe: `${url}/processed`, stop }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Answers with a status. */
export function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end()
}
