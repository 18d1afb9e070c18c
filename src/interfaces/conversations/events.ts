/** The events of conversations. The specification shows none: they are assumed, and reach subscriptions made in the control plane. */
import { Type } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition.ts'
import { Assumed, named } from '../../http/schemas.ts'
import type { ConversationEventName } from '../../state/conversations/events.ts'
import { assumed } from '../../state/fidelity.ts'
import { Contact } from './schemas/contacts.ts'
import { Conversation, Message } from './schemas/conversations.ts'
import { Inbox } from './schemas/people.ts'

const why = 'The specification shows no webhook events of conversations; the names are customary.'

const ConversationData = named(
  'ConversationEventData',
  Assumed(why, Type.Object({ conversation: Conversation })),
)
const MessageData = named('MessageEventData', Assumed(why, Type.Object({ message: Message })))
const ContactData = named('ChatContactEventData', Assumed(why, Type.Object({ contact: Contact })))
const InboxData = named('InboxEventData', Assumed(why, Type.Object({ inbox: Inbox })))

const event = (
  name: ConversationEventName,
  title: string,
  payload: PublishedEvent['payload'],
): PublishedEvent => ({ name, title, payload, fidelity: assumed(why) })

export const publishedEvents: readonly PublishedEvent[] = [
  event('conversation_created', 'A conversation was created', ConversationData),
  event('conversation_updated', 'A conversation was changed', ConversationData),
  event('conversation_status_changed', 'A conversation has another status', ConversationData),
  event('message_created', 'A message was sent or received', MessageData),
  event('message_updated', 'A message has another status', MessageData),
  event('contact_created', 'A contact was created', ContactData),
  event('contact_updated', 'A contact was changed', ContactData),
  event('contact_deleted', 'A contact was deleted', ContactData),
  event('inbox_created', 'An inbox was created', InboxData),
  event('inbox_updated', 'An inbox was changed, or disconnected', InboxData),
]
