/** The result of an attempt to deliver a webhook, in the words of the server. */
import { httpDate } from '../time/instants.ts'

/** The result of an attempt. `status` is null without a response; `error` is null if it succeeded. */
export interface AttemptResult {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** The Retry-After of a 429 or 503, in ms. */
  readonly retryAfterMs?: number
}

/** Bytes of a response, which is not used; beyond them the connection is closed. */
export const MAX_RESPONSE_BYTES = 256 * 1024

/** The error of a refused connection. */
export const REFUSED = 'connection refused'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The longest Retry-After in ms; a longer one is probably a mistake. */
const MAX_RETRY_AFTER = 86_400_000

/** Parses Retry-After by RFC 9110, 10.2.3: seconds, or a date on the clock of the sender. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = String(headers['retry-after'] ?? '')
  const date = String(headers['date'] ?? '')
  const ms = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) * 1000 : httpDate(value) - httpDate(date)
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER) : undefined
}

/** Returns the error of a status. "The subscriber should answer 2xx quickly": only 2xx is a success. */
export function errorOfStatus(status: number | null): string | null {
  if (status === null) return 'no response'
  if (status < 300) return null
  return status < 400 ? 'redirects are not followed' : `the receiver responded with ${String(status)}`
}

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: REFUSED,
  ECONNRESET: 'connection closed before the response was complete',
  EPIPE: 'connection closed before the response was complete',
  UND_ERR_SOCKET: 'connection closed before the response was complete',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
}

export function describeError(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return MESSAGES[code] ?? [message, code].find((text) => text !== '') ?? 'the attempt failed'
}

/** Returns the name to look up: names below localhost are this machine (RFC 6761), even if the system does not know it. */
export const nameToLookUp = (hostname: string): string =>
  /\.localhost\.?$/i.test(hostname) ? 'localhost' : hostname
