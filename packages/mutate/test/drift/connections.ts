/** Calls of a simulator over HTTP, with answers in the form that kinds of drift change. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import type { Answer } from './kind.ts'

export interface Sent {
  readonly method: string
  /** With the query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body?: Buffer
}

/** Headers of one connection. The proxy sends its own. */
const OF_CONNECTIONS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']

/** Keeps connections to one simulator open. */
export class Connections {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #target: URL

  constructor(target: string) {
    this.#target = new URL(target)
  }

  async send({ method, url, headers, body }: Sent): Promise<Answer> {
    const { 'accept-encoding': _, connection: __, ...kept } = headers
    return new Promise((resolve, reject) => {
      const sending = request(
        new URL(url, this.#target),
        { method, headers: kept, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const raw = Buffer.concat(chunks)
            const answered = Object.entries(response.headers)
              .filter(([name]) => !OF_CONNECTIONS.includes(name))
              .map(([name, value]) => [name, String(value)])
            const isJson = response.headers['content-type']?.startsWith('application/json') === true
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(answered) as Record<string, string>,
              json: isJson && raw.length > 0 ? JSON.parse(raw.toString()) : undefined,
              raw,
            })
          })
        },
      )
      sending.on('error', reject)
      sending.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The headers with which all interfaces accept a key. */
export const credentialsOf = (key: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${key}`,
  'x-api-key': key,
  'x-invoicing-token': key,
  api_access_token: key,
})
