/** Queries, filters and files of contacts. They have their own file, so that a start does not load forms. */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  assumedDefault,
  assumedValues,
  named,
  OneOf,
  SearchText,
} from '../../../http/schemas/schemas.ts'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { Page, PageFound } from './common.ts'
import { Contact } from './contacts.ts'
import { Conditions } from './filters.ts'

const FIELDS = ['name', 'email', 'phone_number', 'last_activity_at', 'created_at'] as const
const SORTS = [...FIELDS, ...FIELDS.map((sort) => `-${sort}` as const)]

export const ContactQuery = Type.Object({
  page: Page(),
  sort: Type.Optional(
    OneOf(SORTS, {
      description: 'A leading minus reverses the order.',
      ...assumedDefault('name'),
      ...assumedValues('The specification shows no values; they follow similar products.', ...SORTS),
    }),
  ),
  include_contact_inboxes: Type.Optional(Type.Boolean(assumedDefault(true))),
})

export const ContactUpdate = Assumed(
  'The specification does not show the body; it has the fields of a new contact.',
  Contact.update,
)

export const ContactSearch = Type.Object({
  q: SearchText({
    maxLength: 200,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    examples: ['mora'],
    description: 'Text to search for in names, e-mail addresses, phone numbers and identifiers.',
  }),
  page: PageFound(),
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
  Assumed(
    'The specification does not show the body; it follows similar products.',
    Type.Object({
      payload: Type.Optional(
        Conditions({ attribute_key: 'email', filter_operator: 'is_present', values: [] }),
      ),
      column_names: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['name'] }), {
          maxItems: 100,
          description:
            'Columns of the file: id, name, email, phone_number, identifier, or custom attributes of the exported contacts. Other names are ignored. If no column remains, the file has all columns.',
        }),
      ),
    }),
  ),
)
