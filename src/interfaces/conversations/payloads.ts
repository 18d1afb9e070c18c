/** The schemas of the event data of conversations, and of whole bodies under the reading `flat`; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, named, OneOf } from '../../http/schemas/schemas.ts'
import type { ConversationEventName } from '../../state/conversations/events.ts'
import { Id, Person } from './shapes/common.ts'
import { Contact } from './shapes/contacts.ts'
import { Conversation, Message } from './shapes/conversations.ts'
import { Inbox } from './shapes/people.ts'
import { FLAT, MESSAGES_UNLIKE_CHATWOOT, NO_EVENTS } from './views.ts'

const data = <Fields extends TProperties>(name: string, fields: Fields, why = NO_EVENTS) =>
  named(name, Assumed(why, Type.Object({ account_id: Id(), ...fields })))

export const ConversationData = data('ConversationEventData', { conversation: Conversation })
export const MessageData = data(
  'MessageEventData',
  { message: Message, conversation: Conversation },
  MESSAGES_UNLIKE_CHATWOOT,
)
export const ContactData = data('ChatContactEventData', { contact: Contact.item })
export const InboxData = data('InboxEventData', { inbox: Inbox.item })

/** A whole body: the fields of a record beside the name of the event. */
const flat = (name: string, events: readonly ConversationEventName[], fields: TProperties) =>
  named(name, Assumed(FLAT, Type.Object({ event: OneOf(events), ...fields, account: Person('Almendro') })))

export const FlatConversation = flat(
  'FlatConversationEvent',
  ['conversation_created', 'conversation_updated', 'conversation_status_changed'],
  Conversation.properties,
)
export const FlatMessage = flat('FlatMessageEvent', ['message_created', 'message_updated'], {
  ...Message.properties,
  inbox: Person('Website'),
  conversation: Conversation,
})
export const FlatContact = flat(
  'FlatContactEvent',
  ['contact_created', 'contact_updated', 'contact_deleted'],
  Contact.item.properties,
)
export const FlatInbox = flat('FlatInboxEvent', ['inbox_created', 'inbox_updated'], Inbox.item.properties)
