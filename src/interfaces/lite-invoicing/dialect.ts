/**
 * The dialect of lite invoicing. Specification part 2, "Authentication", "Errors": it shows the statuses 400, 401 and 404,
 * but no error body. The simulator models the error body on the body of a success.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../../http/definition/dialect.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import type { RefusedCase } from '../../state/lite-invoicing/cases.ts'

/** Error codes that are more specific than the status. */
const CODES: Readonly<Record<RefusedCase, string>> = {
  taxpayer_unknown: 'TAXPAYER_NOT_FOUND',
  invoice_unknown: 'INVOICE_NOT_FOUND',
}

const codeOf = (name: unknown): string | undefined => CODES[name as RefusedCase]

/** State names that have another spelling on the wire. */
const NAMES: Readonly<Record<string, string>> = { 'client.name': 'client.taxName' }

export const liteInvoicingDialect: Dialect = {
  credential: { kind: 'header', header: 'X-INVOICING-TOKEN' },
  refusals: {
    malformed: { ...COMMON_REFUSALS.malformed, code: 'MALFORMED_REQUEST' },
    invalid: { ...COMMON_REFUSALS.invalid, code: 'VALIDATION_ERROR' },
    invalid_query: { ...COMMON_REFUSALS.invalid_query, code: 'VALIDATION_ERROR' },
    invalid_cursor: { ...COMMON_REFUSALS.invalid_cursor, code: 'VALIDATION_ERROR' },
    too_large: { ...COMMON_REFUSALS.too_large, code: 'PAYLOAD_TOO_LARGE' },
    full: { ...COMMON_REFUSALS.full, code: 'WORKSPACE_FULL' },
    unsupported_media_type: { ...COMMON_REFUSALS.unsupported_media_type, code: 'UNSUPPORTED_MEDIA_TYPE' },
    credential_missing: { ...COMMON_REFUSALS.credential_missing, code: 'UNAUTHORIZED' },
    credential_unknown: { ...COMMON_REFUSALS.credential_unknown, code: 'UNAUTHORIZED' },
    credential_expired: { ...COMMON_REFUSALS.credential_expired, code: 'UNAUTHORIZED' },
    forbidden: { ...COMMON_REFUSALS.forbidden, code: 'FORBIDDEN' },
    foreign: { ...COMMON_REFUSALS.foreign, code: 'FORBIDDEN' },
    not_enabled: { ...COMMON_REFUSALS.not_enabled, code: 'NOT_ENABLED' },
    not_found: { ...COMMON_REFUSALS.not_found, code: 'NOT_FOUND' },
    no_such_path: { ...COMMON_REFUSALS.no_such_path, code: 'NOT_FOUND' },
    method_not_allowed: { ...COMMON_REFUSALS.method_not_allowed, code: 'METHOD_NOT_ALLOWED' },
    // "An already cancelled invoice cannot be cancelled again": the specification does not show the status.
    wrong_state: { ...COMMON_REFUSALS.wrong_state, code: 'INVOICE_ALREADY_CANCELED' },
    conflict: { ...COMMON_REFUSALS.conflict, code: 'CONFLICT' },
    no_way: { ...COMMON_REFUSALS.no_way, code: 'VALIDATION_ERROR' },
    rate_limited: { ...COMMON_REFUSALS.rate_limited, code: 'RATE_LIMITED' },
    unavailable: { ...COMMON_REFUSALS.unavailable, code: 'UNAVAILABLE' },
    internal: { ...COMMON_REFUSALS.internal, code: 'INTERNAL_ERROR' },
  },
  documentedStatuses: [400, 401, 404],
  nameOf: (property) => NAMES[property] ?? property,
  body: ({ code, message, details, facts }) => ({
    success: false,
    error: { code: codeOf(facts?.['case']) ?? code, message, ...(details && { details }) },
  }),
  errorSchema: named(
    'Error',
    Assumed(
      'The specification shows the statuses, but no error body.',
      Type.Object({
        success: Type.Literal(false),
        error: Type.Object({
          code: Type.String({ examples: ['VALIDATION_ERROR'] }),
          message: Type.String({ examples: ['id is required'] }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
        }),
      }),
    ),
  ),
}

/** The shape of every success: {success: true, result: {...}}. */
export const Result = <Schema extends TSchema>(result: Schema) =>
  Type.Object({ success: Type.Literal(true), result })

export const resultOf = <View extends object>(result: View) => ({ success: true as const, result })
