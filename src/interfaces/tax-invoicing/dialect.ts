/** How tax invoicing speaks. Specification part 2, "Authentication", "Errors": the statuses are shown, the body is not. */
import { Type } from '@sinclair/typebox'
import {
  COMMON_REFUSALS,
  FieldProblemShape,
  snakeCase,
  type Dialect,
  type Spoken,
} from '../../http/dialect.ts'
import { numberedPaging } from '../../http/paging.ts'
import { Assumed, named } from '../../http/schemas.ts'

/** Codes of the authority's matrix of validations: of invoices, and of payment receipts. */
const OF_THE_AUTHORITY = /^(CFDI|CRP)\d+$/

/** The authority's code for what is wrong first, where it has one. */
function codeOf({ code, details }: Spoken): string {
  const [first] = details ?? []
  return first && OF_THE_AUTHORITY.test(first.code) ? first.code : code
}

export const taxInvoicingDialect: Dialect = {
  credential: { kind: 'bearer' },
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'validation_error' },
  },
  misshapenBody: 'malformed',
  paging: numberedPaging({
    items: 'data',
    limit: 'per_page',
    page: 'page',
    at: 'meta.current_page',
    total: 'meta.total_count',
    pages: 'meta.total_pages',
    sort: 'sort_by',
    order: 'sort_order',
  }),
  nameOf: snakeCase,
  body(refusal) {
    const existing = refusal.facts?.['existing_id']
    return {
      error: {
        code: codeOf(refusal),
        message: refusal.message,
        ...(refusal.details && { details: refusal.details }),
        ...(existing !== undefined && { existing_id: existing }),
      },
    }
  },
  errorSchema: named(
    'Error',
    Assumed(
      'The specification gives the statuses and no error body.',
      Type.Object({
        error: Type.Object({
          code: Type.String({
            description:
              "The authority's code of its validations, such as CFDI40161, where it has one for what is wrong first.",
            examples: ['validation_error'],
          }),
          message: Type.String({ examples: ['receptor.uso_cfdi is not for the regime of the recipient'] }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
          existing_id: Type.Optional(
            Type.String({ description: 'Of a client with the same tax id that is there already.' }),
          ),
        }),
      }),
    ),
  ),
}
