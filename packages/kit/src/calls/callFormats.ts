/** Converts calls to curl commands and HAR. Redacted values become placeholders that the reader fills in. */
import { iso } from '../time/instants.ts'
import { CALLER_HEADER } from './callerName.ts'
import { HIDDEN } from './redaction.ts'

/** A request or a response as the journal has it: without credentials, and cut at a limit. */
export interface MessageRecord {
  readonly headers: Readonly<Record<string, string>>
  /** A JSON value if the body is complete JSON; else the stored part of the text. Null without a body. */
  readonly body: unknown
  /** Characters or bytes of the whole body, if it was cut. */
  readonly cutFrom?: number
}

/** A call with redacted credentials. */
export interface RedactedCall {
  /** When it came, in ms since the epoch. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly status: number
  readonly durationMs: number
  /** The name that the caller gave itself, from X-Sim-Caller. */
  readonly caller?: string
  readonly request: MessageRecord
  readonly response: MessageRecord
}

/** Headers that every HTTP client sets itself, and the name of the caller, who is another one. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  // The body in the journal is decoded.
  'content-encoding',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
  CALLER_HEADER,
])

/** Returns a curl command for a POSIX shell. It reads the key from a variable. */
export function asCurl(
  { method, url, request }: RedactedCall,
  origin: string,
  variable = 'SUITE_KEY',
): string {
  const headers = Object.entries(request.headers)
    .filter(([name]) => !CONNECTION_HEADERS.has(name))
    .map(([name, value]) =>
      value.endsWith(HIDDEN)
        ? `-H ${shellQuote(`${name}: ${value.slice(0, -HIDDEN.length)}`)}"$${variable}"`
        : `-H ${shellQuote(`${name}: ${value}`)}`,
    )
  const body = textOf(request)
  const parts = [
    `curl -X ${method} ${shellQuote(origin + url)}`,
    ...headers,
    ...(body === null ? [] : [`--data-raw ${shellQuote(body)}`]),
  ]
  return `${parts.join(' \\\n  ')}\n`
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const textOf = ({ body }: MessageRecord): string | null =>
  body === null ? null : typeof body === 'string' ? body : JSON.stringify(body)

/** Returns calls as an HTTP Archive 1.2. */
export const asHar = (calls: readonly RedactedCall[], origin: string, version: string): object => ({
  log: {
    version: '1.2',
    creator: { name: 'suite-simulator', version },
    entries: calls.map((call) => harEntry(call, origin)),
  },
})

/** Returns an entry of an HTTP Archive 1.2. */
export function harEntry(call: RedactedCall, origin: string): Record<string, unknown> {
  const { request, response, method, url, status, durationMs, at, caller } = call
  return {
    startedDateTime: iso(at),
    time: durationMs,
    request: {
      method,
      url: origin + url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryPairs(url),
      ...(request.body !== null && {
        postData: { mimeType: typeOf(request), text: textOf(request) },
      }),
      headersSize: -1,
      bodySize: request.cutFrom ?? Buffer.byteLength(textOf(request) ?? ''),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: response.cutFrom ?? Buffer.byteLength(textOf(response) ?? ''),
        mimeType: typeOf(response),
        ...(response.body !== null && { text: textOf(response) }),
      },
      redirectURL: response.headers['location'] ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    // HAR: custom fields start with an underscore.
    ...(caller !== undefined && { _caller: caller }),
  }
}

const typeOf = ({ headers }: MessageRecord): string => headers['content-type'] ?? ''

interface Pair {
  readonly name: string
  readonly value: string
}

const pairs = (values: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

function queryPairs(url: string): Pair[] {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  return [...query].map(([name, value]) => ({ name, value }))
}
