/** Sends a webhook to a receiver: one POST without redirects, on a connection of its own. */
import { MAX_RESPONSE_BYTES, nameToLookUp } from '@suite-sim/kit/webhooks/attempts'
import { lookup } from 'node:dns'
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'

/** What a receiver answered. */
export interface Posted {
  /** null if it did not answer. */
  readonly status: number | null
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Why the answer is missing or not complete; null if it is complete. */
  readonly error: NodeJS.ErrnoException | null
  readonly durationMs: number
}

/** The answer did not end in time, or has too many bytes. */
export class Unfinished extends Error {
  readonly isTooLong: boolean

  constructor(message: string, isTooLong: boolean) {
    super(message)
    this.isTooLong = isTooLong
  }
}

interface Posting {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Ends it early. */
  readonly signal?: AbortSignal
}

/** Never throws. */
export function post({ url, headers, body, timeoutMs, signal }: Posting): Promise<Posted> {
  const isSecure = url.protocol === 'https:'
  const start = monotonicNow()
  return new Promise((resolve) => {
    let answer: Pick<Posted, 'status' | 'headers'> = { status: null, headers: {} }
    const end = (error: Error | null, text = ''): void => {
      clearTimeout(timer)
      resolve({ ...answer, body: text, error, durationMs: Math.round(monotonicNow() - start) })
      sent.destroy()
    }
    const sent = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: isSecure ? new HttpsAgent() : new HttpAgent(),
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: lookupHere,
      ...(signal && { signal }),
    })
    const timer = setTimeout(() => {
      end(new Unfinished(`no answer within ${String(timeoutMs / 1000)} s`, false))
    }, timeoutMs)
    sent.on('error', end)
    sent.on('response', (response) => {
      answer = { status: response.statusCode ?? null, headers: response.headers }
      textOf(response, MAX_RESPONSE_BYTES).then((text) => {
        end(null, text)
      }, end)
    })
    sent.end(body)
  })
}

const lookupHere: LookupFunction = (hostname, options, callback) => {
  lookup(nameToLookUp(hostname), options, callback)
}

export async function textOf(message: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new Unfinished(`a body has more than ${String(maxBytes)} bytes`, true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
