/**
 * The credential and error format of payments. Specification part 2, "Authentication", "Errors", shows the body, the
 * statuses and the code invalid_amount; the other codes are assumed.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import { COMMON_REFUSALS, snakeCase, type Dialect, type RefusalFacts } from '../../http/definition/dialect.ts'
import type { PageFacts } from '../../http/lists/pages.ts'
import { numberedPaging } from '../../http/definition/paging.ts'
import { assumedValues, named, OneOf } from '../../http/schemas/schemas.ts'

/** The closed list of error codes, by status. */
export const ERROR_CODES = [
  'invalid_parameters',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'link_not_active',
  'transaction_not_refundable',
  'duplicate_refund',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_amount',
  'invalid_currency',
  'invalid_payment_method',
  'invalid_expiry',
  'refund_exceeds_amount',
  'invalid_data',
  'rate_limit_exceeded',
  'internal_error',
  'workspace_full',
  'unavailable',
] as const

type ErrorCode = (typeof ERROR_CODES)[number]

/** Body fields with their own error code. All others are invalid_data. */
const CODE_OF_FIELD: ReadonlyMap<string, ErrorCode> = new Map([
  ['amount', 'invalid_amount'],
  ['open_amount', 'invalid_amount'],
  ['currency', 'invalid_currency'],
  ['payment_methods', 'invalid_payment_method'],
  ['expires_at', 'invalid_expiry'],
])

/** Returns the code of the first invalid field. */
function codeOfField({ details }: RefusalFacts): ErrorCode {
  const [first] = details ?? []
  if (first?.code === 'exceeds_remaining') return 'refund_exceeds_amount'
  return CODE_OF_FIELD.get(first?.field.split('.')[0] ?? '') ?? 'invalid_data'
}

/** Returns the code for a move that the state of the record does not allow. */
function codeOfState({ facts }: RefusalFacts): ErrorCode {
  if (facts?.['move'] === 'disable') return 'link_not_active'
  return facts?.['state'] === 'refunded' ? 'duplicate_refund' : 'transaction_not_refundable'
}

const codeOf = (refusal: RefusalFacts): string =>
  refusal.reason === 'invalid'
    ? codeOfField(refusal)
    : refusal.reason === 'wrong_state' && refusal.facts
      ? codeOfState(refusal)
      : refusal.code

export const paymentsDialect: Dialect = {
  credential: { kind: 'bearer' },
  refusals: {
    ...COMMON_REFUSALS,
    malformed: { status: 400, code: 'invalid_parameters' },
    invalid_query: { status: 400, code: 'invalid_parameters' },
    invalid_cursor: { status: 400, code: 'invalid_parameters' },
    invalid: { status: 422, code: 'invalid_data' },
    not_enabled: { status: 403, code: 'forbidden' },
    wrong_state: { status: 409, code: 'conflict' },
    no_way: { status: 422, code: 'invalid_data' },
  },
  documentedStatuses: [400, 401, 403, 404, 409, 422, 429, 500],
  misshapenBody: 'malformed',
  paging: numberedPaging({
    items: 'data',
    limit: 'per_page',
    page: 'page',
    at: 'meta.page',
    total: 'meta.total',
  }),
  nameOf: snakeCase,
  body: (refusal) => ({ error: codeOf(refusal), message: refusal.message, status: refusal.status }),
  errorSchema: named(
    'Error',
    Type.Object({
      error: OneOf(ERROR_CODES, {
        examples: ['invalid_amount'],
        ...assumedValues(
          'The specification shows invalid_amount; the other codes follow the descriptions of their statuses.',
          ...ERROR_CODES.filter((code) => code !== 'invalid_amount'),
        ),
      }),
      message: Type.String({ examples: ['amount must be a positive integer in cents'] }),
      status: Type.Integer({ minimum: 400, maximum: 599, examples: [422] }),
    }),
  ),
}

/** {data: ...} */
export const One = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: schema })

/** {data: [...], meta: {total, page, per_page}} */
export const PageOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ data: Type.Array(schema), meta: PageMeta })

const PageMeta = named(
  'PageMeta',
  Type.Object({
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    per_page: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
)

/** Serializes the position of a page in its list. */
export const pageMeta = ({ page, perPage, total }: PageFacts) => ({ total, page, per_page: perPage })

/** Wraps the JSON text of a record in `{data: ...}`. */
export const one = (text: string): string => `{"data":${text}}`
