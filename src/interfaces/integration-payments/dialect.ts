/**
 * The credential, paging and error format of integration payments. Specification part 2, "Integration payments error body",
 * "Errors", "Authentication". Error codes that are not shown follow the pattern of those that are.
 */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, statusOfReading, type Dialect } from '../../http/definition/dialect.ts'
import { offsetPaging } from '../../http/definition/paging.ts'
import { assumedValues, Instant, named, OneOf } from '../../http/schemas/schemas.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { RefusedCase } from '../../state/integration-payments/cases.ts'
import { invalidState, unknownKey } from '../../state/integration-payments/readings.ts'

/** The codes of refusals with a more precise reason than their status. */
const CODES: Readonly<Record<RefusedCase, string>> = {
  link_unknown: 'ERR_PAYMENT_LINK_NOT_FOUND',
  customer_unknown: 'ERR_CUSTOMER_NOT_FOUND',
  product_unknown: 'ERR_PRODUCT_NOT_FOUND',
  product_not_one_time: 'ERR_PRODUCT_NOT_ONE_TIME',
  product_not_active: 'ERR_PRODUCT_NOT_ACTIVE',
}

const refusals: Dialect['refusals'] = {
  malformed: { ...COMMON_REFUSALS.malformed, code: 'ERR_MALFORMED_REQUEST' },
  invalid: { status: 400, code: 'ERR_VALIDATION' },
  invalid_query: { status: 400, code: 'ERR_VALIDATION' },
  invalid_cursor: { status: 400, code: 'ERR_VALIDATION' },
  too_large: { ...COMMON_REFUSALS.too_large, code: 'ERR_PAYLOAD_TOO_LARGE' },
  full: { ...COMMON_REFUSALS.full, code: 'ERR_WORKSPACE_FULL' },
  unsupported_media_type: {
    ...COMMON_REFUSALS.unsupported_media_type,
    code: 'ERR_UNSUPPORTED_MEDIA_TYPE',
  },
  credential_missing: { status: 401, code: 'ERR_API_KEY_MISSING' },
  credential_unknown: statusOfReading(unknownKey, 'ERR_ACCOUNT_API_KEY_ALIAS_NOT_FOUND'),
  credential_expired: { status: 401, code: 'ERR_API_KEY_EXPIRED' },
  forbidden: { ...COMMON_REFUSALS.forbidden, code: 'ERR_FORBIDDEN' },
  foreign: { ...COMMON_REFUSALS.foreign, code: 'ERR_FORBIDDEN' },
  not_enabled: { ...COMMON_REFUSALS.not_enabled, code: 'ERR_NOT_ENABLED' },
  not_found: { ...COMMON_REFUSALS.not_found, code: 'ERR_NOT_FOUND' },
  no_such_path: { ...COMMON_REFUSALS.no_such_path, code: 'ERR_NOT_FOUND' },
  method_not_allowed: { ...COMMON_REFUSALS.method_not_allowed, code: 'ERR_METHOD_NOT_ALLOWED' },
  wrong_state: statusOfReading(invalidState, 'ERR_INVALID_STATE'),
  conflict: { ...COMMON_REFUSALS.conflict, code: 'ERR_CONFLICT' },
  no_way: { ...COMMON_REFUSALS.no_way, code: 'ERR_VALIDATION' },
  rate_limited: { ...COMMON_REFUSALS.rate_limited, code: 'ERR_RATE_LIMITED' },
  unavailable: { ...COMMON_REFUSALS.unavailable, code: 'ERR_UNAVAILABLE' },
  internal: { ...COMMON_REFUSALS.internal, code: 'ERR_INTERNAL' },
}

const DOCUMENTED_CODES = [
  'ERR_PAYMENT_LINK_NOT_FOUND',
  'ERR_INVALID_STATE',
  'ERR_API_KEY_MISSING',
  'ERR_ACCOUNT_API_KEY_ALIAS_NOT_FOUND',
]

const ASSUMED_CODES = [
  ...new Set([...Object.values(CODES), ...Object.values(refusals).map(({ code }) => code)]),
].filter((code) => !DOCUMENTED_CODES.includes(code))

const codeOf = (name: unknown): string | undefined => CODES[name as RefusedCase]

export const integrationPaymentsDialect: Dialect = {
  credential: { kind: 'header', header: 'X-API-Key' },
  refusals,
  documentedStatuses: [401, 404],
  paging: offsetPaging({ items: 'data.*', limit: 'lim', offset: 'off', total: 'data.total' }),
  body: ({ code, message, facts, at }) => ({
    success: false,
    error: { code: codeOf(facts?.['case']) ?? code, message },
    timestamp: iso(at),
  }),
  errorSchema: named(
    'Error',
    Type.Object({
      success: Type.Literal(false),
      error: Type.Object({
        code: OneOf([...DOCUMENTED_CODES, ...ASSUMED_CODES], {
          ...assumedValues(
            'The specification shows four codes. The others follow their pattern: one for each other reason.',
            ...ASSUMED_CODES,
          ),
          examples: ['ERR_VALIDATION'],
        }),
        message: Type.String({ examples: ['concept is required'] }),
      }),
      timestamp: Instant(),
    }),
  ),
}
