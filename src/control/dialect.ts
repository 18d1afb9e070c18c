/** How the control plane speaks. OPERATING.md, "Control plane". */
import { Type, type TSchema } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../http/dialect.ts'
import { operation, type Operation } from '../http/operation.ts'
import { named } from '../http/schemas.ts'
import { documented } from '../state/fidelity.ts'

export const controlDialect: Dialect = {
  // Nobody needs a key here; who is let in is the guard's to say.
  credential: { kind: 'open' },
  refusals: COMMON_REFUSALS,
  body: ({ code, message, details }) => ({ error: { code, message, ...(details && { details }) } }),
  errorSchema: named(
    'ControlError',
    Type.Object({
      error: Type.Object({
        code: Type.String({ examples: ['validation_error'] }),
        message: Type.String({ examples: ['duration is required'] }),
        details: Type.Optional(Type.Array(FieldProblemShape)),
      }),
    }),
  ),
}

/** The `config` of a route of the control plane; all of them are part of the operating contract. */
export const controlOperation = (tag: string, described: Omit<Operation, 'tag' | 'fidelity'>) =>
  operation({
    ...described,
    tag,
    fidelity: documented,
    refuses: [
      ...(described.refuses ?? []),
      ...(described.open
        ? []
        : (['credential_missing', 'credential_unknown', 'forbidden', 'rate_limited'] as const)),
    ],
  })

/** Every list of the control plane: {data: [...]}. */
export const ListOf = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: Type.Array(schema) })
