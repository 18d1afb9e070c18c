/** Asks a server of this machine, over HTTP or HTTPS. It reads no secret and sends none. */
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'

/** Returns status and body. Accepts any certificate: it is about the server's public name, and this call about its port. */
export const askHere = (url: string, timeoutMs: number): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const options = { signal: AbortSignal.timeout(timeoutMs), agent: false as const }
    const answered = (response: IncomingMessage): void => {
      text(response).then((body) => {
        resolve({ status: response.statusCode ?? 0, text: body })
      }, reject)
    }
    const request = url.startsWith('https:')
      ? secureRequest(url, { ...options, rejectUnauthorized: false }, answered)
      : plainRequest(url, options, answered)
    request.on('error', reject).end()
  })
