/** The dialect of tax invoicing. Specification part 2, "Authentication", "Errors": it shows the statuses, not the body. */
import { Type } from '@sinclair/typebox'
import {
  COMMON_REFUSALS,
  FieldProblemShape,
  snakeCase,
  type Dialect,
  type RefusalFacts,
} from '../../http/definition/dialect.ts'
import { numberedPaging } from '../../http/definition/paging.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'

/** Codes of the authority's validation matrix: CFDI for invoices, CRP for payment receipts. */
const AUTHORITY_CODE = /^(CFDI|CRP)\d+$/

/** Returns the authority's code of the first invalid field if it has one, else the common code. */
function codeOf({ code, details }: RefusalFacts): string {
  const [first] = details ?? []
  return first && AUTHORITY_CODE.test(first.code) ? first.code : code
}

export const taxInvoicingDialect: Dialect = {
  credential: { kind: 'bearer' },
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'validation_error' },
  },
  documentedStatuses: [400, 401, 403, 404, 409, 422, 429, 500],
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
      'The specification shows the statuses, but no error body.',
      Type.Object({
        error: Type.Object({
          code: Type.String({
            description:
              "The authority's validation code of the first invalid field, such as CFDI40161. If the authority has no code for it, the code of the simulator.",
            examples: ['validation_error'],
          }),
          message: Type.String({
            examples: ['receptor.uso_cfdi must be a use for the regime 605; G03 is not'],
          }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
          existing_id: Type.Optional(
            Type.String({ description: 'The id of the client that already has this tax id.' }),
          ),
        }),
      }),
    ),
  ),
}
