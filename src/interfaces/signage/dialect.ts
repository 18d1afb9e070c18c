/** The dialect of signage. Specification part 1, "Authentication", "Errors", and the last lines of "Signage". */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, snakeCase, type Dialect } from '../../http/definition/dialect.ts'
import { numberedPaging } from '../../http/definition/paging.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'

/** The users of a record that cannot be deleted. */
const UsedBy = named(
  'UsedBy',
  Type.Object(
    Object.fromEntries(
      ['playlists', 'layouts', 'schedules'].map((kind) => [
        kind,
        Type.Optional(Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))),
      ]),
    ),
    { description: 'With the code in_use: the records that use the record, at most 20 of each kind.' },
  ),
)

export const signageDialect: Dialect = {
  credential: { kind: 'bearer' },
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'validation_error' },
    invalid_query: { status: 422, code: 'validation_error' },
  },
  // The specification shows 409 only for a medium in use.
  documentedStatuses: [400, 401, 403, 404, 422, 429, 500],
  paging: numberedPaging({
    items: 'data',
    limit: 'per_page',
    page: 'page',
    at: 'meta.current_page',
    total: 'meta.total_count',
    pages: 'meta.total_pages',
  }),
  nameOf: snakeCase,
  body({ code, message, details, facts, usedBy }) {
    const existing = facts?.['existing_id']
    const exact = usedBy ? 'in_use' : facts?.['code']
    return {
      error: {
        code: exact ?? code,
        message,
        ...(details && { details }),
        ...(existing !== undefined && { existing_id: existing }),
        ...(usedBy && { used_by: usedBy }),
      },
    }
  },
  errorSchema: named(
    'Error',
    Assumed(
      'The specification shows the statuses, but no error body.',
      Type.Object({
        error: Type.Object({
          code: Type.String({ examples: ['validation_error'] }),
          message: Type.String({ examples: ['name is required'] }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
          existing_id: Type.Optional(
            Type.String({
              description: 'With the code pairing_code_used: the screen that was paired with the code.',
            }),
          ),
          used_by: Type.Optional(UsedBy),
        }),
      }),
    ),
  ),
}
