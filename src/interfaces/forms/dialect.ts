/** The dialect of forms. Specification part 1, "Forms", "Authentication", "Errors". */
import { Type, type TSchema } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../../http/definition/dialect.ts'
import { offsetPaging } from '../../http/definition/paging.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'

export const formsDialect: Dialect = {
  credential: { kind: 'header', header: 'X-API-Key' },
  documentedStatuses: [400, 401, 403, 404, 422, 429, 500],
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'validation_error' },
    invalid_query: { status: 422, code: 'validation_error' },
    not_enabled: { status: 403, code: 'plan_upgrade_required' },
  },
  paging: offsetPaging({ items: 'data', limit: 'limit', offset: 'offset' }),
  body: ({ code, message, details }) => ({ error: { code, message, ...(details && { details }) } }),
  errorSchema: named(
    'Error',
    Assumed(
      'The specification gives the statuses and no error body.',
      Type.Object({
        error: Type.Object({
          code: Type.String({ examples: ['validation_error'] }),
          message: Type.String({ examples: ['title is required'] }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
        }),
      }),
    ),
  ),
}

/** "List responses are {data: [...]}." */
export const ListOf = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: Type.Array(schema) })

/** {data: {...}} */
export const One = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: schema })
