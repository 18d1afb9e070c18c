/**
 * The credential and error format of conversations. Specification part 3, "Authentication". The error body is not shown; it
 * follows similar products: a sentence, and the names of invalid fields.
 */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, snakeCase, type Dialect } from '../../http/definition/dialect.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { absentCalls } from './absent.ts'

export const conversationsDialect: Dialect = {
  credential: { kind: 'header', header: 'api_access_token' },
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'invalid' },
    invalid_query: { status: 422, code: 'invalid' },
    wrong_state: { status: 422, code: 'invalid_state' },
    conflict: { status: 422, code: 'conflict' },
    forbidden: { status: 401, code: 'unauthorized' },
  },
  documentedStatuses: [],
  nameOf: snakeCase,
  absent: absentCalls,
  body: ({ reason, code, message, details }) => ({
    error: SENTENCES[reason] ?? message,
    code,
    message,
    ...(details && { attributes: [...new Set(details.map(({ field }) => field))] }),
  }),
  errorSchema: named(
    'Error',
    Assumed(
      'The specification does not show the error body.',
      Type.Object({
        error: Type.String({ examples: ['Resource could not be found'] }),
        code: Type.String({ examples: ['not_found'] }),
        message: Type.String({ description: 'Details of the error.', examples: ['There is no contact 7.'] }),
        attributes: Type.Optional(Type.Array(Type.String(), { description: 'The invalid fields.' })),
      }),
    ),
  ),
}

/** The sentence that similar products use for all errors of a kind. */
const SENTENCES: Readonly<Record<string, string>> = {
  credential_missing: 'Invalid Access Token',
  credential_unknown: 'Invalid Access Token',
  credential_expired: 'Invalid Access Token',
  not_found: 'Resource could not be found',
}
