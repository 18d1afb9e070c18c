/**
 * The log of the server: JSON lines, or colored lines for a terminal. Credentials in headers, fields and URLs
 * are redacted.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Writable } from 'node:stream'
import { pino, stdSerializers, type DestinationStream, type LevelWithSilent, type Logger } from 'pino'
import { traceIdOf, traceIn } from '../../../state/timeline/trace.ts'
import { redactedUrl } from '@suite-sim/kit/calls/redaction'
import { sentRequestId } from './requestId.ts'

const CREDENTIALS = [
  'authorization',
  '["x-api-key"]',
  'api_access_token',
  '["x-invoicing-token"]',
  'adminToken',
  'metricsToken',
  'controlToken',
  'key',
  'secret',
]

const redacted = '[redacted]'

/** Creates the logger; `pretty` is for terminals. It writes to standard output, or to another stream. */
export async function makeLogger(
  level: LevelWithSilent,
  pretty: boolean,
  output: Writable | null = null,
): Promise<Logger> {
  return pino(
    {
      level,
      redact: { paths: CREDENTIALS.flatMap(pathsOf), censor: redacted },
      serializers: { req: requestOf, err: stdSerializers.err },
    },
    pretty ? await prettyLines(output) : (output ?? pino.destination({ fd: 1, sync: true })),
  )
}

/** Returns the paths of a name: by itself, and as a header of a request. */
function pathsOf(name: string): string[] {
  const nested = (parent: string): string => `${parent}${name.startsWith('[') ? '' : '.'}${name}`
  return [name, nested('headers'), nested('req.headers'), nested('*')]
}

interface LoggedRequest {
  readonly id?: string
  readonly method?: string
  readonly url?: string
  readonly headers?: IncomingHttpHeaders
  readonly workspace?: { readonly id: string }
}

/** The only part of a request that is logged. */
function requestOf({ id, method, url = '', headers = {}, workspace }: LoggedRequest): object {
  const requestId = sentRequestId(headers)
  const trace = traceIn(headers)
  return {
    id,
    method,
    url: redactedUrl(url),
    ...(workspace && { workspace: workspace.id }),
    ...(requestId !== undefined && { requestId }),
    ...(trace && { traceId: traceIdOf(trace) }),
  }
}

async function prettyLines(destination: Writable | null): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    ...(destination && { destination }),
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  })
}
