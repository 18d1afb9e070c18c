/** The events of conversations (assumed; the specification shows none). They go to subscriptions of the control plane. */
import { Type, type TProperties } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import type { ConversationEventName } from '../../state/conversations/events.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { Id } from './schemas/common.ts'
import { Contact } from './schemas/contacts.ts'
import { Conversation, Message } from './schemas/conversations.ts'
import { Inbox } from './schemas/people.ts'

const why = 'The specification shows no webhook events of conversations; the names follow Chatwoot.'

/** Describes the difference from Chatwoot, which sends the record itself with `event` and `account` instead of an envelope. */
const unlike = (fields: string): string =>
  `${why} Chatwoot sends the record itself with "event" and "account" {id, name}. The simulator sends the usual envelope, in which data has ${fields}.`

const OF_MESSAGES = unlike(
  'account_id, message and conversation. As in lists, message_type is a number and the sender is an object; Chatwoot sends one object with message_type as a string',
)

const data = (name: string, fields: TProperties, whyData = why) =>
  named(name, Assumed(whyData, Type.Object({ account_id: Id(), ...fields })))

const ConversationData = data('ConversationEventData', { conversation: Conversation })
const MessageData = data('MessageEventData', { message: Message, conversation: Conversation }, OF_MESSAGES)
const ContactData = data('ChatContactEventData', { contact: Contact })
const InboxData = data('InboxEventData', { inbox: Inbox })

const OF_CONVERSATIONS = unlike('account_id and conversation; changed_attributes are not sent')
const OF_CONTACTS = unlike('account_id and contact; changed_attributes are not sent')
const OF_INBOXES = unlike('account_id and inbox')

const event = (
  name: ConversationEventName,
  title: string,
  payload: PublishedEvent['payload'],
  whyEvent: string,
): PublishedEvent => ({ name, title, payload, fidelity: assumed(whyEvent) })

export const publishedEvents: readonly PublishedEvent[] = [
  event('conversation_created', 'A conversation was created', ConversationData, OF_CONVERSATIONS),
  event('conversation_updated', 'A conversation was changed', ConversationData, OF_CONVERSATIONS),
  event(
    'conversation_status_changed',
    'The status of a conversation changed',
    ConversationData,
    OF_CONVERSATIONS,
  ),
  event(
    'message_created',
    'A message was sent or received, or an activity was recorded',
    MessageData,
    OF_MESSAGES,
  ),
  event('message_updated', 'The status of a message changed', MessageData, OF_MESSAGES),
  event('contact_created', 'A contact was created', ContactData, OF_CONTACTS),
  event('contact_updated', 'A contact was changed', ContactData, OF_CONTACTS),
  event('contact_deleted', 'A contact was deleted', ContactData, OF_CONTACTS),
  event('inbox_created', 'An inbox was created', InboxData, OF_INBOXES),
  event('inbox_updated', 'An inbox was changed or disconnected', InboxData, OF_INBOXES),
]
