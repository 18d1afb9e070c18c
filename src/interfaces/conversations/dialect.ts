/**
 * How conversations speak. Specification part 3, "Authentication"; the error body is not shown and is that of products of
 * this kind: a sentence, and for what breaks a rule the names of the fields.
 */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, snakeCase, type Dialect } from '../../http/dialect.ts'
import { Assumed, named } from '../../http/schemas.ts'
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
      'The error body is not shown.',
      Type.Object({
        error: Type.String({ examples: ['Resource could not be found'] }),
        code: Type.String({ examples: ['not_found'] }),
        message: Type.String({ description: 'What exactly is wrong.', examples: ['There is no contact 7.'] }),
        attributes: Type.Optional(Type.Array(Type.String(), { description: 'The fields that do.' })),
      }),
    ),
  ),
}

/** What such products say to everything of the kind. */
const SENTENCES: Readonly<Record<string, string>> = {
  credential_missing: 'Invalid Access Token',
  credential_unknown: 'Invalid Access Token',
  credential_expired: 'Invalid Access Token',
  not_found: 'Resource could not be found',
}
