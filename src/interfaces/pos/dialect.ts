/** The dialect of the point of sale. Specification part 2, "Point-of-sale webhook errors", "Authentication". */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, type Dialect } from '../../http/definition/dialect.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'

const FieldProblem = Type.Object({
  field: Type.String({ examples: ['events.0'] }),
  code: Type.String({ examples: ['not_allowed'] }),
  message: Type.String(),
})

export const posDialect: Dialect = {
  credential: { kind: 'bearer' },
  // The common list has the three codes of the specification: validation_error, unauthorized, not_found.
  refusals: COMMON_REFUSALS,
  documentedStatuses: [400, 401, 404],
  body: ({ code, message, details }) => ({ error: code, message, ...(details && { details }) }),
  errorSchema: named(
    'Error',
    Assumed(
      'The specification shows "(error code, status)", but no body. The simulator uses a flat body like that of payments v1.',
      Type.Object({
        error: Type.String({ examples: ['validation_error'] }),
        message: Type.String({ examples: ['events.0 must be a point-of-sale event'] }),
        details: Type.Optional(Type.Array(FieldProblem)),
      }),
    ),
  ),
}
