/** Queries, filters and files of contacts. They have their own file, so that a start does not load forms. */
import { Type } from '@sinclair/typebox'
import { named, OneOf } from '../../../http/schemas/schemas.ts'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { Page } from './common.ts'
import { Conditions } from './filters.ts'

const SORTS = ['name', 'email', 'phone_number', 'last_activity_at', 'created_at'] as const

export const ContactQuery = Type.Object({
  page: Page(),
  sort: Type.Optional(
    OneOf([...SORTS, ...SORTS.map((sort) => `-${sort}` as const)], {
      default: 'name',
      description: 'A leading minus reverses the order. The values are assumed.',
    }),
  ),
  include_contact_inboxes: Type.Optional(Type.Boolean({ default: true })),
})

export const ContactSearch = Type.Object({
  q: Type.String({
    maxLength: 200,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    examples: ['mora'],
    description: 'Text to search for in names, e-mail addresses, phone numbers and identifiers.',
  }),
  page: Page(),
})

export const ContactFilter = named(
  'ContactFilter',
  Type.Object({
    payload: Conditions({ attribute_key: 'email', filter_operator: 'contains', values: ['example'] }),
  }),
)

export const ImportForm = Form({
  import_file: File('A CSV of at most 10 MiB.', 'name,email,city\nOlga Reyes,olga.reyes@example.com,David\n'),
})

export const ExportBody = named(
  'ContactExport',
  Type.Object({
    payload: Type.Optional(Conditions({ attribute_key: 'email', filter_operator: 'is_present', values: [] })),
    column_names: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['name'] }), {
        maxItems: 100,
        description:
          'Columns of the file: id, name, email, phone_number, identifier, or custom attributes of the exported contacts. Other names are ignored. If no column remains, the file has all columns.',
      }),
    ),
  }),
)
