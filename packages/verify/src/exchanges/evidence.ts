/** A call as evidence in a report: an entry of a HAR file and a curl command, without credentials. */
import { asCurl, harEntry, type RedactedCall } from '@suite-sim/kit/calls/callFormats'
import { redactedHeaders, redactedUrl } from '@suite-sim/kit/calls/redaction'
import { offsetInstantOf } from '@suite-sim/kit/time/instants'
import type { Evidence } from '../report/report.ts'
import { jsonText } from '../report/values.ts'
import type { Exchange } from './exchange.ts'
import { redactedText, redactedValue, type Secrets } from './redaction.ts'

/** Characters of a body that are kept. */
const MAX_BODY = 4000

/** Characters of a text that are read, before it is cut to `MAX_BODY`. */
const MAX_TEXT = 100_000

/** Characters of a URL or a header. */
const MAX_LINE = 2000

/**
 * Returns a call as evidence. `secrets` are texts that must not appear anywhere in it, such as the key. The curl command
 * reads the key from SIM_VERIFY_KEY; that of a call with a wrong key from WRONG_KEY.
 */
export function evidenceOf(
  exchange: Exchange,
  requestHeaders: Readonly<Record<string, string>>,
  secrets: Secrets,
): Evidence {
  const { probe, url, at, status, durationMs, headers, body, text } = exchange
  const call: RedactedCall = {
    method: probe.operation.method,
    url: cut(redactedText(redactedUrl(url), secrets), MAX_LINE),
    status,
    durationMs,
    at: offsetInstantOf(at),
    request: messageOf(requestHeaders, probe.body, '', secrets),
    response: messageOf(headers, body, text, secrets),
  }
  const isWrong = probe.purpose.kind === 'auth' && probe.purpose.key === 'wrong'
  return { har: harEntry(call, ''), curl: asCurl(call, '', isWrong ? 'WRONG_KEY' : 'SIM_VERIFY_KEY') }
}

function messageOf(
  headers: Readonly<Record<string, string>>,
  body: unknown,
  text: string,
  secrets: Secrets,
): RedactedCall['request'] {
  const clean =
    body === undefined ? redactedText(text.slice(0, MAX_TEXT), secrets) : redactedBody(body, secrets)
  return {
    headers: headersOf(headers, secrets),
    body: clean === '' ? null : cut(clean, MAX_BODY),
    ...(clean.length > MAX_BODY && { cutFrom: Buffer.byteLength(text === '' ? clean : text) }),
  }
}

const redactedBody = (body: unknown, secrets: Secrets): string =>
  redactedText(jsonText(redactedValue(body, secrets)), secrets)

const headersOf = (headers: Readonly<Record<string, string>>, secrets: Secrets): Record<string, string> =>
  Object.fromEntries(
    Object.entries(redactedHeaders(headers, '')).map(([name, value]) => [
      name.toLowerCase(),
      cut(redactedText(value, secrets), MAX_LINE),
    ]),
  )

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)
