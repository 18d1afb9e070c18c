/**
 * The events of conversations (assumed; the specification shows no webhook events). Their names follow Chatwoot. They go to
 * subscriptions of the control plane.
 */
import { appenderOf } from '../workspace/events.ts'
import type { contacts, conversations, inboxes, messages } from './tables.ts'

interface ConversationEvent {
  readonly conversation: typeof conversations.$inferSelect
}

/** The names of the changed fields are for the cable; the event data does not have them. */
export interface ConversationUpdate extends ConversationEvent {
  readonly changed: readonly string[]
}

interface ContactEvent {
  readonly contact: typeof contacts.$inferSelect
}

interface MessageEvent {
  readonly message: typeof messages.$inferSelect
}

interface InboxEvent {
  readonly inbox: typeof inboxes.$inferSelect
}

export interface ConversationEvents {
  conversation_created: ConversationEvent
  conversation_updated: ConversationUpdate
  conversation_status_changed: ConversationEvent
  message_created: MessageEvent
  message_updated: MessageEvent
  contact_created: ContactEvent
  contact_updated: ContactEvent
  contact_deleted: ContactEvent
  inbox_created: InboxEvent
  inbox_updated: InboxEvent
}

export type ConversationEventName = keyof ConversationEvents

export const appendConversationEvent = appenderOf<ConversationEvents>('conversations')
