/** The wire conventions of the control plane: errors, credentials, lists. OPERATING.md, "Control plane". */
import { Type, type TSchema } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../../http/definition/dialect.ts'
import { operation, type Operation } from '../../http/definition/operation.ts'
import { named } from '../../http/schemas/schemas.ts'
import { documented } from '../../state/model/fidelity.ts'

export const controlDialect: Dialect = {
  // Calls need no workspace key; `guard.ts` decides who may call.
  credential: { kind: 'open' },
  refusals: COMMON_REFUSALS,
  absent: [
    {
      path: '/workspaces/{id}/webhooks',
      instead:
        'webhooks are subscriptions (GET /_sim/workspaces/{id}/subscriptions) and their deliveries (GET /_sim/workspaces/{id}/deliveries)',
    },
  ],
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

/** Returns the `config` of a control-plane route. Adds the errors of the guard unless the operation is open. */
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

/** Returns the schema of a list: `{data: [...]}`. */
/** A list of a call with `wait`. */
export const WaitedListOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({
    data: Type.Array(schema),
    explanation: Type.Optional(
      Type.String({
        description:
          'Only if wait has ended with fewer entries than count: what is pending, which attempt failed, or who is not subscribed. Texts can change.',
      }),
    ),
  })

export const ListOf = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: Type.Array(schema) })
