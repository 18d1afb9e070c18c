/** Wire shapes of contacts. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { pageQuery } from '../../../http/schemas/wireShapes.ts'
import { CustomFields, Id, Text, Vertical } from './common.ts'

const limits = 'The specification shows no lengths.'

export const Tag = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\S\\n]*\\S[^\\n]*$',
  'x-wording': 'must be one line that is not blank',
})

/** The fields of a contact that a request and a response have in addition to its name. */
const contactFields = {
  email: Nullable(
    Type.String({
      format: 'email',
      description: 'Unique among contacts, ignoring case (assumed).',
      examples: ['ana@example.com'],
    }),
  ),
  phone: Nullable(Assumed(limits, Type.String({ maxLength: 40, examples: ['+507 6000 0000'] }))),
  company: Nullable(Assumed(limits, Type.String({ maxLength: 200, examples: ['Harbor Motors'] }))),
  position: Nullable(Assumed(limits, Type.String({ maxLength: 200, examples: ['Buyer'] }))),
  vertical: Nullable(Vertical()),
  tags: Assumed(
    'The specification shows an array of strings. Assumed: a tag has at most 50 characters, and a contact at most 50 tags.',
    Type.Array(Tag, {
      maxItems: 50,
      description: 'Duplicate tags are removed.',
      examples: [['vip', 'fleet']],
    }),
  ),
  custom_fields: CustomFields(),
}

const contactName = Assumed(limits, Text(200, 'Ana Castillo'))

export const ContactCreate = named(
  'ContactCreate',
  Type.Object({ name: contactName, ...Type.Partial(Type.Object(contactFields)).properties }),
)

export const ContactUpdate = named(
  'ContactUpdate',
  Assumed(
    'The specification shows no request body; the simulator takes the fields of a new contact, each optional.',
    Type.Partial(Type.Object({ name: contactName, ...contactFields })),
  ),
)

export const Contact = named(
  'Contact',
  Type.Object({
    id: Id('con_'),
    name: contactName,
    ...contactFields,
    created_at: Instant(),
    updated_at: Instant(),
  }),
)

export const ContactId = Type.Object({ contact_id: Id('con_') })

export const ContactQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({ description: 'Searches name, e-mail and phone, ignoring case and accents (assumed).' }),
  ),
  tag: Type.Optional(Type.String()),
  segment_id: Type.Optional(
    Id('seg_', {
      description: 'A saved set of filters. Contacts must match them and the filters of the query.',
    }),
  ),
  vertical: Type.Optional(Vertical()),
  sort_by: OneOf(['created_at', 'name', 'updated_at'], { default: 'created_at' }),
  sort_dir: OneOf(['asc', 'desc'], { default: 'desc' }),
})
