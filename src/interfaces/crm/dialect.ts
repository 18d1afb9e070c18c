/** The dialect of the CRM. Specification part 1, "Authentication", "Errors", and the last lines of "CRM". */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, snakeCase, type Dialect } from '../../http/definition/dialect.ts'
import { numberedPaging } from '../../http/definition/paging.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'

export const crmDialect: Dialect = {
  credential: { kind: 'bearer' },
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'validation_error' },
    invalid_query: { status: 422, code: 'validation_error' },
  },
  documentedStatuses: [400, 401, 403, 404, 409, 422, 429, 500],
  paging: numberedPaging({
    items: 'data',
    limit: 'per_page',
    page: 'page',
    at: 'meta.current_page',
    total: 'meta.total_count',
    pages: 'meta.total_pages',
    sort: 'sort_by',
    order: 'sort_dir',
  }),
  nameOf: snakeCase,
  body({ code, message, details, facts }) {
    const existing = facts?.['existing_id']
    return {
      error: {
        code: existing === undefined ? code : 'duplicate',
        message,
        ...(details && { details }),
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
          code: Type.String({ examples: ['validation_error'] }),
          message: Type.String({ examples: ['name is required'] }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
          existing_id: Type.Optional(
            Type.String({ description: 'With the code duplicate: the id of the existing record.' }),
          ),
        }),
      }),
    ),
  ),
}
