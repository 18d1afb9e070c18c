/**
 * What happens in conversations. The specification shows no webhook events of them: they are assumed, by the customary names, for
 * subscriptions of the control plane.
 */
import type { Workspace } from '../workspace.ts'
import type { contacts, conversations, inboxes, messages } from './tables.ts'

interface ConversationTold {
  readonly conversation: typeof conversations.$inferSelect
}

interface ContactTold {
  readonly contact: typeof contacts.$inferSelect
}

interface MessageTold {
  readonly message: typeof messages.$inferSelect
}

interface InboxTold {
  readonly inbox: typeof inboxes.$inferSelect
}

export interface ConversationEvents {
  conversation_created: ConversationTold
  conversation_updated: ConversationTold
  conversation_status_changed: ConversationTold
  message_created: MessageTold
  message_updated: MessageTold
  contact_created: ContactTold
  contact_updated: ContactTold
  contact_deleted: ContactTold
  inbox_created: InboxTold
  inbox_updated: InboxTold
}

export type ConversationEventName = keyof ConversationEvents

/** Appends an event that tells of the record with this id. Only inside a `write`. */
export function appendConversationEvent<Name extends ConversationEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: ConversationEvents[Name],
): void {
  workspace.append({ interface: 'conversations', name, record, data: { ...data } })
}
