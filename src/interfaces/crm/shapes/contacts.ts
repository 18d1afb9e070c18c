/** Wire shapes of contacts. Specification part 1, "CRM records", "CRM". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedDefault, OneOf, SearchText } from '../../../http/schemas/schemas.ts'
import { pageQuery } from '../../../http/schemas/wireShapes.ts'
import { shape } from '../../../http/shapes/shape.ts'
import { contacts, tag } from '../../../state/crm/tables.ts'
import { CustomFields, Id, notBlank, Vertical } from './common.ts'

export const Tag = Type.Unsafe<string>({ ...tag(), 'x-wording': 'must be one line that is not blank' })

export const Contact = shape(
  { item: 'Contact', create: 'ContactCreate', update: 'ContactUpdate' },
  contacts,
  {
    fields: () => ({
      id: { schema: Id('con_') },
      name: { sent: 'both', required: true, bounded: true, words: notBlank('Ana Castillo') },
      email: {
        sent: 'both',
        words: {
          description: 'Unique among contacts, ignoring case (assumed).',
          examples: ['ana@example.com'],
        },
      },
      phone: { sent: 'both', bounded: true, words: { examples: ['+507 6000 0000'] } },
      company: { sent: 'both', bounded: true, words: { examples: ['Harbor Motors'] } },
      position: { sent: 'both', bounded: true, words: { examples: ['Buyer'] } },
      vertical: { sent: 'both' },
      tags: {
        sent: 'both',
        bounded: true,
        words: {
          items: Tag,
          description: 'Duplicate tags are removed (assumed).',
          examples: [['vip', 'fleet']],
        },
      },
      custom_fields: { sent: 'both', schema: CustomFields() },
      created_at: {},
      updated_at: {},
    }),
    update: Assumed(
      'The specification shows no request body; the simulator takes the fields of a new contact, each optional.',
      {},
    ),
  },
)

export const ContactId = Type.Object({ contact_id: Id('con_') })

export const ContactQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    SearchText({ description: 'Searches name, e-mail and phone, ignoring case and accents (assumed).' }),
  ),
  tag: Type.Optional(Type.String()),
  segment_id: Type.Optional(
    Id('seg_', {
      description: 'A saved set of filters. Contacts must match them and the filters of the query.',
    }),
  ),
  vertical: Type.Optional(Vertical()),
  sort_by: OneOf(['created_at', 'name', 'updated_at'], assumedDefault('created_at')),
  sort_dir: OneOf(['asc', 'desc'], assumedDefault('desc')),
})
