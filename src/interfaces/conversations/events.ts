/** The events of conversations (assumed; the specification shows none). They go to subscriptions of the control plane. */
import type { EventsOf } from '../../http/definition/events.ts'
import { conversations } from '../../state/conversations/conversations.ts'
import type { ConversationEvents } from '../../state/conversations/events.ts'
import { messageType } from '../../state/conversations/readings.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { PlainContact } from './shapes/contacts.ts'
import { Inbox } from './shapes/people.ts'
import { conversationView, MESSAGES_UNLIKE_CHATWOOT, messageView, unlikeChatwoot } from './views.ts'

const ofConversation = {
  fidelity: assumed(unlikeChatwoot('account_id and conversation; changed_attributes are not sent')),
  payload: 'ConversationData',
  otherBody: 'FlatConversation',
  readings: [messageType],
  view: ({ conversation }: ConversationEvents['conversation_created'], workspace: Workspace) => ({
    account_id: workspace.tenantId,
    conversation: conversationView(conversation, workspace),
  }),
} as const

const ofMessage = {
  fidelity: assumed(MESSAGES_UNLIKE_CHATWOOT),
  payload: 'MessageData',
  otherBody: 'FlatMessage',
  readings: [messageType],
  view: ({ message }: ConversationEvents['message_created'], workspace: Workspace) => ({
    account_id: workspace.tenantId,
    message: messageView(message, workspace),
    conversation: conversationView(conversations.get(workspace, message.conversationId), workspace),
  }),
} as const

const ofContact = {
  fidelity: assumed(unlikeChatwoot('account_id and contact; changed_attributes are not sent')),
  payload: 'ContactData',
  otherBody: 'FlatContact',
  view: ({ contact }: ConversationEvents['contact_created'], workspace: Workspace) => ({
    account_id: workspace.tenantId,
    contact: PlainContact.view(contact, workspace),
  }),
} as const

const ofInbox = {
  fidelity: assumed(unlikeChatwoot('account_id and inbox')),
  payload: 'InboxData',
  otherBody: 'FlatInbox',
  view: ({ inbox }: ConversationEvents['inbox_created'], workspace: Workspace) => ({
    account_id: workspace.tenantId,
    inbox: Inbox.view(inbox, workspace),
  }),
} as const

export const events: EventsOf<ConversationEvents, typeof payloads> = {
  conversation_created: { title: 'A conversation was created', ...ofConversation },
  conversation_updated: { title: 'A conversation was changed', ...ofConversation },
  conversation_status_changed: { title: 'The status of a conversation changed', ...ofConversation },
  message_created: { title: 'A message was sent or received, or an activity was recorded', ...ofMessage },
  message_updated: { title: 'The status of a message changed', ...ofMessage },
  contact_created: { title: 'A contact was created', ...ofContact },
  contact_updated: { title: 'A contact was changed', ...ofContact },
  contact_deleted: { title: 'A contact was deleted', ...ofContact },
  inbox_created: { title: 'An inbox was created', ...ofInbox },
  inbox_updated: { title: 'An inbox was changed or disconnected', ...ofInbox },
}
