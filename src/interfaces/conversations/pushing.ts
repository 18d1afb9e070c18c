/**
 * What is told over the cable: to the agents of an account every change of conversations, messages and contacts, and to a
 * contact what is said to it. Specification part 3, "Events": that a VIP change is pushed in real time is shown; names and
 * shapes are assumed, as customary.
 */
import { contacts } from '../../state/conversations/contacts.ts'
import { conversations } from '../../state/conversations/conversations.ts'
import type { ConversationEventName } from '../../state/conversations/events.ts'
import { messages } from '../../state/conversations/messages.ts'
import { isForContact } from '../../state/conversations/widget.ts'
import type { Follower } from '../../state/events.ts'
import { broadcast, hasListeners } from '../../state/streams.ts'
import type { Workspace } from '../../state/workspace.ts'
import { contactView, conversationView, messageView } from './views.ts'

/** What agents hear. */
export const AGENTS = 'conversations'

/** What a contact hears on the page of an inbox. */
export const streamOfContact = (contact: string, inbox: string): string =>
  `conversations contact ${contact} inbox ${inbox}`

/** What is pushed for an event; null where the record is not there any more, or never was. */
type Push = (workspace: Workspace, id: string) => object | null

const conversation: Push = (workspace, id) => {
  const row = conversations.find(workspace, id)
  return row ? conversationView(row, workspace) : null
}

const message: Push = (workspace, id) => {
  const row = messages.find(workspace, id)
  return row ? { ...messageView(row, workspace), account_id: workspace.tenantId } : null
}

/** A contact is not told the addresses of agents. */
function messageForContact(workspace: Workspace, id: string): object | null {
  const row = messages.find(workspace, id)
  if (!row || !isForContact(row)) return null
  const { sender, ...view } = messageView(row, workspace)
  return {
    ...view,
    sender: sender?.type === 'user' ? { ...sender, email: null } : sender,
    account_id: workspace.tenantId,
  }
}

const contact: Push = (workspace, id) => {
  const row = contacts.find(workspace, id)
  return row ? { ...contactView(row, workspace), account_id: workspace.tenantId } : null
}

const contactGone: Push = (workspace, id) =>
  contacts.find(workspace, id) ? null : { id: Number(id), account_id: workspace.tenantId }

const PUSHES: Partial<Readonly<Record<string, readonly [string, Push]>>> = {
  conversation_created: ['conversation.created', conversation],
  conversation_updated: ['conversation.updated', conversation],
  conversation_status_changed: ['conversation.status_changed', conversation],
  message_created: ['message.created', message],
  message_updated: ['message.updated', message],
  contact_created: ['contact.created', contact],
  contact_updated: ['contact.updated', contact],
  contact_deleted: ['contact.deleted', contactGone],
} satisfies Partial<Record<ConversationEventName, readonly [string, Push]>>

/** The events that agents hear, by their names on the cable. */
export const PUSHED: readonly string[] = Object.values(PUSHES).flatMap((push) => push?.[0] ?? [])

/** Tells those who listen what has happened. */
export const pushConversations: Follower = (workspace, { interface: of, name, record }) => {
  const push = of === 'conversations' ? PUSHES[name] : undefined
  if (!push || record === undefined || !hasListeners(workspace)) return
  const [event, dataOf] = push
  broadcast(workspace, AGENTS, () => {
    const data = dataOf(workspace, record)
    return data && { event, data }
  })
  const row = dataOf === message ? messages.find(workspace, record) : undefined
  const whose = row && isForContact(row) && conversations.find(workspace, row.conversationId)?.contactId
  if (!whose) return
  broadcast(workspace, streamOfContact(whose, row.inboxId), () => {
    const data = messageForContact(workspace, record)
    return data && { event, data }
  })
}
