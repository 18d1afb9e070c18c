/**
 * The credential and error format of meetings. Specification part 3, "Authentication", "Errors", shows one code with its status; the
 * others follow its pattern.
 */
import { Type } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, type Dialect } from '../../http/definition/dialect.ts'
import { Assumed, assumedValues, named, OneOf } from '../../http/schemas/schemas.ts'
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

const refusals = inCapitals(COMMON_REFUSALS)

const ERROR_CODES = [
  ...new Set([...Object.values(refusals).map(({ code }) => code), ...Object.values(CODES)]),
]

const NOT_SHOWN =
  'The specification shows only the code of an error; success and message are as in successful responses.'

export const meetingsDialect: Dialect = {
  credential: { kind: 'header', header: 'x-api-key' },
  refusals,
  documentedStatuses: [],
  nameOf: (property) => NAMES[property] ?? property,
  body: ({ code, message, details, facts }) => ({
    success: false,
    code: codeOf(facts?.['case']) ?? code,
    message,
    ...(details && { details }),
  }),
  errorSchema: named(
    'Error',
    Type.Object({
      success: Assumed(NOT_SHOWN, Type.Literal(false)),
      code: OneOf(ERROR_CODES, {
        examples: ['VALIDATION_ERROR'],
        ...assumedValues(
          'The specification shows TRANSCRIPT_NOT_READY; the other codes follow its pattern.',
          ...ERROR_CODES.filter((code) => code !== CODES.transcript_not_ready),
        ),
      }),
      message: Assumed(NOT_SHOWN, Type.String({ examples: ['title is required'] })),
      details: Type.Optional(
        Assumed(
          'The specification does not show how an error names fields; the simulator lists the invalid ones.',
          Type.Array(FieldProblemShape),
        ),
      ),
    }),
  ),
}
