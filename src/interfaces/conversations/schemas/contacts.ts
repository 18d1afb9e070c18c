/** Schemas of contacts. Specification part 3, "Contact". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { LONGEST_CONTACT_NAME, LONGEST_IDENTIFIER } from '../../../state/conversations/limits.ts'
import { Attributes, Email, Id, NotShown, Page, Phone, Seconds } from './common.ts'
import { Conditions } from './filters.ts'

const ContactInbox = Type.Object({
  source_id: Type.String(),
  inbox: Type.Object({ id: Id(), name: Type.String(), channel_type: Type.String() }),
})

export const Contact = named(
  'Contact',
  Type.Object({
    id: Id(),
    name: Type.String({ examples: ['Ana Ríos'] }),
    email: Nullable(Type.String({ examples: ['ana.rios@example.com'] })),
    phone_number: Nullable(Type.String({ examples: ['+50760001234'] })),
    availability_status: OneOf(['online', 'offline']),
    custom_attributes: Attributes(),
    last_activity_at: Nullable(Seconds()),
    created_at: Seconds(),
    identifier: NotShown(Nullable(Type.String())),
    additional_attributes: NotShown(Attributes()),
    thumbnail: NotShown(Type.String()),
    contact_inboxes: Type.Optional(NotShown(Type.Array(ContactInbox))),
  }),
)

export const ContactPage = Type.Object({
  meta: Type.Object({ count: Type.Integer(), current_page: Type.Integer() }),
  payload: Type.Array(Contact),
})

export const OneContact = Type.Object({ payload: Contact })

export const CreatedContact = Type.Object({
  payload: Type.Object({ contact: Contact, contact_inbox: Type.Object({}) }),
})

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

const fields = {
  name: Type.String({ maxLength: LONGEST_CONTACT_NAME, examples: ['Marta Lasso'] }),
  email: Nullable(Type.String({ format: 'email', maxLength: 254, examples: ['marta.lasso@example.com'] })),
  phone_number: Nullable({ ...Phone(), examples: ['+50760009876'] }),
  identifier: Nullable(Type.String({ maxLength: LONGEST_IDENTIFIER, examples: ['crm-marta-lasso'] })),
  custom_attributes: Attributes(),
  additional_attributes: Attributes(),
}

export const ContactCreate = named('ContactCreate', Type.Partial(Type.Object(fields)))

export const ContactUpdate = named(
  'ContactUpdate',
  Type.Object({
    name: Type.Optional(Type.String({ maxLength: LONGEST_CONTACT_NAME, examples: ['Ana Ríos'] })),
    email: Type.Optional(Nullable(Email())),
    phone_number: Type.Optional(Nullable(Phone())),
    identifier: Type.Optional(Nullable(Type.String({ maxLength: LONGEST_IDENTIFIER }))),
    custom_attributes: Type.Optional(Attributes()),
    additional_attributes: Type.Optional(Attributes()),
  }),
)

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
