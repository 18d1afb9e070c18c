/** Schemas of contacts. Specification part 3, "Contact". */
import { Type, type Static } from '@sinclair/typebox'
import { assumedValues, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import type { Lookup } from '../../../http/shapes/fields.ts'
import { made, madeFrom, shape, valueOf } from '../../../http/shapes/shape.ts'
import { inboxesOfContacts } from '../../../state/conversations/contactInboxes.ts'
import { contacts } from '../../../state/conversations/tables.ts'
import {
  Attributes,
  ContactEmail,
  Found,
  Id,
  NOT_SHOWN,
  NotShown,
  numericId,
  Phone,
  Returned,
  seconds,
  Seconds,
  secondsOrNull,
} from './common.ts'

const ContactInbox = Type.Object({
  source_id: Type.String(),
  inbox: Type.Object({ id: Id(), name: Type.String(), channel_type: Type.String() }),
})

/** How long a contact is online after its last message (assumed). */
const ONLINE_MS = 5 * 60_000

const Availability = OneOf(
  ['online', 'offline'],
  assumedValues('The specification shows online; other contacts are offline.', 'offline'),
)

/** A contact in events, and in lists without its inboxes. */
export const PlainContact = shape({}, contacts, {
  fields: () => ({
    id: numericId(contacts.id),
    name: { sent: 'both', words: { examples: ['Ana Ríos'] } },
    email: {
      sent: 'both',
      schema: Type.String({ examples: ['ana.rios@example.com'] }),
      body: ContactEmail(),
    },
    phone_number: { sent: 'both', schema: Type.String({ examples: ['+50760001234'] }), body: Phone() },
    availability_status: made(Availability, [contacts.lastActivityAt], ([at], workspace) =>
      at !== null && workspace.now() - at < ONLINE_MS ? 'online' : 'offline',
    ),
    custom_attributes: { sent: 'both', schema: Attributes() },
    last_activity_at: made(Nullable(Seconds()), [contacts.lastActivityAt], ([at]) => secondsOrNull(at)),
    created_at: made(Seconds(), [contacts.createdAt], ([at]) => seconds(at)),
    identifier: {
      sent: 'both',
      schema: NotShown(Type.String()),
      body: NotShown(valueOf(contacts.identifier)),
    },
    additional_attributes: { sent: 'both', schema: NotShown(Attributes()) },
    thumbnail: made(NotShown(Type.String()), [], () => ''),
  }),
})

const contactInboxes: Lookup<[typeof contacts.id], Static<typeof ContactInbox>[]> = {
  columns: [contacts.id],
  read(workspace, rows) {
    const ids = rows.map(([id]) => id)
    const found = inboxesOfContacts(workspace, ids)
    return ids.map((contactId) =>
      (found.get(contactId) ?? []).map(({ id, name, channelType }) => ({
        source_id: `${contactId}-${id}`,
        inbox: { id: Number(id), name, channel_type: channelType },
      })),
    )
  },
}

export const Contact = shape({ item: 'Contact', update: 'ContactUpdate' }, contacts, {
  fields: () => ({
    ...PlainContact.fields(),
    contact_inboxes: {
      ...madeFrom(NotShown(Type.Array(ContactInbox)), contactInboxes, (inboxes) => inboxes),
      omitsNull: true,
    },
  }),
})

/** A new contact; the examples are not those of the demo workspace. */
export const NewContact = shape({ create: 'ContactCreate' }, contacts, {
  fields: () => ({
    ...PlainContact.fields(),
    name: { sent: 'create', words: { examples: ['Marta Lasso'] } },
    email: { sent: 'create', body: ContactEmail('marta.lasso@example.com') },
    phone_number: { sent: 'create', body: Phone('+50760009876') },
    identifier: { sent: 'create', assumed: NOT_SHOWN, words: { examples: ['crm-marta-lasso'] } },
  }),
})

export const ContactPage = Type.Object({
  meta: Type.Object({ count: Type.Integer(), current_page: Type.Integer() }),
  payload: Type.Array(Contact.item),
})

export const FoundContacts = Found(ContactPage)

export const OneContact = Returned('the contact in payload', Type.Object({ payload: Contact.item }))

export const CreatedContact = Returned(
  'the contact in payload.contact, as similar products do',
  Type.Object({ payload: Type.Object({ contact: Contact.item, contact_inbox: Type.Object({}) }) }),
)
