/** The dialect of the catalog interface. Specification part 1, "Authentication", "Errors", "Endpoints". */
import { Type, type TSchema } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../../http/definition/dialect.ts'
import { cursorPaging } from '../../http/definition/paging.ts'
import { Assumed, named, Nullable } from '../../http/schemas/schemas.ts'

export const catalogDialect: Dialect = {
  credential: { kind: 'bearer' },
  refusals: {
    ...COMMON_REFUSALS,
    not_enabled: { status: 403, code: 'module_not_active' },
  },
  documentedStatuses: [400, 401, 403, 404],
  paging: cursorPaging({
    items: 'data',
    limit: 'limit',
    cursor: 'cursor',
    next: 'pagination.nextCursor',
    hasMore: 'pagination.hasMore',
  }),
  body: ({ code, message, details }) => ({ error: { code, message, ...(details && { details }) } }),
  errorSchema: named(
    'Error',
    Assumed(
      'The specification gives the statuses and no error body.',
      Type.Object({
        error: Type.Object({
          code: Type.String({ examples: ['validation_error'] }),
          message: Type.String({ examples: ['name is required'] }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
        }),
      }),
    ),
  ),
}

/** {data: ...} */
export const One = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: schema })

/** {data: [...], pagination: {nextCursor, hasMore}} */
export const PageOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({
    data: Type.Array(schema),
    pagination: Type.Object({ nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() }),
  })

/** {success: true} */
export const Success = Type.Object({ success: Type.Literal(true) })

/** Returns the JSON of a record in its envelope. */
export const one = (text: string): string => `{"data":${text}}`
