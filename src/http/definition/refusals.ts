/** Converts every error of a request to a refusal, before an interface formats it. */
import type { FastifyError, FastifyRequest } from 'fastify'
import type { ErrorObject } from 'ajv'
import { codeOf } from '../../state/storage/database/databaseFileError.ts'
import { Refusal, type Reason } from '../../state/model/refusal.ts'
import { LONGEST_PARAMETER } from '../schemas/limits.ts'
import { fieldProblems } from '../schemas/validation.ts'

const FRAMEWORK_REASONS: Readonly<Record<string, Reason>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
}

/** The framework's own words repeat the whole path. */
const UNREADABLE_PATHS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The address is not percent-encoded UTF-8.',
  FST_ERR_MAX_PARAM_LENGTH: `A segment of the path must have at most ${String(LONGEST_PARAMETER)} characters.`,
}

/** The part of a request that a refusal's message needs. */
type RefusedRequest = Pick<FastifyRequest, 'headers'> &
  Partial<Pick<FastifyRequest, 'routeOptions' | 'body' | 'sentText'>>

/**
 * Converts an error to a refusal. An unexpected error becomes `internal`, and its cause goes to the log only.
 * `misshapenBody` is the reason if a body is missing or no object.
 */
export function asRefusal(error: Error, request: RefusedRequest, misshapenBody: Reason = 'invalid'): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode = 500, validation, validationContext } = error as Partial<FastifyError>
  if (validation) {
    const details = fieldProblems(validation as ErrorObject[], validationContext).map((each) =>
      each.field === '' && isEmptyBody(request) ? { ...each, message: `${each.message}; it is empty` } : each,
    )
    // Several rules of one field may have the same message.
    const message = [...new Set(details.map((detail) => detail.message))].join('; ')
    if (validationContext === 'querystring') {
      return new Refusal('invalid_query', `Query: ${message}`, { details })
    }
    const isMisshapen = details.some(({ field, code }) => field === '' && code === 'invalid_type')
    return new Refusal(isMisshapen ? misshapenBody : 'invalid', message, { details })
  }
  const reason = FRAMEWORK_REASONS[code ?? '']
  if (reason === 'unsupported_media_type') {
    return new Refusal(reason, unsupportedTypeText(request))
  }
  const words = UNREADABLE_PATHS[code ?? '']
  if (words !== undefined) return new Refusal('malformed', words)
  if (reason) return new Refusal(reason, 'The body is larger than this operation accepts.')
  if (statusCode >= 400 && statusCode < 500) return new Refusal('malformed', error.message)
  const refusal = refusalOf(codeOf(error))
  refusal.cause = error
  return refusal
}

const isEmptyBody = ({ body, sentText = '' }: RefusedRequest): boolean =>
  (body === undefined || body === null) && sentText === ''

/** Names the content type of a body, or says that it has none. */
function unsupportedTypeText(request: RefusedRequest): string {
  const type = request.headers['content-type']?.trim() ?? ''
  const what = type === '' ? 'The body has no content type' : `The content type ${type} is not supported here`
  return `${what}; send ${bodyTypeOf(request)}.`
}

/** True if the server failed. A full workspace is no failure, although its status is 507. */
export const isFailure = ({ reason }: Refusal, status: number): boolean => status >= 500 && reason !== 'full'

/** True if the framework refused the body of a call to an unknown path. */
export const isUnreadBody = (error: Error, { is404 }: Pick<FastifyRequest, 'is404'>): boolean =>
  is404 && String((error as { code?: unknown }).code).startsWith('FST_ERR_')

/** Returns the content type that an operation accepts: JSON, unless the schema of its body has another. */
function bodyTypeOf({ routeOptions }: RefusedRequest): string {
  const body = routeOptions?.schema?.body as { contentMediaType?: string } | undefined
  return body?.contentMediaType ?? 'application/json'
}

/** Returns the refusal for an error of SQLite or of the system, which is no fault of this program. */
function refusalOf(code: string): Refusal {
  if (/^(SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|EDQUOT|EROFS)/.test(code)) {
    return new Refusal('unavailable', 'The change could not be saved; nothing was changed.')
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new Refusal('unavailable', 'The database file is damaged; nothing was changed.')
  }
  return new Refusal('internal', 'The simulator failed; see its log.')
}

/**
 * Returns the refusal of a URL that is not percent-encoded UTF-8, or that has a NUL byte, which would end a
 * text in SQLite.
 */
export function unreadable({ url }: FastifyRequest): Refusal | undefined {
  if (!url.includes('%') && !url.includes('\0')) return undefined
  try {
    if (!decodeURIComponent(url).includes('\0')) return undefined
  } catch {
    return new Refusal('malformed', 'The address is not percent-encoded UTF-8.')
  }
  return new Refusal('malformed', 'The address contains a NUL byte.')
}
