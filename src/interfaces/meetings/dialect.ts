/** The credential and error format of meetings. Specification part 3, "Authentication", "Errors", shows one code; the others follow its pattern. */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../../http/definition/dialect.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import type { RefusedCase } from '../../state/meetings/cases.ts'

const CODES: Readonly<Record<RefusedCase, string>> = {
  meeting_unknown: 'MEETING_NOT_FOUND',
  session_unknown: 'SESSION_NOT_FOUND',
  meeting_inactive: 'MEETING_INACTIVE',
  transcript_not_ready: 'TRANSCRIPT_NOT_READY',
}

const codeOf = (name: unknown): string | undefined => CODES[name as RefusedCase]

const NAMES: Readonly<Record<string, string>> = { startsAt: 'datetime', presetName: 'preset_name' }

const inCapitals = <Refusals extends Dialect['refusals']>(refusals: Refusals): Dialect['refusals'] =>
  Object.fromEntries(
    Object.entries(refusals).map(([reason, { status, code }]) => [
      reason,
      { status, code: code.toUpperCase() },
    ]),
  ) as Dialect['refusals']

export const meetingsDialect: Dialect = {
  credential: { kind: 'header', header: 'x-api-key' },
  refusals: inCapitals(COMMON_REFUSALS),
  nameOf: (property) => NAMES[property] ?? property,
  body: ({ code, message, details, facts }) => ({
    success: false,
    code: codeOf(facts?.['case']) ?? code,
    message,
    ...(details && { details }),
  }),
  errorSchema: named(
    'Error',
    Assumed(
      'The specification shows the code TRANSCRIPT_NOT_READY, and success in the bodies of successful responses; the rest of the error body follows that pattern.',
      Type.Object({
        success: Type.Literal(false),
        code: Type.String({ examples: ['VALIDATION_ERROR'] }),
        message: Type.String({ examples: ['title is required'] }),
        details: Type.Optional(Type.Array(FieldProblemShape)),
      }),
    ),
  ),
}
