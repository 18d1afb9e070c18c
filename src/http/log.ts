/**
 * What the server writes while it runs: JSON lines, or coloured ones for a person at a terminal. Credentials are
 * never among them, in headers, fields or addresses.
 */
import { pino, stdSerializers, type DestinationStream, type LevelWithSilent, type Logger } from 'pino'

const CREDENTIALS = [
  'authorization',
  '["x-api-key"]',
  'api_access_token',
  '["x-invoicing-token"]',
  'adminToken',
  'key',
  'secret',
]

const redacted = '[redacted]'

/** `pretty` is for terminals. */
export async function makeLogger(level: LevelWithSilent, pretty: boolean): Promise<Logger> {
  return pino(
    {
      level,
      redact: { paths: CREDENTIALS.flatMap(placesOf), censor: redacted },
      serializers: { req: requestOf, err: stdSerializers.err },
    },
    pretty ? await prettyLines() : pino.destination({ fd: 1, sync: true }),
  )
}

/** On its own, and as a header of a request. */
function placesOf(name: string): string[] {
  const nested = (parent: string): string => `${parent}${name.startsWith('[') ? '' : '.'}${name}`
  return [name, nested('headers'), nested('req.headers'), nested('*')]
}

/** The only part of a request that is logged. */
const requestOf = (request: { id?: string; method?: string; url?: string }): object => ({
  id: request.id,
  method: request.method,
  url: withoutCredentials(request.url ?? ''),
})

/** Keys stand in paths of the control plane, and people put them into queries. */
export const withoutCredentials = (url: string): string =>
  url
    .replace(/^(\/_sim\/keys\/)[^/?]+/, `$1${redacted}`)
    .replace(
      /([?&](?:key|token|secret|api_?key|api_access_token|access_token|admin_?token)=)[^&]*/gi,
      `$1${redacted}`,
    )

async function prettyLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })
}
