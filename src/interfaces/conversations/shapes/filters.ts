/** Conditions of the two filters. Specification part 3: {attribute_key, filter_operator, values[]}. */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedValues, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { OPERATORS } from '../filters.ts'

const Condition = named(
  'FilterCondition',
  Type.Object({
    attribute_key: Type.String({ minLength: 1, maxLength: 100, examples: ['status'] }),
    filter_operator: OneOf(
      OPERATORS,
      assumedValues(
        'The specification shows equal_to; the others follow similar products.',
        ...OPERATORS.filter((operator) => operator !== 'equal_to'),
      ),
    ),
    values: Type.Optional(
      Type.Array(
        Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], maxLength: 1000 }),
        {
          maxItems: 100,
          description: 'Matches any of the values. Not needed for is_present and is_not_present.',
          examples: [['open']],
        },
      ),
    ),
    query_operator: Type.Optional(
      Assumed(
        'The specification does not show how conditions are joined; the operator joins a condition to the next one, AND before OR.',
        Nullable(OneOf(['AND', 'OR', 'and', 'or'])),
      ),
    ),
  }),
)

export const Conditions = (example: object) =>
  Type.Array(Condition, { minItems: 1, maxItems: 50, examples: [[example]] })
