/** Wire shapes of responses and submissions. Specification part 1, "Form and response (forms)", "Forms". */
import { Type, type Static } from '@sinclair/typebox'
import { fileLink } from '../../../http/files/fileLinks.ts'
import { Assumed, assumedValues, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import { FIELD_TYPES, MAX_FIELDS_OF_FORM } from '../../../state/forms/fields.ts'
import { MODES, responses, type AnswerValue } from '../../../state/forms/tables.ts'
import { storedFiles } from '../../../state/shared/storedFiles.ts'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import { DEMO_FORM, DEMO_RESPONSE, Id, Mode } from './forms.ts'

export const Response = shape({ item: 'FormResponse' }, responses, {
  fields: () => ({
    id: { schema: Id(DEMO_RESPONSE) },
    formId: { schema: Id(DEMO_FORM) },
    status: { words: { description: 'Only complete responses are stored (assumed).' } },
    mode: {
      words: assumedValues(
        'The specification shows no values. The simulator has the modes of forms.',
        ...MODES,
      ),
    },
    respondentEmail: { schema: Type.String() },
    startedAt: {},
    completedAt: {},
    totalTimeSeconds: { schema: Type.Integer({ minimum: 0 }) },
    completionPercentage: {
      bounded: true,
      words: { description: 'The percentage of visible fields that were answered (assumed).' },
    },
  }),
})

const Answer = named(
  'FormAnswer',
  Assumed(
    'The specification shows the value, the time per field and the revision count, but not their names.',
    Type.Object({
      fieldId: Type.String(),
      label: Type.String(),
      type: OneOf(FIELD_TYPES),
      value: Type.Union(
        [
          Type.String(),
          Type.Number(),
          Type.Boolean(),
          Type.Array(Type.String()),
          Type.Object({
            name: Type.String(),
            contentType: Type.String(),
            size: Type.Integer({ minimum: 0 }),
            url: Nullable(Type.String({ description: 'The URL of the file. It expires.' })),
          }),
          Type.Null(),
        ],
        { description: 'null without an answer.' },
      ),
      timeSeconds: Type.Number({ minimum: 0 }),
      revisions: Type.Integer({ minimum: 0, description: 'Changes after the first answer.' }),
    }),
  ),
)

function valueView(value: AnswerValue, workspace: Workspace): Static<typeof Answer>['value'] {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return [...value]
  const { fileId, name, contentType, size } = value
  const file = storedFiles.find(workspace, fileId)
  return { name, contentType, size, url: file ? fileLink(workspace, file).url : null }
}

const isList = (value: object): value is readonly string[] => Array.isArray(value)

export const ResponseDetail = shape({ item: 'FormResponseDetail' }, responses, {
  fields: () => ({
    ...Response.fields(),
    answers: made(Type.Array(Answer), [responses.answers], ([answers], workspace) =>
      answers.map((answer) => ({ ...answer, value: valueView(answer.value, workspace) })),
    ),
  }),
})

export const ResponseId = Type.Object({ formId: Id(DEMO_FORM), responseId: Id(DEMO_RESPONSE) })

const SentValue = () =>
  Type.Union(
    [
      Type.String({ maxLength: 10_000 }),
      Type.Number(),
      Type.Boolean(),
      Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 }),
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 255 }),
        content: Type.String({
          maxLength: 700_000,
          pattern: '^[A-Za-z0-9+/]*={0,2}$',
          'x-wording': 'must be base64',
          description: 'The file in base64.',
        }),
      }),
      Type.Null(),
    ],
    {
      description:
        'A string; a number for number and rating; a list for multi_select; true or false for boolean; {name, content} for file.',
    },
  )

const Seconds = () => Type.Number({ minimum: 0, maximum: 1e9 })
const Count = () => Type.Integer({ minimum: 0, maximum: 1e9 })

const ListedAnswer = Type.Object({
  fieldId: Type.String({ maxLength: 64 }),
  value: Type.Optional(SentValue()),
  timeSeconds: Type.Optional(Seconds()),
  revisions: Type.Optional(Count()),
})

export const Submit = named(
  'FormSubmit',
  Assumed(
    'The specification shows no request body.',
    Type.Object({
      answers: Type.Union(
        [
          Type.Record(Type.String(), SentValue(), {
            maxProperties: MAX_FIELDS_OF_FORM,
            'x-max-size': 1_048_576,
          }),
          Type.Array(ListedAnswer, { maxItems: MAX_FIELDS_OF_FORM }),
        ],
        {
          description: 'Values by the ids of the fields, or a list with times and revisions.',
          examples: [{ rating: 5, comment: 'The desk came a day early.' }],
        },
      ),
      mode: Type.Optional(Mode({ description: 'Defaults to the mode of the form.' })),
      respondentEmail: Type.Optional(
        Nullable(
          Type.String({
            format: 'email',
            description: 'Defaults to the first answer to an e-mail field.',
            examples: ['rosa.medina@example.com'],
          }),
        ),
      ),
      startedAt: Type.Optional(
        Nullable(
          Type.String({
            format: 'instant',
            maxLength: 40,
            pattern: '^[\\d-]+[Tt][\\d:.,]+(?:[Zz]|[+-]\\d{2}:?\\d{2})$',
            'x-wording': 'must be a date-time with its offset, such as 2026-01-31T09:30:00Z',
            description:
              'A date-time with its offset. Defaults to the current time, which also replaces a time in the future.',
            examples: ['2026-11-20T15:04:00Z'],
          }),
        ),
      ),
    }),
  ),
)

export const Submitted = Assumed(
  'The specification shows no response.',
  Type.Object({ success: Type.Literal(true), responseId: Id(DEMO_RESPONSE) }),
)

export const SubmitQuery = Type.Object({
  workspace: Type.Optional(
    Assumed(
      'The specification shows no parameters. The simulator has one, because copies of a workspace have forms with the same id.',
      Type.String({
        maxLength: 100,
        description:
          'The id of the workspace that has the form. Required without a key if several workspaces have a form with this id. With a key, it must be the workspace of the key.',
      }),
    ),
  ),
})
