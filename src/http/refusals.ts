/** Whatever goes wrong with a request, as a refusal, before any interface puts it into its own words. */
import type { FastifyError, FastifyRequest } from 'fastify'
import type { ErrorObject } from 'ajv'
import { codeOf } from '../state/databaseProblem.ts'
import { Refusal, type Reason } from '../state/refusal.ts'
import { fieldProblems } from './validation.ts'

const FRAMEWORK_REASONS: Readonly<Record<string, Reason>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
}

/** As much of a request as the words of a refusal need. */
type AskedOf = Pick<FastifyRequest, 'headers'> & Partial<Pick<FastifyRequest, 'routeOptions'>>

/**
 * Whatever was thrown, as a refusal. What nobody foresaw is internal, and its cause stays in the log. `misshapenBody`
 * is the reason where a body is missing or no object.
 */
export function asRefusal(error: Error, request: AskedOf, misshapenBody: Reason = 'invalid'): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode = 500, validation, validationContext } = error as Partial<FastifyError>
  if (validation) {
    const details = fieldProblems(validation as ErrorObject[], validationContext)
    // Several rules of one field may be worded alike.
    const message = [...new Set(details.map((detail) => detail.message))].join('; ')
    if (validationContext === 'querystring') {
      return new Refusal('invalid_query', `Query: ${message}`, { details })
    }
    const isMisshapen = details.some(({ field, code }) => field === '' && code === 'invalid_type')
    return new Refusal(isMisshapen ? misshapenBody : 'invalid', message, { details })
  }
  const reason = FRAMEWORK_REASONS[code ?? '']
  if (reason === 'unsupported_media_type') {
    return new Refusal(
      reason,
      `The content type ${request.headers['content-type'] ?? ''} is not read here; send ${bodyTypeOf(request)}.`,
    )
  }
  if (reason) return new Refusal(reason, 'The body is larger than this operation takes.')
  if (statusCode >= 400 && statusCode < 500) return new Refusal('malformed', error.message)
  const refusal = refusalOf(codeOf(error))
  refusal.cause = error
  return refusal
}

/** What an operation reads: JSON, unless the schema of its body says otherwise. */
function bodyTypeOf({ routeOptions }: AskedOf): string {
  const body = routeOptions?.schema?.body as { contentMediaType?: string } | undefined
  return body?.contentMediaType ?? 'application/json'
}

/** What SQLite or the system says of a file that can't be written or read is no fault of the program. */
function refusalOf(code: string): Refusal {
  if (/^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|EDQUOT|EROFS)/.test(code)) {
    return new Refusal('unavailable', 'The change could not be kept; nothing was changed.')
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new Refusal('unavailable', 'The database file is damaged; nothing was changed.')
  }
  return new Refusal('internal', 'The simulator failed; its log says why.')
}

/** An address that is not the encoding of any text, or that holds a NUL byte, at which SQLite ends a text. */
export function unreadable({ url, headers, raw }: FastifyRequest): Refusal | undefined {
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new Refusal('malformed', 'The request has no Host header.')
  }
  if (!url.includes('%') && !url.includes('\0')) return undefined
  try {
    if (!decodeURIComponent(url).includes('\0')) return undefined
  } catch {
    return new Refusal('malformed', 'The address is not percent-encoded UTF-8.')
  }
  return new Refusal('malformed', 'The address holds a NUL byte.')
}
