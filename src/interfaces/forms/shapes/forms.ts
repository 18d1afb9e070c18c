/** Wire shapes of forms. Specification part 1, "Form and response (forms)". */
import { Type, type StringOptions } from '@sinclair/typebox'
import {
  Assumed,
  assumedDefault,
  assumedValues,
  CalendarDate,
  documentedLimits,
  Int,
  named,
  Nullable,
  OneOf,
} from '../../../http/schemas/schemas.ts'
import { Text } from '../../../http/schemas/wireShapes.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import { FIELD_TYPES, MAX_FIELDS_OF_FORM, MAX_OPTIONS, OPERATORS } from '../../../state/forms/fields.ts'
import { forms, MODES } from '../../../state/forms/tables.ts'
import { submitUrl, wireSlug } from '../addresses.ts'

/** Ids of the demo workspace, so that examples can be sent unchanged. */
export const DEMO_FORM = '5b0f3c1e-7a44-4d0e-9c55-000000000001'
export const DEMO_RESPONSE = '8d2a6f90-3c1b-4e7d-8a10-000000000001'

export const Id = (example: string) =>
  Type.String({ maxLength: 100, description: 'A UUID.', examples: [example] })

const FieldId = (example = 'rating') =>
  Type.String({
    pattern: '^[A-Za-z][\\w-]{0,63}$',
    'x-wording': 'must be a letter and up to 63 letters, digits, _ and -',
    examples: [example],
  })

export const Mode = (options: StringOptions = {}) =>
  OneOf(MODES, {
    ...assumedValues('The specification shows conversational; classic is its counterpart.', 'classic'),
    ...options,
  })

const bound = () => Nullable(Type.Number({ minimum: -1e12, maximum: 1e12 }))
const length = (minimum: number) => Nullable(Type.Integer({ minimum, maximum: 10_000 }))

const validations = {
  min: bound(),
  max: bound(),
  minDate: Nullable(CalendarDate()),
  maxDate: Nullable(CalendarDate()),
  minLength: length(0),
  maxLength: length(1),
  pattern: Nullable(
    Text(200, '[A-Z]{2}-\\d+', { description: 'A regular expression in RE2 syntax, for the whole string.' }),
  ),
}

const value = () => Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean(), Type.Null()])

const options = () => Type.Array(Text(200, 'Delivery'), { maxItems: MAX_OPTIONS })

/** A field in a response. */
const Field = named(
  'FormField',
  Type.Object({
    id: FieldId(),
    type: OneOf(FIELD_TYPES, { examples: ['rating'] }),
    label: Text(300, 'How happy are you with us?'),
    description: Nullable(Type.String({ maxLength: 1000 })),
    placeholder: Nullable(Type.String({ maxLength: 200 })),
    required: Type.Boolean(),
    options: options(),
    validations: Type.Object(validations),
    visibleIf: Nullable(
      Type.Object(
        { fieldId: FieldId(), operator: OneOf(OPERATORS), value: value() },
        { description: 'Shows the field only if an earlier field has this answer; null shows it always.' },
      ),
    ),
  }),
)

/** A field in the trigger forms.form.publish. */
export const SentField = Type.Object({
  id: Type.Optional(FieldId('comment')),
  type: OneOf(FIELD_TYPES, { examples: ['long_text'] }),
  label: Text(300, 'What can we do better?'),
  description: Type.Optional(Nullable(Text(1000, 'A sentence will do.'))),
  placeholder: Type.Optional(Nullable(Text(200, 'More colours'))),
  required: Type.Optional(Type.Boolean({ description: 'Defaults to false.' })),
  options: Type.Optional(options()),
  validations: Type.Optional(Nullable(Type.Partial(Type.Object(validations)))),
  visibleIf: Type.Optional(
    Nullable(
      Type.Object({
        fieldId: FieldId('rating'),
        operator: OneOf(OPERATORS, { examples: ['answered'] }),
        value: Type.Optional(value()),
      }),
    ),
  ),
})

export const SentFields = Type.Array(SentField, {
  maxItems: MAX_FIELDS_OF_FORM,
  examples: [
    [
      { id: 'rating', type: 'rating', label: 'How happy are you with your order?', required: true },
      { id: 'comment', type: 'long_text', label: 'What could we do better?' },
      { id: 'email', type: 'email', label: 'Where may we write to you?' },
    ],
  ],
})

export const Form = shape({ item: 'Form', create: 'FormCreate' }, forms, {
  fields: () => ({
    id: { schema: Id(DEMO_FORM) },
    title: {
      sent: 'create',
      required: true,
      bounded: true,
      words: { 'x-wording': 'must not be blank', examples: ['How did we do?'] },
    },
    description: { sent: 'create', bounded: true, words: { examples: ['Two minutes.'] } },
    status: {
      words: assumedValues('The specification shows published; a form is a draft before that.', 'draft'),
    },
    defaultMode: { schema: Mode() },
    slug: made(
      Type.String({
        description: 'Built from the title and the workspace (assumed).',
        examples: ['how-did-we-do--demo'],
      }),
      [forms.slug],
      ([slug], workspace) => wireSlug(slug, workspace),
    ),
    submitUrl: made(
      Assumed(
        'The specification does not show it. Clients submit to this URL without a key. It names the workspace, because copies of a workspace have forms with the same id.',
        Type.String({
          format: 'uri',
          examples: [`http://127.0.0.1:4012/forms/api/forms/${DEMO_FORM}/submit?workspace=demo`],
        }),
      ),
      [forms.id],
      ([id], workspace) => submitUrl(id, workspace),
    ),
    isPublic: {},
    createdAt: {},
    publishedAt: {},
  }),
})

const content = 'The specification shows a schema, but not its content.'

const ModeSettings = () => Type.Object({ enabled: Type.Boolean(), showProgress: Type.Boolean() })

export const FormDetail = shape({ item: 'FormDetail' }, forms, {
  fields: () => ({
    ...Form.fields(),
    schema: made(
      Type.Object({
        fields: Assumed(content, Type.Array(Field)),
        settings: Assumed(
          content,
          Type.Object({
            submitLabel: Nullable(Type.String()),
            successMessage: Nullable(Type.String()),
            embedOrigins: Nullable(
              Type.Array(Type.String(), { description: 'Origins that may embed the form; null for all.' }),
            ),
          }),
        ),
      }),
      [forms.fields, forms.settings],
      ([fields, { submitLabel, successMessage, embedOrigins }]) => ({
        fields: fields.map((field) => ({ ...field, options: [...field.options] })),
        settings: { submitLabel, successMessage, embedOrigins: embedOrigins && [...embedOrigins] },
      }),
    ),
    modes: made(
      Assumed(
        'The specification shows mode settings, but neither their name nor their content.',
        Type.Object({ default: Mode(), conversational: ModeSettings(), classic: ModeSettings() }),
      ),
      [forms.defaultMode, forms.settings],
      ([mode, { showProgress }]) => ({
        default: mode,
        conversational: { enabled: true, showProgress },
        classic: { enabled: true, showProgress },
      }),
    ),
  }),
})

export const FormId = Type.Object({ formId: Id(DEMO_FORM) })

const MAX_OFFSET = 1_000_000_000

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Int({ minimum: 1, maximum: 100, default: 25, ...documentedLimits('minimum', 'maximum') }),
  ),
  offset: Type.Optional(Int({ minimum: 0, maximum: MAX_OFFSET, ...assumedDefault(0) })),
})
