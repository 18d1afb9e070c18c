/** The schemas of the event data of conversations; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { Id } from './shapes/common.ts'
import { Contact } from './shapes/contacts.ts'
import { Conversation, Message } from './shapes/conversations.ts'
import { Inbox } from './shapes/people.ts'
import { MESSAGES_UNLIKE_CHATWOOT, NO_EVENTS } from './views.ts'

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
