/**
 * Pushes events over the cable: all changes of conversations, messages and contacts to the agents of an account, and
 * messages to their contact. Specification part 3, "Events", shows only that a VIP change is pushed; the rest is assumed.
 */
import { contacts } from '../../state/conversations/contacts.ts'
import { conversations } from '../../state/conversations/conversations.ts'
import type { ConversationEventName, ConversationUpdate } from '../../state/conversations/events.ts'
import { messages } from '../../state/conversations/messages.ts'
import { isVisibleToContact } from '../../state/conversations/widget.ts'
import type { Follower } from '../../state/workspace/events.ts'
import { broadcast, hasListeners } from '../../state/timeline/streams.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { PlainContact } from './shapes/contacts.ts'
import { conversationView, messageView } from './views.ts'

/** The stream of the agents of a workspace. */
export const AGENTS = 'conversations'

/** Returns the stream of a contact on the widget page of an inbox. */
export const streamOfContact = (contact: string, inbox: string): string =>
  `conversations contact ${contact} inbox ${inbox}`

/** Returns the data to push for an event; null if the record does not exist. */
type Push = (workspace: Workspace, id: string) => object | null

const conversation: Push = (workspace, id) => {
  const row = conversations.find(workspace, id)
  return row ? conversationView(row, workspace) : null
}

const message: Push = (workspace, id) => {
  const row = messages.find(workspace, id)
  return row ? { ...messageView(row, workspace), account_id: workspace.tenantId } : null
}

/** Returns a message for its contact, without the e-mail addresses of agents. */
function messageForContact(workspace: Workspace, id: string): object | null {
  const row = messages.find(workspace, id)
  if (!row || !isVisibleToContact(row)) return null
  const { sender, ...view } = messageView(row, workspace)
  return {
    ...view,
    sender: sender?.type === 'user' ? { ...sender, email: null } : sender,
    account_id: workspace.tenantId,
  }
}

const contact: Push = (workspace, id) => {
  const row = contacts.find(workspace, id)
  return row ? { ...PlainContact.view(row, workspace), account_id: workspace.tenantId } : null
}

const deletedContact: Push = (workspace, id) =>
  contacts.find(workspace, id) ? null : { id: Number(id), account_id: workspace.tenantId }

const PUSHES: Partial<Readonly<Record<string, readonly [string, Push]>>> = {
  conversation_created: ['conversation.created', conversation],
  conversation_updated: ['conversation.updated', conversation],
  conversation_status_changed: ['conversation.status_changed', conversation],
  message_created: ['message.created', message],
  message_updated: ['message.updated', message],
  contact_created: ['contact.created', contact],
  contact_updated: ['contact.updated', contact],
  contact_deleted: ['contact.deleted', deletedContact],
} satisfies Partial<Record<ConversationEventName, readonly [string, Push]>>

/** The names of the further events of a change, by the changed field. */
const CHANGES: ReadonlyMap<string, string> = new Map([
  ['assigneeId', 'assignee.changed'],
  ['teamId', 'team.changed'],
])

/** Sent after a reset, an import of a snapshot and the like; clients must ask for all records again. */
export const RESET = 'account.reset'

/** The names of the events that agents receive on the cable. */
export const PUSHED: readonly string[] = [
  ...Object.values(PUSHES).flatMap((push) => push?.[0] ?? []),
  ...CHANGES.values(),
  RESET,
]

/** Broadcasts an event to the subscribed agents, and a public message to its contact. */
export const pushConversations: Follower = (workspace, { interface: of, name, record }, source) => {
  const push = of === 'conversations' ? PUSHES[name] : undefined
  if (!push || record === null || !hasListeners(workspace)) return
  const [event, dataOf] = push
  const { changed = [] } = source as Partial<ConversationUpdate>
  for (const each of [event, ...changed.flatMap((field) => CHANGES.get(field) ?? [])]) {
    broadcast(workspace, AGENTS, () => {
      const data = dataOf(workspace, record)
      return data && { event: each, data }
    })
  }
  const row = dataOf === message ? messages.find(workspace, record) : undefined
  const contactId =
    row && isVisibleToContact(row) && conversations.find(workspace, row.conversationId)?.contactId
  if (!contactId) return
  broadcast(workspace, streamOfContact(contactId, row.inboxId), () => {
    const data = messageForContact(workspace, record)
    return data && { event, data }
  })
}
